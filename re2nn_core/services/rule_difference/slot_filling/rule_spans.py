"""The texts in which one rule marks other words than before, by itself and whatever other rules say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import Spans


@dataclass(frozen=True)
class ChangedSpans:
    """A text, the places where it comes, and the spans that came and went."""

    places: tuple[int, ...]
    came: Spans
    went: Spans


def changed_spans(texts: Sequence[str], before: Mapping[int, Spans], after: Mapping[int, Spans]) -> list[ChangedSpans]:
    """Each text whose spans (by its place) differ, once, the most frequent first."""
    found: dict[str, list[int]] = {}
    for place in sorted(before.keys() | after.keys()):
        if before.get(place, ()) != after.get(place, ()):
            found.setdefault(texts[place], []).append(place)
    changed = []
    for places in found.values():
        old, new = before.get(places[0], ()), after.get(places[0], ())
        came, went = (tuple(span for span in own if span not in other) for own, other in ((new, old), (old, new)))
        changed.append(ChangedSpans(tuple(places), came, went))
    return sorted(changed, key=lambda one: (-len(one.places), one.places[0]))


def evaluated(changed: Sequence[ChangedSpans], gold: Mapping[int, Spans | None]) -> tuple[int, int]:
    """How many of the spans that came are right and how many wrong, in marked texts, repeated ones counted each time;
    `gold` are the marked spans by place, None where nobody has marked the text."""
    right = wrong = 0
    for one in changed:
        for marked in (gold[place] for place in one.places):
            if marked is not None:
                right += sum(span in marked for span in one.came)
                wrong += sum(span not in marked for span in one.came)
    return right, wrong
