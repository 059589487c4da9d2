"""Which label wins, on numbers: as the label logic says."""

from __future__ import annotations

import random

import numpy as np
import pytest

from re2nn_core.proposals.label_order import label_order, winners_with_each, winning_labels
from re2nn_core.rules.logic.decisions import decide_labels
from re2nn_core.rules.logic.formulas import Fact
from re2nn_core.rules.logic.label_logic import LabelLogic

LABELS = ("a", "b", "c", "d")


def _logic(seed: int) -> LabelLogic:
    random_ = random.Random(seed)
    pairs = [(x, y) for i, x in enumerate(LABELS) for y in LABELS[i + 1 :] if random_.random() < 0.4]
    turned = tuple((y, x) for x, y in pairs)
    return LabelLogic(LABELS, tuple(Fact(label) for label in LABELS), turned, random_.choice([None, "c"]))


@pytest.mark.parametrize("seed", range(8))
def test_the_winner_is_that_of_the_label_logic_with_one_more_label_too(seed: int) -> None:
    logic = _logic(seed)
    order = label_order(logic, ["new"])
    holds = np.random.default_rng(seed).random((30, 5)) < 0.4
    holds[:, 4] = False

    def decided(row: np.ndarray) -> int:
        labels = [label for label, is_held in zip(LABELS, row, strict=False) if is_held]
        label = decide_labels(logic, labels).label
        if row[4] and not labels:
            return 4
        return order.number(label)

    assert winning_labels(order, holds).tolist() == [decided(row) for row in holds]
    each = winners_with_each(order, holds)
    for label in range(5):
        more = holds.copy()
        more[:, label] = True
        assert each[:, label].tolist() == [decided(row) for row in more]


def test_labels_without_a_rule_come_last() -> None:
    logic = LabelLogic(("b", "a"), (Fact("x"), Fact("y")))
    order = label_order(logic, ["a", "z"])
    assert order.labels == ("b", "a", "z")
    assert (order.number("z"), order.number(None)) == (2, -1)
