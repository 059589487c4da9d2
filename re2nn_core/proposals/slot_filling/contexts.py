"""What stands around a possible span, as the alternatives that a rule may be made of.

    ALONE     $* [ value ]<s> $*             one alternative for each value
    LEFT      $* a [ value ]<s> $*           one for each word in front, BOS being one
    LEFT_TWO  $* a b [ value ]<s> $*
    RIGHT     $* [ value ]<s> c $*           one for each word behind, EOS being one
    AROUND    $* a [ value ]<s> c $*
    EARLIER   $* a $* [ value ]<s> $*        one for each word anywhere in front

The alternatives of one shape for one slot and one kind of value are a family. One rule is made of a family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from re2nn_core.proposals.slot_filling.claims import LONGEST_ANY, Claims, Kind, joined
from re2nn_core.proposals.slot_filling.word_row import NONE, Integers, SpanRow, WordRow

FURTHEST = 12  # words in front of a value among which one is looked for


class Shape(IntEnum):
    """Where a rule looks around a value."""

    ALONE = 0
    LEFT = 1
    LEFT_TWO = 2
    RIGHT = 3
    AROUND = 4
    EARLIER = 5


_SHAPES: dict[Kind, tuple[Shape, ...]] = {
    Kind.OWN: tuple(Shape),
    Kind.SHARED: (Shape.LEFT, Shape.LEFT_TWO, Shape.RIGHT, Shape.AROUND, Shape.EARLIER),
    Kind.PATTERN: (Shape.ALONE,),
    Kind.WORDS: (Shape.ALONE, Shape.LEFT, Shape.RIGHT),
}


@dataclass(frozen=True, eq=False)
class Alternatives:
    """All alternatives. `family`, `key` and `value` [alternatives]: which family each belongs to, its words around as
    one number, and the value (ALONE, PATTERN) or number of words (ANY) that it is about; `slot`, `kind`, `shape`
    [families]; `owner` and `claim` [entries]: each alternative with each claim that it would make."""

    family: Integers
    key: Integers
    value: Integers
    slot: Integers
    kind: Integers
    shape: Integers
    owner: Integers
    claim: Integers

    def __len__(self) -> int:
        return len(self.family)

    @property
    def families(self) -> int:
        return len(self.slot)


def find_any(row: WordRow, gold: SpanRow, slots: int) -> tuple[Claims, Integers, Integers]:
    """Claims of any words in contexts that two spans of a slot have, with the shape and the key of each."""
    parts, shapes, keys = [], [], []
    for length in range(1, LONGEST_ANY + 1):
        own = gold.length == length
        starts = np.flatnonzero(row.whole(np.arange(len(row)), length))
        for shape in (Shape.LEFT, Shape.LEFT_TWO, Shape.AROUND, Shape.RIGHT):
            key = _key(row, shape, starts, length)
            gold_key = _key(row, shape, gold.start[own], length)
            pairs, counts = np.unique(gold_key * slots + gold.slot[own], return_counts=True)
            pairs = pairs[counts >= 2]
            begin = np.searchsorted(pairs // slots, key, side="left")
            sizes = np.searchsorted(pairs // slots, key, side="right") - begin
            owner = np.repeat(np.arange(len(starts)), sizes)
            within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            slot = pairs[begin[owner] + within] % slots
            ones = np.ones(len(owner), dtype=np.int64)
            yes, no = ones > 0, ones < 0
            parts.append(Claims(ones * Kind.ANY, starts[owner], ones * length, slot, ones * length, yes, no))
            shapes.append(ones * shape)
            keys.append(key[owner])
    return joined(parts), np.concatenate(shapes), np.concatenate(keys)


def _key(row: WordRow, shape: Shape, starts: Integers, length: Integers | int) -> Integers:
    """The words around, as one number."""
    many = len(row.names)
    left, right = row.word[starts - 1], row.word[np.minimum(starts + length, len(row) - 1)]
    if shape == Shape.LEFT:
        return left
    if shape == Shape.RIGHT:
        return right
    if shape == Shape.LEFT_TWO:
        return row.word[starts - 2] * many + left
    if shape == Shape.AROUND:
        return left * many + right
    return np.zeros(len(starts), dtype=np.int64)


def find_alternatives(
    row: WordRow, claims: Claims, any_from: int, any_shape: Integers, any_key: Integers
) -> Alternatives:
    """The alternatives that make at least one right claim. The claims from `any_from` on are those of any words, whose
    shapes and keys are given."""
    parts = list(_entries(row, claims.taken(slice(0, any_from))))  # type: ignore[arg-type]
    numbers = np.arange(any_from, len(claims))
    parts.append((any_shape, any_key, claims.length[any_from:], numbers))
    shape, key, value, claim = (np.concatenate(column) for column in zip(*parts, strict=True))
    kinds, shapes = len(Kind), len(Shape)
    # A word anywhere in front is a family of its own: claims have many of them, and would count many times. So are
    # first words of patterns, and last ones.
    own_key = np.where(shape == Shape.EARLIER, key + 1, np.where(claims.kind[claim] == Kind.PATTERN, value % 2, 0))
    base = int(own_key.max(initial=0)) + 1
    family_code = ((claims.slot[claim] * kinds + claims.kind[claim]) * shapes + shape) * base + own_key
    families, family = np.unique(family_code, return_inverse=True)
    families = families // base
    # One number for each alternative, in two steps so that it stays small.
    words, key_number = np.unique(key, return_inverse=True)
    most = int(value.max(initial=0)) + 1
    code = (family * len(words) + key_number) * most + value
    codes, owner = np.unique(code, return_inverse=True)
    right = np.bincount(owner, claims.gold[claim], minlength=len(codes)) > 0
    number = np.cumsum(right) - 1
    kept = right[owner]
    codes = codes[right]
    return Alternatives(
        family=(codes // most // len(words)).astype(np.int64),
        key=words[codes // most % len(words)],
        value=(codes % most).astype(np.int64),
        slot=families // shapes // kinds,
        kind=families // shapes % kinds,
        shape=families % shapes,
        owner=number[owner[kept]].astype(np.int64),
        claim=claim[kept],
    )


def _entries(row: WordRow, claims: Claims) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
    """(shape, key, value, claim) of each claim in each shape that its kind may have."""
    for shape in Shape:
        kinds = [kind for kind, shapes in _SHAPES.items() if shape in shapes]
        own = np.flatnonzero(np.isin(claims.kind, kinds))
        zero = np.zeros(len(own), dtype=np.int64)
        if shape == Shape.ALONE:
            yield zero + shape, zero, claims.value[own], own
        elif shape == Shape.EARLIER:
            yield from _earlier(row, claims, own)
        else:
            key = _key(row, shape, claims.start[own], claims.length[own])
            real = np.ones(len(own), dtype=np.bool_)
            if shape == Shape.LEFT_TWO:
                real = row.word[claims.start[own] - 2] > NONE
            yield zero[real] + shape, key[real], zero[real], own[real]


def _earlier(row: WordRow, claims: Claims, own: Integers) -> Iterator[tuple[Integers, Integers, Integers, Integers]]:
    """A word somewhere in front, but not right in front; the nearest of equal ones alone."""
    keys, owners = [], []
    begins = row.begins[row.text[claims.start[own]]]
    for step in range(2, FURTHEST + 1):
        place = claims.start[own] - step
        inside = place >= begins
        keys.append(row.word[place[inside]])
        owners.append(own[inside])
    key, owner = np.concatenate(keys), np.concatenate(owners)
    pairs = np.unique(owner * len(row.names) + key)
    owner, key = pairs // len(row.names), pairs % len(row.names)
    zero = np.zeros(len(key), dtype=np.int64)
    yield zero + Shape.EARLIER, key, zero, owner
