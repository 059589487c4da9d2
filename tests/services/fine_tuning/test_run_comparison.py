"""Two runs side by side, on predictions that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import torch
from support.networks.small_system import RULES, small_corpus, small_system

from re2nn_core.services.fine_tuning.classification.run_comparison import OtherPrediction, compare_runs, label_pairs
from re2nn_core.services.fine_tuning.run_comparison import (
    SettingPair,
    differing_settings,
    learned_from_dev,
    why_not_comparable,
)
from re2nn_core.services.fine_tuning.run_material import RunMaterial, keep_material
from re2nn_core.services.prediction.classification.evaluation import Scores, score
from re2nn_core.services.prediction.classification.predictions import Predictions, predict_texts
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.store import RunRecord, read_policy
from re2nn_core.text.corpus import Corpus, Example

TEXTS = (
    "the price of a flight",  # go and price: money by priority
    "a flight to rome",  # go: travel
    "how much is a flight",  # go and much: money
    "price list of flights",  # go and price: money, wrongly
    "good morning",  # no rule: the default label, travel
)
LABELS = ("money", "travel", "money", "travel", None)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def written() -> Predictions:
    """The exact network of the rules."""
    return predict_texts(small_system(), None, TEXTS)


@pytest.fixture(scope="module")
def changed() -> Predictions:
    """A network in which the rule `price` has lost its voice; the rules are the same."""
    bundle = untrained(small_system(), TEXTS)
    with torch.no_grad():
        bundle.network.reader.final[bundle.network.names.index("price")] = 0.0
    return predict_texts(small_system(), bundle, TEXTS)


def run_with(network: dict[str, Any] | None = None, train: dict[str, Any] | None = None) -> RunRecord:
    return RunRecord(
        id=1, project_id=1, kind="train", rule_version_id=1, state="done", step=0, total=0, message="",
        config={"network": network or {}, "train": train or {}}, result={}, error=None, pid=None, heartbeat=None,
        cancel_requested=False, created_at=NOW, started_at=NOW, finished_at=NOW, folder=Path("model"),
    )  # fmt: skip


def test_texts_with_different_predictions_come_with_all_that_was_said(written: Predictions, changed: Predictions):
    found = compare_runs(written, changed, LABELS, range(len(TEXTS)))
    assert found.differing == (
        OtherPrediction(0, "money", "money", "travel", "money", "money"),
        OtherPrediction(3, "travel", "money", "travel", "money", "money"),
    )
    assert [text.winner for text in found.differing] == ["first", "second"]
    assert replace(found.differing[0], first=None).winner == "neither"
    assert found.differing[0].labels == {"money", "travel"}


def test_only_labelled_texts_of_these_places_count(written: Predictions, changed: Predictions):
    everything = compare_runs(written, changed, LABELS, range(len(TEXTS)))
    assert (everything.texts, everything.first.accuracy, everything.second.accuracy) == (4, 3 / 4, 3 / 4)
    some = compare_runs(written, changed, LABELS, [2, 3, 4])
    assert (some.texts, some.first.accuracy, some.second.accuracy) == (2, 1 / 2, 1.0)
    assert [text.place for text in some.differing] == [3]


def test_labels_with_the_largest_difference_stand_in_front(written: Predictions, changed: Predictions):
    found = compare_runs(written, changed, LABELS, range(len(TEXTS)))
    # Before: money 3 given, 2 right, of 2; travel 1 given, 1 right, of 2. After: money 1, 1, of 2; travel 3, 2, of 2.
    assert [(pair.label, pair.support) for pair in found.labels] == [("money", 2), ("travel", 2)]
    assert [pair.change for pair in found.labels] == pytest.approx([2 / 3 - 4 / 5, 4 / 5 - 2 / 3])
    some = compare_runs(written, changed, LABELS, [1, 3])
    assert [pair.label for pair in some.labels] == ["travel", "money"]
    assert some.labels[0].change == pytest.approx(1 - 2 / 3)


def test_a_label_that_one_of_them_never_gave_has_no_figures_there():
    first, second = score(["a", "b"], ["a", "c"]), score(["a", "b"], ["a", "b"])
    pairs = {pair.label: pair for pair in label_pairs(first, second)}
    assert list(pairs) == ["b", "a", "c"]
    assert (pairs["c"].second, pairs["c"].support, pairs["c"].change) == (None, 0, 0.0)
    assert label_pairs(Scores(None, (), (), ()), Scores(None, (), (), ())) == ()


def test_runs_of_other_rules_predict_with_their_own(written: Predictions):
    other = predict_texts(small_system(RULES + "greeting := good morning\n"), None, TEXTS)
    found = compare_runs(written, other, ("money", "travel", "money", "travel", "money"), range(len(TEXTS)))
    assert found.differing == (OtherPrediction(4, "money", "travel", "money", "travel", "money"),)


def test_other_texts_cannot_be_compared(written: Predictions):
    shorter = predict_texts(small_system(), None, TEXTS[:3])
    with pytest.raises(ValueError, match="on the same texts alone"):
        compare_runs(written, shorter, LABELS, [0])


def test_only_settings_that_differ_are_told():
    first = run_with({"vectors": "none", "extra_states": 2}, {"epochs": 60, "seed": 3})
    second = run_with({"vectors": "builtin", "extra_states": 2, "forgotten": 1}, {"seed": 4})
    assert differing_settings(first, second) == (
        SettingPair("network", "vectors", "none", "builtin"),
        SettingPair("network", "forgotten", None, 1),
        SettingPair("train", "seed", 3, 4),
    )
    assert differing_settings(first, first) == ()


def test_copies_that_take_turns_have_learned_from_dev():
    corpus = small_corpus()
    assert learned_from_dev(run_with(train={"copies": 0}), corpus)
    assert not learned_from_dev(run_with(train={"copies": 1}), corpus)
    assert not learned_from_dev(run_with(train={"epochs": 5}), corpus)
    many = Corpus(tuple(Example(f"a flight number {number}", "travel", "dev") for number in range(300)))
    enough = Corpus((*corpus.examples, *many.examples))
    assert not learned_from_dev(run_with(train={"copies": 0}), enough)
    assert not learned_from_dev(run_with(train={"copies": 3}), enough)
    # What the run says itself holds, whatever the labels have become.
    assert learned_from_dev(replace(run_with(train={"copies": 0}), result={"turns": True}), enough)
    assert not learned_from_dev(replace(run_with(train={"copies": 0}), result={"turns": False}), corpus)


VECTORS = {
    "other vectors": ({"vectors": "builtin"}, {"vectors": "none"}, ("word vectors (builtin and none)",)),
    "the same": ({"vectors": "builtin"}, {"vectors": "builtin"}, ()),
    "none on either side": ({}, {"vectors": "none"}, ()),
}


@pytest.mark.parametrize(("first", "second", "expected"), VECTORS.values(), ids=list(VECTORS))
def test_runs_with_other_vectors_are_not_comparable(
    first: dict[str, Any], second: dict[str, Any], expected: tuple[str, ...]
) -> None:
    assert why_not_comparable(replace(run_with(), result=first), replace(run_with(), result=second)) == expected


def test_runs_of_other_rules_and_texts_are_not_comparable(tmp_path: Path) -> None:
    first, second = (replace(run_with(), rule_version_id=number, folder=tmp_path / str(number)) for number in (1, 2))
    for run, labelled in ((first, {1, 2, 3}), (second, {1, 2})):
        keep_material(run.folder, RunMaterial(read_policy("every"), frozenset(labelled), frozenset()))
    assert why_not_comparable(first, second) == ("rules", "labelled texts (3 and 2)")
