"""What one rule has to do with the predictions that move between two versions of rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from re2nn_core.rules.logic.decisions import decide_labels
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.task import Task
from re2nn_core.text.spans import Span


@dataclass(frozen=True)
class MovedByRule:
    """The places of the texts whose predictions change, as far as a rule has a part in it: better, worse, otherwise."""

    fixed: Sequence[int]
    broken: Sequence[int]
    changed: Sequence[int]


def effect_of_rule(task: Task, name: str, before: Any, now: Any, moved: Any, held: Collection[int]) -> ChangeEffect:
    """The part that a rule has in what moves between two analyses of the same texts: the predictions that come or go
    because it matches otherwise. `held`: the places of the texts that count; the gain is the change of accuracy, or of
    F1, on these where nothing else changes, as a share of 1."""
    own, gain = _EFFECTS[task](name, before, now, moved, held)
    return ChangeEffect(before, now, own, gain)


def _label_effect(
    name: str, before: Analysis, now: Analysis, moved: Any, held: Collection[int]
) -> tuple[MovedByRule, float]:
    own = MovedByRule(
        *(
            [place for place in map(int, side) if _decides(name, place, before, now)]
            for side in (moved.fixed, moved.broken, moved.changed)
        )
    )
    net = len(set(held).intersection(own.fixed)) - len(set(held).intersection(own.broken))
    return own, net / len(held) if held else 0.0


def _decides(name: str, place: int, before: Analysis, now: Analysis) -> bool:
    """Whether the prediction of a text moves because a rule matches it on one side alone: it is another one there
    without the rule, or the rule alone leads to the new one, as others may too."""
    first, second = (_matched(side, place) for side in (before, now))
    if (name in first) == (name in second):
        return False
    side, names = (before, first) if name in first else (now, second)
    if decide_labels(side.system.logic, names).label != decide_labels(side.system.logic, names - {name}).label:
        return True
    alone = decide_labels(now.system.logic, first ^ {name}).label
    return alone == now.prediction(place) != decide_labels(now.system.logic, first).label


def _matched(side: Analysis, place: int) -> frozenset[str]:
    """The names of the rules that match a text."""
    return frozenset(side.system.rule_names[int(rule)] for rule in np.flatnonzero(side.matched[place]))


def _slot_effect(
    name: str, before: SlotAnalysis, now: SlotAnalysis, _: Any, held: Collection[int]
) -> tuple[MovedByRule, float]:
    sides: dict[int, tuple[frozenset[Span], frozenset[Span]]] = dict(_moved_spans(name, before, now))
    found: dict[int, list[int]] = {1: [], -1: [], 0: []}
    for place, (old, new) in sides.items():
        gold = now.gold[place]
        found[0 if gold is None else int(np.sign(len(old ^ set(gold)) - len(new ^ set(gold))))].append(place)
    places = sorted(held)
    all_gold, old_spans = [now.gold[place] for place in places], [before.predictions[place] for place in places]
    new_spans = [tuple(sides[place][1]) if place in sides else before.predictions[place] for place in places]
    was, will = (count_spans(all_gold, spans).f1 or 0.0 for spans in (old_spans, new_spans))
    return MovedByRule(found[1], found[-1], found[0]), will - was


def _moved_spans(
    name: str, before: SlotAnalysis, now: SlotAnalysis
) -> Iterator[tuple[int, tuple[frozenset[Span], frozenset[Span]]]]:
    """Places of texts with their predicted spans before, and with those alone that a rule moved: what it captures on
    one side only, and what stood in the way of that or takes its place."""
    first, second = (dict(side.matches(rule=name)) if name in side.rule_index else {} for side in (before, now))
    for place in sorted({*first, *second}):
        other = set(first.get(place, ())) ^ set(second.get(place, ()))
        old, new = frozenset(before.predictions[place]), frozenset(now.predictions[place])
        own = other & (old ^ new)
        with_it = {span for span in old ^ new if any(_overlap(span, one) for one in own)}
        if with_it:
            yield place, (old, old ^ with_it)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


_EFFECTS: Mapping[Task, Callable[..., tuple[MovedByRule, float]]] = {
    Task.CLASSIFICATION: _label_effect,
    Task.SLOT_FILLING: _slot_effect,
}
