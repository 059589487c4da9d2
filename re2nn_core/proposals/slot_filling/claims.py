"""Places where a rule could give a span: which words stand there, for which slot, and what would make them its value.

OWN        words that fill the slot somewhere
SHARED     words that fill a slot like it somewhere: cities, wherever one travels to or from
ANY        so many words, whatever they are
PATTERN    the first or the last word of spans of the slot, with any words behind or in front; or all words but one
WORDS      words in a row that each stand mostly inside spans of the slot
NEW        words in a row that stand nowhere else: any words but those that are known outside of such spans
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from re2nn_core.proposals.slot_filling.word_row import Bools, Integers, SpanRow, WordRow, each_number_once

LONGEST_VALUE = 6
LONGEST_ANY = 3
LONGEST_PATTERN = 3
LONGEST_WITH_GAP = 4  # words of a pattern of which one may be any word
LEAST_INSIDE = 0.6  # of the places of a word that stand inside spans of the slot
MOST_EXCEPTED = 500  # words that any words are told from
LIKE = 0.3  # of the spans of a slot whose words fill another one too, for the two to be alike


PATTERN_KINDS = 3  # by what they name: the first word, the last, all but one


class ClaimKind(IntEnum):
    """What makes words a value."""

    OWN = 0
    SHARED = 1
    ANY = 2
    PATTERN = 3
    WORDS = 4
    NEW = 5


@dataclass(frozen=True, eq=False)
class Claims:
    """Possible spans. `value`: its number among all values, the number of words for ANY, and that of a
    Pattern for PATTERN; `unseen`: the texts of other folds alone make it a value;
    `gold`: it is annotated. [claims] each."""

    kind: Integers
    start: Integers
    length: Integers
    slot: Integers
    value: Integers
    unseen: Bools
    gold: Bools

    def __len__(self) -> int:
        return len(self.start)

    def taken(self, which: Bools | Integers) -> Claims:
        """Some of them."""
        return Claims(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class Values:
    """What fills slots. `of_span` [spans]: the value of each annotated span; `counts` [values, slots, folds]: how often
    it fills each, by pairs: `value` and `slot` [pairs], `count` [pairs, folds]; `starts` and `values` [occurrences]:
    all places where values stand; `length` [values], `first` [values]: one of their places."""

    of_span: Integers
    value: Integers
    slot: Integers
    count: Integers
    starts: Integers
    values: Integers
    length: Integers
    first: Integers


def joined(parts: Sequence[Claims]) -> Claims:
    """All claims in one table."""
    names = Claims.__dataclass_fields__
    return Claims(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def find_claims(row: WordRow, gold: SpanRow, slots: int, values: Values, groups: Integers, *, longest: bool) -> Claims:
    """Every place where a value of a slot stands. `groups` [slots]: the group of slots that are alike; `longest`: the
    longest span is taken, so that a repeat of words gives one span."""
    parts = [_own(row, values)]
    if len(np.unique(groups)) < slots:
        parts.append(_shared(row, values, groups, slots))
    parts += _patterns(row, gold, slots)
    parts += _runs(row, gold, slots) if longest else ()
    parts += _new_words(row, gold, slots)
    return joined(parts)


def find_values(row: WordRow, gold: SpanRow, slots: int) -> Values:
    """The words of the annotated spans, and where else they stand."""
    folds = int(row.fold.max(initial=0)) + 1
    of_span = np.full(len(gold), -1, dtype=np.int64)
    starts, values, lengths, firsts = [], [], [], []
    count = 0
    code = row.word.copy()
    for length in range(1, LONGEST_VALUE + 1):
        if length > 1:
            following = np.append(row.word[length - 1 :], np.zeros(length - 1, dtype=np.int64))
            code = np.unique(code * len(row.names) + following, return_inverse=True)[1].astype(np.int64)
        own = np.flatnonzero(gold.length == length)
        if not len(own):
            continue
        distinct, first, numbers = np.unique(code[gold.start[own]], return_index=True, return_inverse=True)
        of_span[own] = count + numbers
        number = np.full(int(code.max()) + 1, -1, dtype=np.int64)
        number[distinct] = count + np.arange(len(distinct))
        places = np.flatnonzero(number[code] >= 0)
        places = places[row.whole(places, length)]
        starts.append(places)
        values.append(number[code[places]])
        lengths.append(np.full(len(distinct), length, dtype=np.int64))
        firsts.append(gold.start[own][first])
        count += len(distinct)
    kept = of_span >= 0
    pairs, inverse = np.unique(of_span[kept] * slots + gold.slot[kept], return_inverse=True)
    cells = inverse * folds + row.fold[gold.start[kept]]
    counts = np.bincount(cells, minlength=len(pairs) * folds).reshape(-1, folds)
    every = np.concatenate(starts) if starts else np.zeros(0, dtype=np.int64)
    return Values(
        of_span,
        pairs // slots,
        pairs % slots,
        counts.astype(np.int64),
        every,
        np.concatenate(values) if values else every,
        np.concatenate(lengths) if lengths else every,
        np.concatenate(firsts) if firsts else every,
    )


def slot_groups(values: Values, slots: int) -> Integers:
    """[slots]: the group of each; two are in one where enough of the spans of both have words that fill the other."""
    totals = values.count.sum(axis=1)
    count = int(values.value.max(initial=-1)) + 1
    table = np.zeros((count, slots))
    table[values.value, values.slot] = totals
    shared = (table > 0).astype(np.float64).T @ table  # [a, b]: spans of b whose words fill a
    share = shared / np.maximum(table.sum(axis=0), 1)
    alike = (share >= LIKE) & (share.T >= LIKE)
    group = np.arange(slots)
    for a, b in zip(*np.nonzero(np.triu(alike, 1)), strict=True):
        group[group == group[b]] = group[a]
    return group.astype(np.int64)


def _pairs_of(values: Values, by_value: Integers, pairs: Integers) -> tuple[Integers, Integers]:
    """Each occurrence once with each of the pairs of its value: places among the occurrences, and among `pairs`, whose
    values `by_value` are in order."""
    begin = np.searchsorted(by_value, values.values, side="left")
    sizes = np.searchsorted(by_value, values.values, side="right") - begin
    owner = np.repeat(np.arange(len(values.values)), sizes)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return owner, pairs[begin[owner] + within]


def _own(row: WordRow, values: Values) -> Claims:
    at, pair = _pairs_of(values, values.value, np.arange(len(values.value)))
    starts = values.starts[at]
    elsewhere = values.count.sum(axis=1)[pair] - values.count[pair, row.fold[starts]]
    return _claims(
        ClaimKind.OWN, starts, values.length[values.values[at]], values.slot[pair], values.values[at], elsewhere
    )


def _shared(row: WordRow, values: Values, groups: Integers, slots: int) -> Claims:
    """Each value for each slot of its group, where the group has several slots."""
    folds = values.count.shape[1]
    code, inverse = np.unique(values.value * slots + groups[values.slot], return_inverse=True)
    counts = np.zeros((len(code), folds), dtype=np.int64)
    np.add.at(counts, inverse, values.count)
    members = [np.flatnonzero(groups == group) for group in range(slots)]
    sizes = np.asarray([len(members[group]) for group in code % slots], dtype=np.int64)
    several = sizes > 1
    code, counts, sizes = code[several], counts[several], sizes[several]
    of = np.repeat(np.arange(len(code)), sizes)
    slot = np.concatenate([members[group] for group in code % slots] or [np.zeros(0, dtype=np.int64)])
    at, pair = _pairs_of(values, code[of] // slots, np.arange(len(of)))
    starts = values.starts[at]
    elsewhere = counts.sum(axis=1)[of[pair]] - counts[of[pair], row.fold[starts]]
    return _claims(ClaimKind.SHARED, starts, values.length[values.values[at]], slot[pair], values.values[at], elsewhere)


def _claims(
    kind: ClaimKind, start: Integers, length: Integers, slot: Integers, value: Integers, elsewhere: Integers
) -> Claims:
    return Claims(
        np.full(len(start), kind, dtype=np.int64),
        start,
        length,
        slot.astype(np.int64),
        value,
        elsewhere > 0,
        np.zeros(len(start), dtype=np.bool_),
    )


def _patterns(row: WordRow, gold: SpanRow, slots: int) -> Iterator[Claims]:
    """Spans by some of their words, where two annotated ones of a slot have these."""
    for length in range(2, LONGEST_WITH_GAP + 1):
        every = np.flatnonzero(row.whole(np.arange(len(row)), length))
        own = gold.length == length
        for named in _named_words(length):
            code = np.zeros(len(row), dtype=np.int64)  # the words of the pattern that begins at a place, as one number
            for step in named:
                code[every] = code[every] * len(row.names) + row.word[every + step]
                code[every] = np.unique(code[every], return_inverse=True)[1]
            pairs, counts = np.unique(code[gold.start[own]] * slots + gold.slot[own], return_counts=True)
            pairs = pairs[counts >= 2]
            codes = pairs // slots
            begin = np.searchsorted(codes, code[every], side="left")
            sizes = np.searchsorted(codes, code[every], side="right") - begin
            owner = np.repeat(np.arange(len(every)), sizes)
            within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            pair = pairs[begin[owner] + within]
            starts = every[owner]
            known, first = np.unique(code[every], return_index=True)
            place = every[first[np.searchsorted(known, code[starts])]]
            ones = np.ones(len(starts), dtype=np.int64)
            value = Pattern.codes(place, length, named)
            yield _claims(ClaimKind.PATTERN, starts, ones * length, pair % slots, value, ones)


def _named_words(length: int) -> list[tuple[int, ...]]:
    """Which words of so many a pattern may name: the first, the last, or all but one."""
    every = tuple(range(length))
    ends = [every[:1], every[-1:]] if length <= LONGEST_PATTERN else []
    return ends + [every[:gap] + every[gap + 1 :] for gap in every] * (length > 2)


@dataclass(frozen=True)
class Pattern:
    """A place where a pattern stands, its number of words, and which of them it names."""

    place: int
    length: int
    named: tuple[int, ...]

    @staticmethod
    def codes(places: Integers, length: int, named: tuple[int, ...]) -> Integers:
        """The values of patterns. [places]."""
        kind = 2 if len(named) > 1 else int(named[0] > 0)
        return ((places * 8 + length) * 32 + sum(1 << step for step in named)) * PATTERN_KINDS + kind

    @classmethod
    def of(cls, value: int) -> Pattern:
        """The pattern of a value."""
        rest, named = divmod(value // PATTERN_KINDS, 32)
        place, length = divmod(rest, 8)
        return cls(place, length, tuple(step for step in range(length) if named >> step & 1))


def words_inside(row: WordRow, gold: SpanRow, slots: int) -> tuple[Integers, Integers, Integers, Integers]:
    """Pairs of a word and a slot that it stands inside: word, slot, and by fold how often inside [pairs, folds], and
    how often the word stands anywhere [words, folds]."""
    folds = int(row.fold.max(initial=0)) + 1
    owner = np.repeat(np.arange(len(gold)), gold.length)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(gold.length) - gold.length, gold.length)
    places = gold.start[owner] + within
    pairs, inverse = np.unique(row.word[places] * slots + gold.slot[owner], return_inverse=True)
    inside = np.bincount(inverse * folds + row.fold[places], minlength=len(pairs) * folds).reshape(-1, folds)
    anywhere = np.bincount(row.word * folds + row.fold, minlength=len(row.names) * folds).reshape(-1, folds)
    return pairs // slots, pairs % slots, inside.astype(np.int64), anywhere.astype(np.int64)


def telling(inside: Integers, anywhere: Integers) -> Bools:
    """Whether a word stands mostly inside spans of a slot. [words]."""
    return (inside >= 1) & (inside >= LEAST_INSIDE * anywhere)


def known_elsewhere(inside: Integers, anywhere: Integers, least: int) -> Bools:
    """Whether words stand outside of spans of a slot, at least so often, and mostly there. [words]."""
    return (anywhere - inside >= least) & (2 * inside < anywhere)


def least_elsewhere(anywhere: Integers) -> int:
    """How often a word must stand elsewhere to be left out, so that not too many are; `anywhere` [words, folds]."""
    return max(1, int(np.sort(anywhere.sum(axis=1))[-MOST_EXCEPTED:][0]))


def _new_words(row: WordRow, gold: SpanRow, slots: int) -> Iterator[Claims]:
    """Words in a row that the texts of the other folds have inside spans of the slot, or not at all."""
    if not len(gold):
        return
    word, slot, inside, anywhere = words_inside(row, gold, slots)
    others = anywhere.sum(axis=1, keepdims=True) - anywhere  # [words, folds]
    here = row.inside[1:] > row.inside[:-1]
    least = least_elsewhere(anywhere)
    unknown = np.flatnonzero((others[row.word, row.fold] < least) & here)
    every = (np.arange(slots)[:, None] * len(row) + unknown).ravel()
    known = known_elsewhere(inside.sum(axis=1, keepdims=True) - inside, others[word], least)
    place, pair = _places_of_pairs(row, word)
    kept = ~known[pair, row.fold[place]]
    yield from _in_a_row(
        row, each_number_once(np.concatenate([every, slot[pair[kept]] * len(row) + place[kept]])), ClaimKind.NEW
    )


def _places_of_pairs(row: WordRow, word: Integers) -> tuple[Integers, Integers]:
    """Each place of the row with each of the pairs of its word; `word` [pairs] is in order."""
    begin = np.searchsorted(word, row.word, side="left")
    sizes = np.searchsorted(word, row.word, side="right") - begin
    place = np.repeat(np.arange(len(row)), sizes)
    within = np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, begin[place] + within


def _in_a_row(row: WordRow, key: Integers, kind: ClaimKind) -> Iterator[Claims]:
    """Claims of neighbouring places; `key`: slot * places + place, in order."""
    if not len(key):
        return
    apart = np.flatnonzero(np.diff(key) != 1) + 1
    first, last = np.append(0, apart), np.append(apart, len(key)) - 1
    starts, length = key[first] % len(row), last - first + 1
    short = length <= LONGEST_VALUE
    ones = np.ones(int(short.sum()), dtype=np.int64)
    yield _claims(kind, starts[short], length[short], key[first[short]] // len(row), ones * 0, ones)


def _runs(row: WordRow, gold: SpanRow, slots: int) -> Iterator[Claims]:
    """Words in a row that each stand mostly inside spans of the slot in the texts of the other folds."""
    if not len(gold):
        return
    word, slot, inside, anywhere = words_inside(row, gold, slots)
    left = inside.sum(axis=1, keepdims=True) - inside
    tells = telling(left, (anywhere.sum(axis=1, keepdims=True) - anywhere)[word])  # [pairs, folds]
    place, pair = _places_of_pairs(row, word)
    kept = tells[pair, row.fold[place]]
    yield from _in_a_row(row, np.sort(slot[pair[kept]] * len(row) + place[kept]), ClaimKind.WORDS)
