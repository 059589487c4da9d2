"""What rules give the words of texts, and what one rule more would give them: votes for slots word by word, and spans.

A word gets the slot with most votes, of equal ones the slot that the rules name first, unless a slot of higher priority
has a vote. Spans of one slot that lie over each other are divided as readings do, which `divide` decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.slot_filling.claims import LONGEST_VALUE, Claims
from re2nn_core.proposals.slot_filling.word_row import Bools, Integers, SpanRow, WordRow
from re2nn_core.text.spans import OUTSIDE, Span, token_spans

Divide = Callable[[Sequence[str], Sequence[Span]], Sequence[str]]
OUTVOTED = 0.1  # what an incorrect span counts that other rules outvote, against one that is given
_LAST = 10_000  # the place in the order of a tag that no rule names yet
_VOTE = 2 * _LAST  # a vote goes before all order
Small = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(eq=False)
class Votes:
    """The state that a search changes. `votes` [places, tags]: B of each slot, then I of each, then O; `order` [tags]:
    the place of each tag among those that rules name; `stronger` [slots, slots]: whether the first silences the
    second; `found`: spans given now, by place: first place (-1: none), number of words, slot, whether annotated."""

    row: WordRow
    slots: tuple[str, ...]
    gold: SpanRow
    votes: Small
    order: Integers
    stronger: Bools
    longest: bool
    divide: Divide
    readings: dict[int, set[Span]]
    start: Integers
    length: Integers
    slot: Integers
    right: Bools
    # [places]: the two slots with most votes of a word, and how many; and those that have a vote at all
    first: Integers
    first_votes: Integers
    second: Integers
    second_votes: Integers

    def refresh(self, places: Integers) -> None:
        """Find the slots with most votes of some places anew."""
        many = len(self.slots)
        tags = self.votes[places]
        some = tags.any(axis=1)
        self.first[places[~some]], self.second[places[~some]] = many, many
        self.first_votes[places[~some]], self.second_votes[places[~some]] = -1, -1
        places, tags = places[some], tags[some].astype(np.int64)
        if not len(places):
            return
        if self.longest:  # I goes before B, and both before O
            tags[:, :many] *= tags[:, many : 2 * many] == 0
            tags[:, -1] *= ~tags[:, : 2 * many].any(axis=1)
        voted = tags[:, : 2 * many] > 0
        tag_scores = np.where(voted, tags[:, : 2 * many] * _VOTE - self.order, -1)
        by_slot = np.maximum(tag_scores[:, :many], tag_scores[:, many:])
        if self.stronger.any():
            silent = (by_slot >= 0).astype(np.float32) @ self.stronger.astype(np.float32) > 0
            by_slot[silent] = -1
        # O goes first of equal ones, then the tags in their order.
        outside = np.where(tags[:, -1:] > 0, tags[:, -1:] * _VOTE + 1, -1)
        scores = np.concatenate([by_slot, outside], axis=1)
        rows = np.arange(len(places))
        self.first[places] = scores.argmax(axis=1)
        self.first_votes[places] = scores.max(axis=1)
        scores[rows, scores.argmax(axis=1)] = -1
        self.second[places] = scores.argmax(axis=1)
        self.second_votes[places] = scores.max(axis=1)

    def worth(self, claims: Claims) -> tuple[Floats, Floats]:
        """What each claim would fix and break if it were made alone. [claims] each."""
        many = len(self.slots)
        all_win = np.ones(len(claims), dtype=np.bool_)
        some_win = np.zeros(len(claims), dtype=np.bool_)
        lost_right = np.zeros(len(claims), dtype=np.int64)
        lost_wrong = np.zeros(len(claims), dtype=np.bool_)
        covered = np.zeros(len(claims), dtype=np.bool_)
        seen = np.full(len(claims), -1, dtype=np.int64)
        for step in range(min(LONGEST_VALUE, int(claims.length.max(initial=0)))):
            at = np.flatnonzero(claims.length > step)
            place, slot = claims.start[at] + step, claims.slot[at]
            begins = (self.votes[place, slot].astype(np.int64) + (step == 0)) * _VOTE - self.order[slot]
            inside = (self.votes[place, slot + many].astype(np.int64) + (step > 0)) * _VOTE - self.order[slot + many]
            score = np.maximum(begins, inside)
            other = np.where(self.first[place] == slot, self.second_votes[place], self.first_votes[place])
            who = np.where(self.first[place] == slot, self.second[place], self.first[place])
            wins = score > other
            if self.stronger.any():
                real, held = who < many, np.minimum(who, many - 1)
                wins &= ~(real & (other >= 0) & self.stronger[held, slot])
                wins |= real & self.stronger[slot, held]
            all_win[at] &= wins
            some_win[at] |= wins
            here = self.start[place]
            new = wins & (here >= 0) & (here != seen[at])
            same = (here == claims.start[at]) & (self.length[place] == claims.length[at]) & (self.slot[place] == slot)
            lost_right[at] += new & self.right[place] & ~same
            lost_wrong[at] |= new & ~self.right[place] & ~same
            longer = (self.slot[place] == slot) & (here >= 0) & (self.length[place] > claims.length[at])
            covered[at] |= longer & (step == 0) & (here + self.length[place] >= claims.start[at] + claims.length[at])
            covered[at] |= same
            seen[at] = np.where(here >= 0, here, seen[at])
        gives = some_win & ~covered
        fixed = gives & all_win & claims.gold
        broken = np.where(gives, (~fixed & ~lost_wrong) + lost_right, OUTVOTED * (~some_win & ~claims.gold & ~covered))
        return fixed.astype(np.float64), broken.astype(np.float64)

    def add(self, claims: Claims) -> None:
        """Give each word one vote more for each tag that some claim of a rule gives it."""
        many, tags = len(self.slots), self.votes.shape[1]
        cells = [claims.start * tags + claims.slot]
        for step in range(1, int(claims.length.max(initial=0))):
            at = claims.length > step
            cells.append((claims.start[at] + step) * tags + claims.slot[at] + many)
        cell = np.unique(np.concatenate(cells))
        flat = self.votes.reshape(-1)
        flat[cell] = np.minimum(flat[cell], 254) + 1
        named = np.unique(cell % tags)
        for tag in named[self.order[named] == _LAST].tolist():
            self.order[tag] = int(self.order[self.order < _LAST].max(initial=-1)) + 1
        texts = self.row.text[claims.start].tolist()
        names = self.slots
        for text, start, length, slot in zip(
            texts, claims.start.tolist(), claims.length.tolist(), claims.slot.tolist(), strict=True
        ):
            self.readings.setdefault(text, set()).add(Span(start, start + length, names[slot]))
        wanted = np.zeros(self.row.texts, dtype=np.bool_)
        wanted[np.unique(self.row.text[claims.start])] = True
        self.decide(wanted)

    def decide(self, texts: Bools) -> None:
        """Find the spans of some texts anew."""
        places = np.flatnonzero(self.row.places_of(texts))
        self.refresh(places)
        many = len(self.slots)
        slot = np.where(self.first_votes[places] >= 0, self.first[places], many)
        held = np.minimum(slot, many - 1)
        begins, inside = self.votes[places, held], self.votes[places, held + many]
        is_inside = (inside > 0) if self.longest else (inside > begins)
        tags = self.votes[places]
        several = ((tags[:, :many] > 0) & (tags[:, many : 2 * many] > 0)).any(axis=1)
        own = slot < many
        before = np.append(many, slot[:-1])
        opens = own & ~(is_inside & (before == slot))
        number = np.cumsum(opens) - 1
        first = np.flatnonzero(opens)
        size = np.bincount(number[own], minlength=len(first)) if len(first) else np.zeros(0, dtype=np.int64)
        self.start[places], self.right[places] = -1, False
        self.start[places[own]] = places[first][number[own]]
        self.length[places[own]] = size[number[own]]
        self.slot[places[own]] = slot[own]
        for text in np.unique(self.row.text[places[several & own]]).tolist():
            self._divide(text)
        self._tally(places)

    def _divide(self, text: int) -> None:
        begin = int(self.row.begins[text])
        end = int(self.row.begins[text + 1]) - 4 if text + 1 < self.row.texts else len(self.row) - 2
        tags = []
        for place in range(begin, end):
            if self.start[place] < 0:
                tags.append(OUTSIDE)
            else:
                tags.append(f"{'B' if self.start[place] == place else 'I'}-{self.slots[self.slot[place]]}")
        moved = [Span(s.start - begin, s.end - begin, s.slot) for s in self.readings.get(text, ())]
        found = self.divide(tags, moved)
        self.start[begin:end] = -1
        number = {name: place for place, name in enumerate(self.slots)}
        for span in token_spans(found):
            own = slice(begin + span.start, begin + span.end)
            self.start[own], self.length[own] = begin + span.start, span.end - span.start
            self.slot[own] = number[span.slot]

    def _tally(self, places: Integers) -> None:
        held = places[self.start[places] >= 0]
        start = self.start[held]
        self.right[held] = (
            (self.gold_start[held] == start)
            & (self.gold_length[held] == self.length[held])
            & (self.gold_slot[held] == self.slot[held])
        )

    def __post_init__(self) -> None:
        places = len(self.row)
        self.gold_start = np.full(places, -1, dtype=np.int64)
        self.gold_length, self.gold_slot = np.zeros(places, dtype=np.int64), np.zeros(places, dtype=np.int64)
        for step in range(int(self.gold.length.max(initial=0))):
            at = self.gold.length > step
            place = self.gold.start[at] + step
            self.gold_start[place] = self.gold.start[at]
            self.gold_length[place], self.gold_slot[place] = self.gold.length[at], self.gold.slot[at]

    def copied(self) -> Votes:
        """The same state, which changes apart from this one."""
        state = (
            "votes",
            "order",
            "start",
            "length",
            "slot",
            "right",
            "first",
            "first_votes",
            "second",
            "second_votes",
        )
        readings = {text: set(spans) for text, spans in self.readings.items()}
        return replace(self, readings=readings, **{name: getattr(self, name).copy() for name in state})

    def spans_now(self) -> tuple[Bools, Bools]:
        """[places]: whether a span begins there that is given, and one that is given and annotated."""
        begins = self.start == np.arange(len(self.row))
        return begins, begins & self.right


def new_votes(
    row: WordRow,
    slots: Sequence[str],
    gold: SpanRow,
    *,
    longest: bool,
    divide: Divide,
    named: Sequence[str] = (),
    priorities: Sequence[tuple[str, str]] = (),
) -> Votes:
    """No vote at all. `named`: the tags that rules name, in their order."""
    many, places = len(slots), len(row)
    stronger = np.zeros((many, many), dtype=np.bool_)
    for strong, weak in priorities:
        if strong in slots and weak in slots:
            stronger[slots.index(strong), slots.index(weak)] = True

    def none(value: int = -1) -> Integers:
        return np.full(places, value, dtype=np.int64)

    known = {tag: place for place, tag in enumerate(named)}
    order = np.asarray([known.get(f"{prefix}-{slot}", _LAST) for prefix in "BI" for slot in slots], dtype=np.int64)
    return Votes(
        row,
        tuple(slots),
        gold,
        np.zeros((places, 2 * many + 1), dtype=np.uint8),
        order,
        stronger,
        longest,
        divide,
        {},
        none(),
        none(0),
        none(0),
        none(0) > 0,
        none(0),
        none(),
        none(0),
        none(),
    )
