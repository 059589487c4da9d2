"""A linear layer over the whole text stands in addition to the rules where it gains on held-out texts, and not else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from support.networks.explained import as_trained
from support.networks.small_system import LOGIC, RULES, small_corpus, small_system

from re2nn_core.errors import Cancelled
from re2nn_core.network.auxiliary.text_linear import TextLinear, Weights
from re2nn_core.network.classification.bundle import load_bundle, save_bundle
from re2nn_core.network.classification.score_parts import score_parts
from re2nn_core.network.classification.transplant import transplant
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.services.fine_tuning.classification import linear_layer
from re2nn_core.services.fine_tuning.classification.linear_fit import fit_folds
from re2nn_core.services.fine_tuning.classification.linear_layer import _further, _held_out_logits, smallest_as_good
from re2nn_core.services.fine_tuning.classification.rule_patching import _built
from re2nn_core.services.fine_tuning.classification.step_size import step_between
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.learner import parameters_of

HELD = {"learning_rate": 0.0, "embedding_learning_rate": 0.0, "head_learning_rate": 0.0, "epochs": 1, "device": "cpu"}


def labelled(labels: tuple[str, str, str]) -> Corpus:
    """Texts that no rule matches, and what label they have: the rules give them the default label."""
    frames = zip(("planes to {}", "the cost of {}", "sum for {}"), labels, strict=True)
    texts = [Example(frame.format(city), label) for frame, label in frames for city in "abcdefghijklmnopqrst"]
    return Corpus(tuple(texts))


@pytest.mark.parametrize("average", ["weights", "predictions"])
def test_a_layer_is_kept_where_words_that_no_rule_knows_tell_the_labels_apart(tmp_path: Path, average: str) -> None:
    corpus = labelled(("travel", "money", "money"))
    config = TrainConfig(**HELD, average=average)
    report = train_system(small_system(), corpus, NetworkConfig(vectors="none", linear=True), config, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    texts = ["planes to oslo", "the cost of a seat", "fly to oslo", "how much"]
    assert predict(bundle, texts).predictions == ["travel", "money", "travel", "money"]
    assert report.linear_weight > 0
    assert "A linear layer over the whole text is added with weight" in report.recipe
    assert "40 fixed and 0 broken of 60 held-out texts" in report.recipe
    assert (bundle.trained, report.dev) == (True, 1.0)
    # Its part of a score is outside the rules, and the sum is the network's own score.
    parts = score_parts(bundle.network, make_batch([bundle.vocabulary.encode(["cost", "of"])], bundle.network.device))
    assert parts.total == pytest.approx(parts.scores, abs=1e-5)
    # Networks of edited rules keep it.
    edited = _built(bundle, f"{RULES}seat := $* seat $*\n", bundle.logic)
    transplant(bundle, edited)
    save_bundle(tmp_path / "edited", edited)
    assert predict(load_bundle(tmp_path / "edited"), texts[:2]).predictions == ["travel", "money"]


def test_a_training_can_be_cancelled_while_a_layer_is_fitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[bool] = []

    def fit_once_asked(*arguments: Any, **more: Any) -> list[Weights]:
        asked.append(True)
        return fit_folds(*arguments, **more)

    monkeypatch.setattr(linear_layer, "fit_folds", fit_once_asked)
    corpus, config = labelled(("travel", "money", "money")), NetworkConfig(vectors="none", linear=True)
    with pytest.raises(Cancelled):
        train_system(
            small_system(), corpus, config, TrainConfig(**HELD), folder=tmp_path, should_stop=lambda: bool(asked)
        )


def test_each_fold_is_measured_by_the_network_that_has_not_learned_from_it() -> None:
    """The mean network has learned all texts by heart; against it a layer could show no gain."""
    bundle = as_trained(size=0.0)
    labels = bundle.network.logic.labels
    other = labels.index("other")
    bundle.network.linear = TextLinear(
        len(bundle.network.reader.vectors), bundle.network.reader.vectors.shape[1], len(labels)
    )
    folds = {name: value for name, value in parameters_of(bundle.network).items() if not name.startswith("linear.")}
    with torch.no_grad():
        bundle.network.bias[other] = 5.0
    mean = parameters_of(bundle.network)
    held = EncodedExamples([bundle.vocabulary.encode(["hello"])] * 4, [other] * 4)
    (own,), _ = _held_out_logits(bundle.networks, [held] * 2, (folds, folds))
    assert set(own.argmax(1).tolist()) != {other}
    assert all(torch.equal(mean[name], value) for name, value in parameters_of(bundle.network).items())
    (together,), _ = _held_out_logits(bundle.networks, [held] * 2, ())
    assert set(together.argmax(1).tolist()) == {other}


def test_a_layer_is_left_out_where_rules_are_right_already(tmp_path: Path) -> None:
    """With a label for each text that the rules give it, there is nothing to gain."""
    corpus = small_corpus()
    predictions = small_system().predictions(list(corpus.texts))
    corpus = Corpus(tuple(Example(e.text, label, "train") for e, label in zip(corpus, predictions, strict=True)))
    config = NetworkConfig(vectors="none", linear=True)
    report = train_system(small_system(), corpus, config, TrainConfig(**HELD), folder=tmp_path)
    bundle = load_bundle(tmp_path)
    assert (report.linear_weight, bundle.network.linear, bundle.config.linear) == (0.0, None, False)
    assert "A linear layer over the whole text is left out: 0 fixed and 0 broken" in report.recipe
    assert (bundle.trained, bundle.logic_text) == (False, LOGIC)


@pytest.mark.parametrize(
    ("right", "taken"),
    [
        # The last one gains five, the one before it three: three fixed and one broken between them are not certain.
        (("0" * 6, "111000", "011111"), 1),
        # Here the last one gains three more and breaks none, which is certain.
        (("0" * 6, "111000", "111111"), 2),
        # One that gains nothing for certain is not taken, however near it is to the best.
        (("0" * 6, "100000", "110000"), 2),
        (("0" * 6, "0" * 6, "0" * 6), 0),
    ],
)
def test_the_smallest_of_the_weights_that_are_as_good_is_taken(right: tuple[str, ...], taken: int) -> None:
    without = torch.zeros(6, dtype=torch.bool)
    tried = [torch.tensor([text == "1" for text in one]) for one in right]
    steps = [step_between(weight, one, without) for weight, one in zip((1.0, 2.0, 4.0), tried, strict=True)]
    assert smallest_as_good(steps, tried) == taken


NAMED = """\
[refund]
back := $* money back $*
[opening_hours]
open := $* when open $*
[cancel_order]
stop := $* stop it $*
"""


@pytest.mark.parametrize(("of_each", "alone"), [(5, True), (6, False)])
def test_few_texts_of_each_label_teach_no_layer_but_phrases_of_rules_do(
    tmp_path: Path, of_each: int, alone: bool
) -> None:
    """What few texts of several labels teach is how often each was drawn; names of labels are no such chance."""
    frames = ("{} please", "about the {}", "{}", "i ask for {}", "is there {}", "what of {}")[:of_each]
    names = {"refund": "refund", "opening_hours": "opening hours", "cancel_order": "cancel order"}
    texts = [Example(frame.format(name), label, "train") for frame in frames for label, name in names.items()]
    system = small_system(NAMED, 'default = "refund"\n')
    config = NetworkConfig(vectors="none", linear=True)
    report = train_system(system, Corpus(tuple(texts)), config, TrainConfig(**HELD), folder=tmp_path)
    assert predict(load_bundle(tmp_path), ["my opening hours", "cancel order"]).predictions == [
        "opening_hours",
        "cancel_order",
    ]
    assert ("whole text, fitted to 6 phrases of rules and label names alone, is added" in report.recipe) == alone
    assert ("texts would teach how often it was drawn" in report.recipe) == alone


@pytest.mark.parametrize(
    ("by_phrases", "by_texts", "kept"),
    [
        ("111000", "111110", 0),  # two more: not certain by two errors
        ("111000" + "0" * 5, "1" * 11, 1),  # eight more
        ("100000", "111100", None),  # neither: one, and four by two errors
        ("100000", "111110", 1),
    ],
)
def test_texts_must_gain_twice_the_error_over_phrases(by_phrases: str, by_texts: str, kept: int | None) -> None:
    without = torch.zeros(len(by_texts), dtype=torch.bool)
    tried = [torch.tensor([text == "1" for text in one]) for one in (by_phrases, by_texts)]
    assert _further([(step_between(1.0, one, without), one) for one in tried], without) == kept
