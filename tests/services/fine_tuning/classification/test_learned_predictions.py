"""Rules found from predictions, with what a network of them learns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from re2nn_core.errors import Cancelled
from re2nn_core.services.fine_tuning.classification import learned_predictions
from re2nn_core.services.fine_tuning.classification.learned_predictions import rules_of_predictions
from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules, search_predictions
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

WORDS = 25  # of each label
PLAIN = Tokenization()


@pytest.fixture
def system() -> RuleSystem:
    return read_system(
        "[fare]\nasked := $* ( price | cost ) $*\n\n[flight]\ngo := $* ( fly | plane ) $*\n", None, PLAIN
    )[0]


@pytest.fixture
def corpus() -> Corpus:
    """For each word two train texts and one of dev."""
    texts = [
        Example(f"{start} {label}{number} now", label, split="dev" if start == "my" else "train")
        for number in range(WORDS)
        for label in ("fare", "flight")
        for start in ("the", "please", "my")
    ]
    return Corpus(tuple(texts))


def _labels(corpus: Corpus) -> list[str | None]:
    return [example.label for example in corpus]


def _learning(monkeypatch: pytest.MonkeyPatch, change: Callable[[PredictedRules], PredictedRules]) -> None:
    """In the place of a training: what `change` makes of the rules that the search found."""
    monkeypatch.setattr(learned_predictions, "_learned", lambda found, first, *rest: change(first))


def _reaching(found: PredictedRules, fidelity: float) -> PredictedRules:
    dev = replace(found.chosen.splits["dev"], fidelity=fidelity)
    return replace(found, chosen=replace(found.chosen, splits={"dev": dev}), by_network=True)


def test_a_network_of_the_found_rules_learns_the_predictions_of_texts_outside_of_dev(
    system: RuleSystem, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[RuleSystem, Corpus]] = []
    train = learned_predictions.train_system

    def watched(system: RuleSystem, corpus: Corpus, *given: Any, **named: Any) -> Any:
        seen.append((system, corpus))
        return train(system, corpus, *given, **named)

    monkeypatch.setattr(learned_predictions, "train_system", watched)
    other = {"fare": "flight", "flight": "fare"}
    predicted = [other[example.label or ""] for example in corpus]
    parts: list[tuple[str, int, int]] = []
    found = rules_of_predictions(
        system, corpus, predicted, PLAIN, most_words=40, on_part=lambda *part: parts.append(part)
    )
    ((begun, learned),) = seen
    assert {text for text in learned.texts if text.startswith("my")} == set()
    assert len(learned) == 4 * WORDS
    assert all(example.label == other[example.text.split()[1].rstrip("0123456789")] for example in learned)
    assert 0 < len(begun.ruleset.words - system.ruleset.words) <= 20  # half of the words are the search's
    assert found.chosen.words <= 40
    assert list(dict.fromkeys(part for part, _, _ in parts)) == [
        "finding rules",
        "training a network of the rules",
        "reconstructing rules from it",
    ]
    assert all(0 <= done <= total for _, done, total in parts)


def test_of_search_and_network_the_one_is_kept_that_agrees_on_more_dev_texts(
    system: RuleSystem, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = search_predictions(system, corpus, _labels(corpus), PLAIN).within(10)
    reached = searched.chosen.splits["dev"].fidelity
    assert 0 < reached < 1
    for fidelity, kept in ((reached + 0.01, True), (reached, False), (reached - 0.01, False)):
        _learning(monkeypatch, partial(_reaching, fidelity=fidelity))
        found = rules_of_predictions(system, corpus, _labels(corpus), PLAIN, most_words=10)
        assert (found.by_network, found.chosen.words <= 10) == (kept, True)
        assert kept or found.rules_text == searched.rules_text


def test_a_network_that_is_asked_to_stop_leaves_what_the_search_found(
    system: RuleSystem, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(found: PredictedRules) -> PredictedRules:
        raise Cancelled("Training stopped.")

    _learning(monkeypatch, stopped)
    searched = search_predictions(system, corpus, _labels(corpus), PLAIN).within(None)
    found = rules_of_predictions(system, corpus, _labels(corpus), PLAIN)
    assert (found.stopped, found.rules_text) == (True, searched.rules_text)


def _never(found: PredictedRules) -> PredictedRules:
    raise AssertionError("nothing can be learned here")


@pytest.mark.parametrize("some", [99, None], ids=["few texts", "one label"])
def test_too_few_texts_or_one_label_leave_what_the_search_found(
    system: RuleSystem, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, some: int | None
) -> None:
    _learning(monkeypatch, _never)
    train = [example for example in corpus if example.split == "train"]
    texts = Corpus(tuple(train[:some] if some else [replace(one, label="fare") for one in train] * 2))
    assert rules_of_predictions(system, texts, _labels(texts), PLAIN).by_network is None


def test_predictions_that_only_the_deciding_texts_have_or_that_are_no_labels_teach_nothing(
    system: RuleSystem, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    _learning(monkeypatch, _never)
    train = [example for example in corpus if example.split == "train"] * 2
    some = ["flight" if place % learned_predictions.DECIDE == 0 else "fare" for place in range(len(train))]
    texts = Corpus((*train, replace(train[0], split="test")))
    assert rules_of_predictions(system, texts, [*some, "fare"], PLAIN).by_network is None
    odd = ["fare" if place % 2 else "a [label]" for place in range(len(train))]
    assert rules_of_predictions(system, texts, [*odd, "fare"], PLAIN).by_network is None
