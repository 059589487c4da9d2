"""Predictions of an ordinary system that is trained on somebody's texts: what it learns from, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.networks.small_experiment import examples
from support.networks.small_system import small_system
from support.networks.stand_in_encoder import stand_in

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.errors import InputError
from re2nn_core.experiments.runs import baseline_predictions as module
from re2nn_core.experiments.runs.baseline_predictions import (
    BaselinePredictions,
    baseline_predictions,
    check_baseline_name,
)
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

TRAIN, DEV, TEST = examples("train")[:80], examples("dev"), examples("test")
OTHER = {"travel": "money", "money": "travel"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small networks that learn fast."""
    small = BaselineConfig(vectors="builtin", hidden=16, dropout=0.0, epochs=8, learning_rate=0.02, device="cpu")
    monkeypatch.setattr(module, "config_for", lambda spec, texts, given: small)


def predicted(name: str, texts: Sequence[Example], *, rules: bool = False) -> BaselinePredictions:
    system = small_system() if rules else None
    return baseline_predictions(name, system, Corpus(tuple(texts)), Tokenization())


def turned(texts: Sequence[Example]) -> list[Example]:
    return [replace(one, label=OTHER[one.label or ""]) for one in texts]


@pytest.mark.parametrize("name", ["dan", "encoder"])
def test_every_text_is_predicted_labelled_or_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    unlabelled = [replace(one, label=None, split=None) for one in TEST]
    found = predicted(name, (*unlabelled, *TRAIN, *DEV))
    assert len(found.predictions) == len(unlabelled) + len(TRAIN) + len(DEV)
    right = [own == one.label for own, one in zip(found.predictions, TEST, strict=False)]
    assert sum(right) >= 28  # of 32
    assert (found.learned, found.held_out, found.of_dev) == (80, 40, True)
    assert (found.epochs is None) == (found.best_epoch is None) == (name == "encoder")


@pytest.mark.parametrize("name", ["dan", "encoder"])
def test_labels_of_test_have_no_part_in_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    one, other = (predicted(name, (*TRAIN, *DEV, *test)) for test in (TEST, turned(TEST)))
    assert one.predictions == other.predictions
    assert one.learned == 80


def test_labels_of_dev_decide_when_to_stop_and_are_not_learned() -> None:
    right, wrong = predicted("dan", (*TRAIN, *DEV)), predicted("dan", (*TRAIN, *turned(DEV)))
    assert right.best_epoch != wrong.best_epoch
    assert (right.learned, wrong.learned) == (80, 80)


def test_without_dev_every_fifth_train_text_decides() -> None:
    found = predicted("dan", [replace(one, split=None) for one in TRAIN])
    assert (found.learned, found.held_out, found.of_dev) == (64, 16, False)
    # Of one label and a single text of another, nothing is held out.
    few = [Example(f"plane {n}", "travel") for n in range(4)] + [Example("price", "money")]
    assert (predicted("dan", few).learned, predicted("dan", few).held_out) == (5, 0)


def test_systems_learn_from_rules_where_there_are_some() -> None:
    unlabelled = [replace(one, label=None, split="train") for one in examples("train")[80:120]]
    found = predicted("dan+kd+u", (*TRAIN, *DEV, *unlabelled), rules=True)
    assert (found.name, found.learned, found.predicted) == ("dan+kd+u", 80, 40)
    assert predicted("dan+i", (*TRAIN, *DEV, *unlabelled), rules=True).predicted == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "perceptron",
            r"'perceptron' is no baseline for labels: one of rnn, .*, dan is expected.* Or write encoder: the",
        ),
        ("encoder+i", r"'encoder\+i' is no baseline for labels"),
        ("BiGRU+kd", r"bigru\+kd needs rules, and there are none\. Give rules, or choose bigru\."),
        ("cnn+u", r"cnn\+u needs rules, and there are none\. Give rules, or choose cnn\."),
    ],
)
def test_a_name_that_does_not_fit_is_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_baseline_name(name, rules=False)


def test_names_are_those_of_the_tables() -> None:
    assert [check_baseline_name(name, rules=True) for name in (" BiGRU+KD", "Encoder")] == ["bigru+kd", "encoder"]


def test_texts_that_teach_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="No training text has a label, so nothing can be trained"):
        predicted("dan", (*DEV, *TEST))
    with pytest.raises(InputError, match="All 40 labelled training texts have the label 'travel'"):
        predicted("dan", [one for one in TRAIN if one.label == "travel"])
