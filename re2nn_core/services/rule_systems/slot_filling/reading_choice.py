"""Spans where captures can be read in several ways: those that some reading gives as a whole, never a mixture.

Tags are decided word by word (Jiang et al., EMNLP 2021): `[ $? b ]<x>` claims B for `a` and both B and I for `b` in
`a b`, so that `a` alone would become a span, which no reading of the rule gives. Which slot a word gets stays decided
by the words. How the words of one slot are divided is decided here, wherever they are divided as no reading does:

    longest    the longest span of a reading first, the earlier of two as long, and no other one over it
    otherwise  most words in spans, then most words with the tag decided for them, then the shorter span first

A span that loses some of its words to another slot is cut there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from re2nn_core.rules.tagging import slot_of
from re2nn_core.text.spans import OUTSIDE, Span, token_spans

Ranges = frozenset[tuple[int, int]]  # first word, and the one behind the last


def among_readings(tags: Sequence[str], readings: Iterable[Span], *, longest: bool) -> tuple[str, ...]:
    """The tags of a sentence's words with each slot's words divided as `readings` (spans in numbers of words) do."""
    found = list(tags)
    given = tuple(readings)
    for begin, end, slot in _runs(tags):
        ranges = frozenset(
            (max(span.start, begin), min(span.end, end))
            for span in given
            if span.slot == slot and span.start < end and span.end > begin
        )
        decided = [(begin + span.start, begin + span.end) for span in token_spans(tags[begin:end])]
        if ranges.issuperset(decided):
            continue
        found[begin:end] = [OUTSIDE] * (end - begin)
        for first, behind in _longest(ranges) if longest else _fullest(ranges, tags, begin, end):
            found[first:behind] = _tags(slot, behind - first)
    return tuple(found)


def _runs(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """(begin, end, slot) of neighbouring words that one slot has."""
    runs: list[tuple[int, int, str]] = []
    for place, slot in enumerate(map(slot_of, tags)):
        if slot is not None and runs and runs[-1][1:] == (place, slot):
            runs[-1] = (runs[-1][0], place + 1, slot)
        elif slot is not None:
            runs.append((place, place + 1, slot))
    return runs


def _longest(ranges: Ranges) -> list[tuple[int, int]]:
    chosen: list[tuple[int, int]] = []
    for first, behind in sorted(ranges, key=lambda one: (one[0] - one[1], one[0])):
        if all(behind <= other or first >= end for other, end in chosen):
            chosen.append((first, behind))
    return chosen


def _fullest(ranges: Ranges, tags: Sequence[str], begin: int, end: int) -> list[tuple[int, int]]:
    """The best division of the words from each place on, from the last place to the first."""
    best: dict[int, tuple[int, int, list[tuple[int, int]]]] = {end: (0, 0, [])}
    for place in reversed(range(begin, end)):
        best[place] = best[place + 1]
        divided = None
        for _, behind in sorted(one for one in ranges if one[0] == place):
            own = sum(a[:1] == b[:1] for a, b in zip(tags[place:behind], _tags("", behind - place), strict=True))
            words, alike, rest = best[behind]
            one = (words + behind - place, alike + own, [(place, behind), *rest])
            if divided is None or one[:2] > divided[:2]:
                divided = one
        if divided is not None and divided[:2] >= best[place][:2]:
            best[place] = divided
    return best[begin][2]


def _tags(slot: str, words: int) -> list[str]:
    return [f"B-{slot}", *[f"I-{slot}"] * (words - 1)]
