"""Figures of predictions against scikit-learn's."""

from __future__ import annotations

import random

import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support

from re2nn_core.services.prediction.classification.evaluation import NO_PREDICTION, score


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_scikit_learn(seed: int) -> None:
    draw = random.Random(seed)
    gold = [draw.choice(["a", "b", "c", "never predicted", None]) for _ in range(60)]
    predictions = [draw.choice(["a", "b", "c", "in no text", None]) for _ in range(60)]
    found = score(gold, predictions)
    pairs = [(right, given or NO_PREDICTION) for right, given in zip(gold, predictions, strict=True) if right]
    truth, given = zip(*pairs, strict=True)
    labels = [*sorted({*truth, *given} - {NO_PREDICTION}), NO_PREDICTION]
    assert found.labels == tuple(labels)
    assert found.accuracy == pytest.approx(accuracy_score(truth, given))
    assert found.confusion == tuple(map(tuple, confusion_matrix(truth, given, labels=labels).tolist()))
    columns = precision_recall_fscore_support(truth, given, labels=labels[:-1], zero_division=0)
    for label, part, *wanted in zip(labels[:-1], found.per_label, *columns, strict=True):
        assert part.label == label
        assert (part.precision, part.recall, part.f1, part.support) == pytest.approx(tuple(wanted))


def test_without_a_label_there_are_no_figures() -> None:
    assert score([None], ["a"]).accuracy is None
