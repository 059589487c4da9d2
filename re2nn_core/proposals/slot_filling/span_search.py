"""Rules for slots found greedily and evaluated out-of-fold: of each family of alternatives those that are worth having.

Texts are cut into folds. An alternative counts in a fold only if the texts of the other folds alone would have proposed
it: its value fills the slot there, and it fixes more spans there than it breaks. What a rule fixes and breaks in such
folds, summed, is what it does to spans that it was not made from. The best rule is taken, its votes are counted, and
what is left is evaluated anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.slot_filling.claims import ClaimKind, Claims, find_claims, find_values, joined, slot_groups
from re2nn_core.proposals.slot_filling.contexts import Alternatives, ContextShape, find_alternatives, find_any
from re2nn_core.proposals.slot_filling.rule_tree import RuleMaterial
from re2nn_core.proposals.slot_filling.votes import Votes
from re2nn_core.proposals.slot_filling.word_row import Bools, Integers, SpanRow, WordRow, span_keys

CHANCE = 0.25  # standard deviations of the gain that are taken off
LEAST_GAIN = 0.5
# Spans that an alternative must fix, and the share of what it changes that they must be.
WAYS = ((1, 0.34), (1, 0.5), (1, 0.67), (2, 0.5), (2, 0.7))
COST = 0.4  # what a broken span counts, against one that is fixed
MADE_FROM = 0.3  # what a span that a rule was made from counts, against one that it was not
# What a rule of a shape, or with values of a kind, must fix more than a simple one.
SHAPE_PRICE = {ContextShape.ALONE: 0.0, ContextShape.LEFT: 0.25, ContextShape.RIGHT: 0.25}
KIND_PRICE = {ClaimKind.OWN: 0.0, ClaimKind.SHARED: 0.0}
OTHER_PRICE = 0.5
MOST_CONTEXTS = 12
MOST_VALUES = 300
Floats = NDArray[np.float64]


def find_material(row: WordRow, gold: SpanRow, slots: tuple[str, ...], *, longest: bool) -> tuple[RuleMaterial, Claims]:
    """All that rules may be made of, and the spans that it would give."""
    values = find_values(row, gold, len(slots))
    groups = slot_groups(values, len(slots))
    named = find_claims(row, gold, len(slots), values, groups, longest=longest)
    any_words, shape, key = find_any(row, gold, len(slots))
    claims = joined([named, any_words])
    keys = span_keys(claims.start, claims.length, claims.slot, len(slots))
    claims = replace(claims, gold=np.isin(keys, gold.keys(len(slots))))
    alternatives, claims = find_alternatives(row, claims, len(named), shape, key)
    return RuleMaterial(row, gold, slots, values, groups, alternatives), claims


@dataclass(frozen=True, eq=False)
class FoundRule:
    """A rule worth having: alternatives of one family, the spans that it fixes and breaks out-of-fold."""

    family: int
    alternatives: Integers
    fixed: int
    broken: int


@dataclass(eq=False)
class SpanSearch:
    """What a search goes through; `votes` changes with every rule that it takes."""

    claims: Claims
    alternatives: Alternatives
    votes: Votes
    folds: int
    wanted: Bools  # [slots]
    banned: set[tuple[int, int]] = field(default_factory=set)
    taken: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))  # [alternatives]

    def __post_init__(self) -> None:
        alternatives, claims = self.alternatives, self.claims
        row = self.votes.row
        self.taken = np.zeros(len(alternatives), dtype=np.bool_)
        self._fold = row.fold[claims.start]
        self._text = row.text[claims.start]
        kind = alternatives.kind[alternatives.family]
        self._seen_anyway = np.isin(alternatives.shape[alternatives.family], [ContextShape.ALONE]) & (
            kind != ClaimKind.WORDS
        )
        self._seen_anyway |= kind == ClaimKind.ANY
        # An entry counts where its value is one for the other folds; of values alone all do.
        self._counts = self._seen_anyway[alternatives.owner] | claims.unseen[alternatives.claim]
        alone = (alternatives.shape == ContextShape.ALONE)[alternatives.family[alternatives.owner]]
        inside = _inside_longer(claims, len(self.votes.slots))
        self._counts &= ~(alone & inside[alternatives.claim])
        self._cell = alternatives.owner * self.folds + self._fold[alternatives.claim]
        shapes = [SHAPE_PRICE.get(ContextShape(shape), OTHER_PRICE) for shape in alternatives.shape]
        kinds = [KIND_PRICE.get(ClaimKind(kind), OTHER_PRICE) for kind in alternatives.kind]
        self._prices = np.asarray(shapes) + np.asarray(kinds)
        every = np.arange(len(claims))
        self._fixed, self._broken = np.zeros(len(every)), np.zeros(len(every))
        self._update(every)

    def _update(self, which: Integers) -> None:
        fixed, broken = self.votes.worth(self.claims.taken(which))
        self._fixed[which], self._broken[which] = fixed, broken

    def run(self, *, most: int) -> Iterator[FoundRule]:
        """Rules, the one that gains most out-of-fold first."""
        taken = 0
        while taken < most:
            found = self._next()
            if found is None:
                return
            taken += 1
            yield found

    def _next(self) -> FoundRule | None:
        alternatives = self.alternatives
        fixed, broken = self._by_fold()
        fixed[self.taken] = 0
        some = np.flatnonzero(fixed.any(axis=1))
        scores = [self._scores(some, fixed[some], broken[some], *way) for way in WAYS]
        table = np.stack(scores)
        for family, way in self.banned:
            table[way, family] = -np.inf
        while table.size:
            way, family = divmod(int(table.argmax()), alternatives.families)
            if table[way, family] < LEAST_GAIN:
                return None
            found = self._tried(family, way, fixed, broken)
            if found is not None:
                return found
            self.banned.add((family, way))
            table[way, family] = -np.inf
        return None

    def _scores(self, some: Integers, fixed: Floats, broken: Floats, least: int, share: float) -> Floats:
        """[families]: what the rule of each family gains out-of-fold, by these of its alternatives."""
        family, families = self.alternatives.family[some], self.alternatives.families
        proposed = _proposed(fixed, broken, least, share)
        gain_fixed = np.bincount(family, (fixed * proposed).sum(axis=1), minlength=families)
        gain_broken = np.bincount(family, (broken * proposed).sum(axis=1), minlength=families)
        whole = np.bincount(family, fixed.sum(axis=1) * _good(fixed, broken, least, share), minlength=families)
        score = gain_fixed + MADE_FROM * (whole - gain_fixed) - COST * gain_broken - self._prices
        score -= CHANCE * np.sqrt(gain_fixed + gain_broken)
        score[~self.wanted[self.alternatives.slot]] = -np.inf
        return np.asarray(score, dtype=np.float64)

    def _by_fold(self) -> tuple[Floats, Floats]:
        """[alternatives, folds]: what each fixes and breaks."""
        claim, size = self.alternatives.claim, len(self.alternatives) * self.folds
        fixed = np.bincount(self._cell, self._fixed[claim] * self._counts, minlength=size)
        broken = np.bincount(self._cell, self._broken[claim] * self._counts, minlength=size)
        shape = (len(self.alternatives), self.folds)
        return np.asarray(fixed, dtype=np.float64).reshape(shape), np.asarray(broken, dtype=np.float64).reshape(shape)

    def _tried(self, family: int, way: int, fixed: Floats, broken: Floats) -> FoundRule | None:
        """The rule, with its votes counted; None, and nothing changed, where it does not gain."""
        alternatives = self.alternatives
        own = np.flatnonzero(alternatives.family == family)
        all_fixed, all_broken = fixed[own].sum(axis=1), broken[own].sum(axis=1)
        least, share = WAYS[way]
        good = _good(fixed[own], broken[own], least, share)
        order = np.argsort(-(all_fixed - all_broken), kind="stable")
        limit = MOST_VALUES if alternatives.shape[family] == ContextShape.ALONE else MOST_CONTEXTS
        order = order[good[order]][:limit]
        kept = own[np.sort(order)]
        if not len(kept):
            return None
        mine = np.zeros(len(alternatives), dtype=np.bool_)
        mine[kept] = True
        entries = np.flatnonzero(mine[alternatives.owner])
        claim, owner = alternatives.claim[entries], alternatives.owner[entries]
        proposed = _proposed(fixed[own], broken[own], least, share)
        active = self._counts[entries] & proposed[np.searchsorted(own, owner), self._fold[claim]]
        claim = np.unique(claim[active])
        if not len(claim):
            return None
        return self._taken(family, kept, claim)

    def _taken(self, family: int, kept: Integers, claim: Integers) -> FoundRule | None:
        votes = self.votes
        claims = self.claims.taken(claim)
        texts = np.zeros(votes.row.texts, dtype=np.bool_)
        texts[self._text[claim]] = True
        places = np.flatnonzero(votes.row.places_of(texts))
        before = _Kept.of(votes, places)
        order = votes.order.copy()
        readings = {text: set(votes.readings.get(text, ())) for text in np.flatnonzero(texts).tolist()}
        votes.add(claims)
        fixed, broken = before.against(votes)
        if fixed - COST * broken - CHANCE * np.sqrt(fixed + broken) < LEAST_GAIN:
            before.restore(votes)
            votes.order[:] = order
            votes.readings.update(readings)
            return None
        self._update(np.flatnonzero(texts[self._text]))
        self.taken[kept] = True
        return FoundRule(family, kept, fixed, broken)


def _inside_longer(claims: Claims, slots: int) -> Bools:
    """[claims]: whether words of a claim lie inside a longer value of the slot that other folds know: the longer one
    is given in its place."""
    kind = claims.kind * slots
    known = claims.unseen & (claims.kind < ClaimKind.ANY)
    keys = np.unique(span_keys(claims.start, claims.length, kind + claims.slot, slots * len(ClaimKind))[known])
    found = np.zeros(len(claims), dtype=np.bool_)
    for front, behind in ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0)):
        longer = span_keys(
            claims.start - front, claims.length + front + behind, kind + claims.slot, slots * len(ClaimKind)
        )
        found |= np.isin(longer, keys)
    return found


def _proposed(fixed: Floats, broken: Floats, least: int, share: float) -> Bools:
    """[alternatives, folds]: whether the texts of the other folds alone propose it."""
    others_fixed = fixed.sum(axis=1, keepdims=True) - fixed
    others_broken = broken.sum(axis=1, keepdims=True) - broken
    return (others_fixed >= least) & (others_fixed >= share * (others_fixed + others_broken))


def _good(fixed: Floats, broken: Floats, least: int, share: float) -> Bools:
    """[alternatives]: whether all texts together propose it."""
    all_fixed, all_broken = fixed.sum(axis=1), broken.sum(axis=1)
    return (all_fixed >= least) & (all_fixed >= share * (all_fixed + all_broken))


_COLUMNS = ("start", "length", "slot", "right", "first", "first_votes", "second", "second_votes", "votes")


@dataclass(frozen=True, eq=False)
class _Kept:
    """The state of some places before a rule is tried."""

    places: Integers
    columns: dict[str, NDArray[np.generic]]

    @classmethod
    def of(cls, votes: Votes, places: Integers) -> _Kept:
        return cls(places, {name: getattr(votes, name)[places] for name in _COLUMNS})

    def restore(self, votes: Votes) -> None:
        for name, column in self.columns.items():
            getattr(votes, name)[self.places] = column

    def against(self, votes: Votes) -> tuple[int, int]:
        """Spans that are right now and were not; right ones that are lost, and wrong ones that are new."""
        old, places = self.columns, self.places
        was = old["start"] == places
        now = votes.start[places] == places
        same = was & now & (old["length"] == votes.length[places]) & (old["slot"] == votes.slot[places])
        right = votes.right[places]
        fixed = now & right & ~same
        lost = was & old["right"].astype(np.bool_) & ~same
        invented = (now & ~right & ~same).sum()
        removed = (was & ~old["right"].astype(np.bool_) & ~same).sum()
        return int(fixed.sum()), int(lost.sum() + max(0, int(invented) - int(removed)))
