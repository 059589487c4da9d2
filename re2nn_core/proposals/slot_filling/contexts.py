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

from re2nn_core.proposals.slot_filling.claims import LONGEST_ANY, PATTERN_KINDS, ClaimKind, Claims, joined
from re2nn_core.proposals.slot_filling.word_row import NONE, Bools, Integers, SpanRow, WordRow, each_number_once

FURTHEST = 12  # words in front of a value among which one is looked for
LEAST_EARLIER = 3  # spans that such a word must be in front of
MANY_TEXTS, LEAST_OF_MANY = 2000, 2  # from so many texts on, a context must stand around so many spans
LEAST_SHARE, LEAST_SHARE_ANY = 0.1, 0.25  # of the claims of an alternative that must be right
_BITS = 40  # of the number of an alternative: for the words around, or the value


class ContextShape(IntEnum):
    """Where a rule looks around a value."""

    ALONE = 0
    LEFT = 1
    LEFT_TWO = 2
    RIGHT = 3
    AROUND = 4
    EARLIER = 5


_SHAPES: dict[ClaimKind, tuple[ContextShape, ...]] = {
    ClaimKind.OWN: tuple(ContextShape),
    ClaimKind.SHARED: (
        ContextShape.LEFT,
        ContextShape.LEFT_TWO,
        ContextShape.RIGHT,
        ContextShape.AROUND,
        ContextShape.EARLIER,
    ),
    ClaimKind.PATTERN: (ContextShape.ALONE,),
    ClaimKind.WORDS: (ContextShape.ALONE, ContextShape.LEFT, ContextShape.RIGHT),
    ClaimKind.NEW: (ContextShape.LEFT, ContextShape.LEFT_TWO, ContextShape.RIGHT, ContextShape.AROUND),
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
        for shape in (ContextShape.LEFT, ContextShape.LEFT_TWO, ContextShape.AROUND, ContextShape.RIGHT):
            key = _key(row, shape, starts, length)
            gold_key = _key(row, shape, gold.start[own], length)
            pairs, counts = np.unique(gold_key * slots + gold.slot[own], return_counts=True)
            known, held = np.unique(key, return_counts=True)
            share = counts / np.maximum(held[np.minimum(np.searchsorted(known, pairs // slots), len(held) - 1)], 1)
            pairs = pairs[(counts >= 2) & (share >= LEAST_SHARE_ANY)]
            begin = np.searchsorted(pairs // slots, key, side="left")
            sizes = np.searchsorted(pairs // slots, key, side="right") - begin
            owner = np.repeat(np.arange(len(starts)), sizes)
            within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            slot = pairs[begin[owner] + within] % slots
            ones = np.ones(len(owner), dtype=np.int64)
            yes, no = ones > 0, ones < 0
            parts.append(Claims(ones * ClaimKind.ANY, starts[owner], ones * length, slot, ones * length, yes, no))
            shapes.append(ones * shape)
            keys.append(key[owner])
    return joined(parts), np.concatenate(shapes), np.concatenate(keys)


def _key(row: WordRow, shape: ContextShape, starts: Integers, length: Integers | int) -> Integers:
    """The words around, as one number."""
    many = len(row.names)
    left, right = row.word[starts - 1], row.word[np.minimum(starts + length, len(row) - 1)]
    if shape == ContextShape.LEFT:
        return left
    if shape == ContextShape.RIGHT:
        return right
    if shape == ContextShape.LEFT_TWO:
        return row.word[starts - 2] * many + left
    if shape == ContextShape.AROUND:
        return left * many + right
    return np.zeros(len(starts), dtype=np.int64)


def find_alternatives(
    row: WordRow, claims: Claims, any_from: int, any_shape: Integers, any_key: Integers
) -> tuple[Alternatives, Claims]:
    """The alternatives that make at least one right claim, and the claims that some of them make. The claims from
    `any_from` on are those of any words, whose shapes and keys are given."""
    least = LEAST_OF_MANY if row.texts >= MANY_TEXTS else 1
    named, right = np.arange(any_from), np.flatnonzero(claims.gold[:any_from])
    owners, numbers, codes = [], [], []
    count = 0
    for shape in ContextShape:
        own_least = (
            1 if shape == ContextShape.ALONE else least if shape != ContextShape.EARLIER else max(least, LEAST_EARLIER)
        )
        known = _frequent([code for code, _ in _codes(row, claims, right, shape)], own_least)
        found = [_matching(known, code, claim) for code, claim in _codes(row, claims, named, shape)]
        any_own = np.flatnonzero(any_shape == shape)
        any_code = _code(claims, any_own + any_from, shape, any_key[any_own] * 4 + claims.length[any_own + any_from])
        any_known = _frequent([any_code[claims.gold[any_own + any_from]]], 1)
        for own, pairs in ((known, found), (any_known, [_matching(any_known, any_code, any_own + any_from)])):
            owner, claim = (np.concatenate(column) for column in zip(*pairs, strict=True))
            if shape == ContextShape.EARLIER:  # the same word may stand twice in front
                both = each_number_once(claim * max(1, len(own)) + owner)
                claim, owner = both // max(1, len(own)), both % max(1, len(own))
            kept, owner, claim = _distinctive(len(own), owner, claim, claims)
            owners.append(owner + count)
            numbers.append(claim)
            codes.append(own[kept])
            count += len(codes[-1])
    used, claim = np.unique(np.concatenate(numbers), return_inverse=True)
    return _alternatives(np.concatenate(codes), np.concatenate(owners), claim), claims.taken(used)


def _distinctive(count: int, owner: Integers, claim: Integers, claims: Claims) -> tuple[Bools, Integers, Integers]:
    """Whether each alternative is kept: enough of its claims are right; and its claims, of those that are."""
    every = np.bincount(owner, minlength=count)
    kept = np.bincount(owner, claims.gold[claim], minlength=count) >= LEAST_SHARE * np.maximum(every, 1)
    number = np.cumsum(kept) - 1
    of_kept = kept[owner]
    return kept, number[owner[of_kept]], claim[of_kept]


def _alternatives(codes: Integers, owner: Integers, claim: Integers) -> Alternatives:
    prefix, rest = codes >> _BITS, codes & ((1 << _BITS) - 1)
    shape, kind = prefix % len(ContextShape), prefix // len(ContextShape) % len(ClaimKind)
    alone, of_any = shape == ContextShape.ALONE, kind == ClaimKind.ANY
    key = np.where(alone, 0, rest // 4)
    value = np.where(alone, rest, np.where(of_any, rest % 4, 0))
    # A word anywhere in front is a family of its own: claims have many of them, and would count many times. So are
    # first words of patterns, last ones, and all but one.
    own = np.where(
        shape == ContextShape.EARLIER, key + 1, np.where(kind == ClaimKind.PATTERN, value % PATTERN_KINDS, 0)
    )
    base = int(own.max(initial=0)) + 1
    families, family = np.unique(prefix * base + own, return_inverse=True)
    families = families // base
    return Alternatives(
        family=family.astype(np.int64),
        key=key,
        value=value,
        slot=families // len(ContextShape) // len(ClaimKind),
        kind=families // len(ContextShape) % len(ClaimKind),
        shape=families % len(ContextShape),
        owner=owner,
        claim=claim.astype(np.int64),
    )


def _code(claims: Claims, which: Integers, shape: ContextShape, rest: Integers) -> Integers:
    """One number for each alternative: slot, kind and shape, then the words around or the value."""
    prefix = (claims.slot[which] * len(ClaimKind) + claims.kind[which]) * len(ContextShape) + shape
    return (prefix << _BITS) + rest


def _frequent(codes: list[Integers], least: int) -> Integers:
    known, counts = np.unique(np.concatenate(codes), return_counts=True)
    return known[counts >= least]


def _matching(known: Integers, code: Integers, claim: Integers) -> tuple[Integers, Integers]:
    """The places of codes among the known ones, and their claims; without those that are not known."""
    if not len(known):
        return claim[:0], claim[:0]
    at = np.searchsorted(known, code)
    at[at == len(known)] = 0
    same = known[at] == code
    return at[same], claim[same]


def _codes(row: WordRow, claims: Claims, which: Integers, shape: ContextShape) -> Iterator[tuple[Integers, Integers]]:
    """(code, claim) of each of these claims in a shape, where its kind may have it."""
    kinds = [kind for kind, shapes in _SHAPES.items() if shape in shapes]
    own = which[np.isin(claims.kind[which], kinds)]
    if shape == ContextShape.ALONE:
        yield _code(claims, own, shape, claims.value[own]), own
    elif shape == ContextShape.EARLIER:
        begins = row.begins[row.text[claims.start[own]]]
        for step in range(2, FURTHEST + 1):
            inside = claims.start[own] - step >= begins
            held = own[inside]
            yield _code(claims, held, shape, row.word[claims.start[held] - step] * 4), held
    else:
        if shape == ContextShape.LEFT_TWO:
            own = own[row.word[claims.start[own] - 2] > NONE]
        yield _code(claims, own, shape, _key(row, shape, claims.start[own], claims.length[own]) * 4), own
