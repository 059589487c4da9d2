"""What one rule has to do with the predictions that move between two versions of rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.task import Task


@dataclass(frozen=True)
class MovedByRule:
    """The places of the texts whose predictions change, as far as a rule has a part in it: better, worse, otherwise."""

    fixed: Sequence[int]
    broken: Sequence[int]
    changed: Sequence[int]


def _label_matches(side: Analysis, name: str) -> Mapping[int, object]:
    if name not in side.rule_index:
        return {}
    return dict.fromkeys(map(int, np.flatnonzero(side.matched[:, side.rule_index[name]])), True)


def _slot_matches(side: SlotAnalysis, name: str) -> Mapping[int, object]:
    return dict(side.matches(rule=name)) if name in side.rule_index else {}


_MATCHES: Mapping[Task, Callable[[Any, str], Mapping[int, object]]] = {
    Task.CLASSIFICATION: _label_matches,
    Task.SLOT_FILLING: _slot_matches,
}


def effect_of_rule(task: Task, name: str, before: Any, now: Any, moved: Any, held: Collection[int]) -> ChangeEffect:
    """The part that a rule has in what moves between two analyses of the same texts: the texts that it matches on one
    side alone, or otherwise. `held`: the places of the texts that count; the gain is a number of these."""
    first, second = (_MATCHES[task](side, name) for side in (before, now))
    other = {place for place in {*first, *second} if first.get(place) != second.get(place)}
    own = MovedByRule(
        *([place for place in map(int, side) if place in other] for side in (moved.fixed, moved.broken, moved.changed))
    )
    gain = len(set(held).intersection(own.fixed)) - len(set(held).intersection(own.broken))
    return ChangeEffect(before, now, own, float(gain))
