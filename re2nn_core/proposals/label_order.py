"""Which label wins where several hold: label logic (rules/logic/decisions.py) on numbers, for many texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.decisions import LabelLogic

NONE = -1  # no label
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class LabelOrder:
    """Labels by number in the order that decides; `priorities`: pairs (stronger, weaker); `default`: NONE for none."""

    labels: tuple[str, ...]
    priorities: tuple[tuple[int, int], ...] = ()
    default: int = NONE

    def number(self, label: str | None) -> int:
        """The number of a label, NONE for none."""
        return NONE if label is None else self.labels.index(label)


def label_order(logic: LabelLogic, further: Sequence[str] = ()) -> LabelOrder:
    """The order of a label logic; `further` labels, which no rule predicts yet, come last."""
    labels = tuple(dict.fromkeys((*logic.labels, *further)))
    number = {label: place for place, label in enumerate(labels)}
    pairs = tuple((number[stronger], number[weaker]) for stronger, weaker in logic.priorities)
    return LabelOrder(labels, pairs, NONE if logic.default is None else number[logic.default])


def winning_labels(order: LabelOrder, holds: Bools) -> Integers:
    """[texts]: the label of each text; `holds` [texts, labels]: those whose rules accept it."""
    active = _active(order, holds)
    return np.where(active.any(axis=1), active.argmax(axis=1), order.default).astype(np.int64)


def winners_with_each(order: LabelOrder, holds: Bools) -> Integers:
    """[texts, labels]: the label of each text if one more held."""
    active = _active(order, holds)
    first = _first(active)
    winner = np.minimum(np.arange(len(order.labels)), first[:, None])
    for label in range(len(order.labels)):
        stronger = [strong for strong, weak in order.priorities if weak == label]
        weaker = [weak for strong, weak in order.priorities if strong == label]
        left = first
        if weaker:
            others = active.copy()
            others[:, weaker] = False  # also where the label itself is beaten
            left = _first(others)
            winner[:, label] = np.minimum(label, left)
        if stronger:
            beaten = holds[:, stronger].any(axis=1)
            winner[beaten, label] = np.where(left < len(order.labels), left, order.default)[beaten]
    return winner.astype(np.int64)


def _first(active: Bools) -> Integers:
    """[texts]: the first active label, the number of labels for none."""
    return np.where(active.any(axis=1), active.argmax(axis=1), active.shape[1])


def _active(order: LabelOrder, holds: Bools) -> Bools:
    active = holds.copy()
    for stronger, weaker in order.priorities:
        active[:, weaker] &= ~holds[:, stronger]
    return active
