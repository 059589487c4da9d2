"""A reconstruction of rules for labels that somebody cancels: what was tried by then is kept."""

from __future__ import annotations

from collections.abc import Callable

import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.reconstruction.classification.conduct import reconstruct_rules
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.prediction.classification.predictor import predict, untrained


def reconstructed(stop: Stop, on_progress: Callable[[int, int], None], more: Callable[..., None]) -> Reconstruction:
    """Of a network that reads `cost` as it reads `price`; `more` is called where further rules would be proposed."""
    corpus = small_corpus()
    bundle = untrained(small_system(), corpus.texts)
    weights, index = bundle.network.reader.word_factors, bundle.vocabulary.index
    with torch.no_grad():
        weights[index["cost"]] = weights[index["price"]]

    def with_more(rules_text: str, logic_text: str, _: int) -> tuple[str, str]:
        more()
        return rules_text, logic_text

    return reconstruct_rules(
        bundle,
        corpus,
        lambda texts: predict(bundle, texts).predictions,
        on_progress=on_progress,
        with_more=with_more,
        stop=stop,
    )


def test_what_the_first_price_found_is_kept_and_nothing_more_is_tried() -> None:
    steps: list[int] = []
    proposed: list[None] = []
    stop = Stop(lambda: bool(steps))
    found = reconstructed(stop, lambda done, _: steps.append(done), lambda: proposed.append(None))
    assert steps == [1]
    assert stop.was_asked
    assert not proposed
    assert "cost" in found.rules_text


def test_without_a_stop_all_is_tried() -> None:
    steps: list[int] = []
    proposed: list[None] = []
    stop = Stop()
    reconstructed(stop, lambda done, _: steps.append(done), lambda: proposed.append(None))
    assert steps == [1, 2, 3, 4, 5]
    assert len(proposed) == 1
    assert not stop.was_asked


def test_before_anything_was_tried_the_rules_stay_as_written() -> None:
    found = reconstructed(Stop(lambda: True), lambda *_: None, lambda: None)
    assert (found.changed, found.new_rules) == (0, ())
    assert all(rule.kept_original and not rule.unread for rule in found.rules)
