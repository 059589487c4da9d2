"""Rules for slots found greedily and evaluated out-of-fold: of each family of alternatives those that are worth having.

Texts are cut into folds. An alternative counts in a fold only if the texts of the other folds alone would have proposed
it: its value fills the slot there, and it fixes more spans there than it breaks. What a rule fixes and breaks in such
folds, summed, is what it does to spans that it was not made from. The best rule is taken, its votes are counted, and
what is left is evaluated anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.slot_filling.claims import ClaimKind, Claims, find_claims, find_values, joined, slot_groups
from re2nn_core.proposals.slot_filling.contexts import Alternatives, ContextShape, find_alternatives, find_any
from re2nn_core.proposals.slot_filling.rule_tree import RuleMaterial
from re2nn_core.proposals.slot_filling.votes import Votes
from re2nn_core.proposals.slot_filling.word_row import (
    Bools,
    Integers,
    SpanRow,
    WordRow,
    each_number_once,
    span_keys,
)

CHANCE = 0.25  # standard deviations of the gain that are taken off
LEAST_GAIN = 0.5
# Spans that an alternative must fix, and the share of what it changes that they must be.
WAYS = ((1, 0.34), (1, 0.5), (1, 0.67), (2, 0.5), (2, 0.7))
COST = 0.4  # what a broken span counts, against one that is fixed
GUESSED = 0.5  # what a span of a text with guessed spans counts, against one of an annotated text
MADE_FROM = 0.6  # what a span that a rule was made from counts, against one that it was not
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
    """A rule worth having: alternatives of one family, the spans that it fixes and breaks out-of-fold, in annotated
    texts and in those with guessed spans, and the claims that it makes there."""

    family: int
    alternatives: Integers
    fixed: int
    broken: int
    guessed_fixed: int
    guessed_broken: int
    claims: Claims

    @property
    def gains(self) -> bool:
        """Whether it fixes more than it breaks, by a standard deviation at least: in annotated texts not less, and with
        the guessed spans more."""
        fixed, broken = self.fixed + self.guessed_fixed, self.broken + self.guessed_broken
        return self.fixed >= self.broken and 0 < fixed - broken >= sqrt(fixed + broken)


@dataclass(eq=False)
class SpanSearch:
    """What a search goes through; `votes` changes with every rule that it takes. Texts of the folds from `guessed_from`
    on have guessed spans. `gaining`: rules alone that fix more spans than they break; otherwise also such that raise
    F1, where an incorrect span counts less than one that is fixed."""

    claims: Claims
    alternatives: Alternatives
    votes: Votes
    guessed_from: int
    wanted: Bools  # [slots]
    gaining: bool = False
    banned: set[tuple[int, int]] = field(default_factory=set)
    taken: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))  # [alternatives]

    def __post_init__(self) -> None:
        alternatives, claims = self.alternatives, self.claims
        row = self.votes.row
        self.taken = np.zeros(len(alternatives), dtype=np.bool_)
        self._fold = row.fold[claims.start]
        self._text = row.text[claims.start]
        self.folds = int(row.fold.max(initial=0)) + 1
        self._weight = np.where(self._fold < self.guessed_from, 1.0, GUESSED)  # [claims]
        kind = alternatives.kind[alternatives.family]
        self._seen_anyway = np.isin(alternatives.shape[alternatives.family], [ContextShape.ALONE]) & (
            kind != ClaimKind.WORDS
        )
        self._seen_anyway |= kind == ClaimKind.ANY
        # An entry counts where its value is one for the other folds; of values alone all do.
        self._counts = self._seen_anyway[alternatives.owner] | claims.unseen[alternatives.claim]
        alone = (alternatives.shape == ContextShape.ALONE)[alternatives.family[alternatives.owner]]
        alone_claims = np.zeros(len(claims), dtype=np.bool_)
        alone_claims[alternatives.claim[alone]] = True
        inside = _inside_longer(claims, len(self.votes.slots), alone_claims)
        self._counts &= ~(alone & inside[alternatives.claim])
        shapes = [SHAPE_PRICE.get(ContextShape(shape), OTHER_PRICE) for shape in alternatives.shape]
        kinds = [KIND_PRICE.get(ClaimKind(kind), OTHER_PRICE) for kind in alternatives.kind]
        self._prices = np.asarray(shapes) + np.asarray(kinds)
        self._fixed, self._broken = np.zeros(len(claims)), np.zeros(len(claims))
        self._by_fold = np.zeros((2, len(alternatives), self.folds))  # what each alternative fixes, and breaks
        self._sums = np.zeros((len(WAYS), 3, len(alternatives)))  # of it in folds that count, and fixed where kept
        self._update(np.ones(len(claims), dtype=np.bool_))

    def _update(self, claims: Bools) -> None:
        """Evaluate these claims [claims] anew, and the alternatives that make those that have changed."""
        which = np.flatnonzero(claims)
        fixed, broken = (self._weight[which] * worth for worth in self.votes.worth(self.claims.taken(which)))
        which = which[other := (fixed != self._fixed[which]) | (broken != self._broken[which])]
        self._fixed[which], self._broken[which] = fixed[other], broken[other]
        changed, touched = np.zeros(len(claims), dtype=np.bool_), np.zeros(len(self.alternatives), dtype=np.bool_)
        changed[which] = True
        touched[self.alternatives.owner[changed[self.alternatives.claim]]] = True
        self._evaluate(touched)

    def _evaluate(self, touched: Bools) -> None:
        """Count what these alternatives [alternatives] fix and break in each fold."""
        own = np.flatnonzero(touched)
        entries = np.flatnonzero(touched[self.alternatives.owner] & self._counts)
        claim, rank = self.alternatives.claim[entries], np.cumsum(touched) - 1
        cell = rank[self.alternatives.owner[entries]] * self.folds + self._fold[claim]
        shape = (len(own), self.folds)
        for place, worth in enumerate((self._fixed, self._broken)):
            sums = np.bincount(cell, worth[claim], minlength=len(own) * self.folds)
            self._by_fold[place, own] = sums.reshape(shape)
        own = own[self._by_fold[0, own].any(axis=1)]  # the others propose nothing
        fixed, broken = self._by_fold[0, own], self._by_fold[1, own]
        all_fixed = fixed.sum(axis=1)
        others = _others(fixed), _others(broken)
        for place, (least, share) in enumerate(WAYS):
            proposed = _worth_it(*others, least, share)
            whole = all_fixed * _good(fixed, broken, least, share)
            self._sums[place][:, own] = (fixed * proposed).sum(axis=1), (broken * proposed).sum(axis=1), whole

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
        table = np.stack([self._scores(way) for way in range(len(WAYS))])
        for family, way in self.banned:
            table[way, family] = -np.inf
        while table.size:
            way, family = divmod(int(table.argmax()), self.alternatives.families)
            if table[way, family] < LEAST_GAIN:
                return None
            found = self._tried(family, way)
            if found is not None:
                return found
            self.banned.add((family, way))
            table[way, family] = -np.inf
        return None

    def _scores(self, way: int) -> Floats:
        """[families]: what the rule of each family gains out-of-fold, by alternatives that are worth it in a way."""
        some = np.flatnonzero(~self.taken & self._by_fold[0].any(axis=1))
        family, families = self.alternatives.family[some], self.alternatives.families
        gain_fixed, gain_broken, whole = (
            np.bincount(family, sums[some], minlength=families) for sums in self._sums[way]
        )
        score = gain_fixed + MADE_FROM * (whole - gain_fixed) - COST * gain_broken - self._prices
        score -= CHANCE * np.sqrt(gain_fixed + gain_broken)
        score[~self.wanted[self.alternatives.slot]] = -np.inf
        return np.asarray(score, dtype=np.float64)

    def _tried(self, family: int, way: int) -> FoundRule | None:
        """The rule, with its votes counted; None, and nothing changed, where it does not gain."""
        alternatives = self.alternatives
        own = np.flatnonzero((alternatives.family == family) & ~self.taken)
        fixed, broken = self._by_fold[0, own], self._by_fold[1, own]
        all_fixed, all_broken = fixed.sum(axis=1), broken.sum(axis=1)
        least, share = WAYS[way]
        good = _good(fixed, broken, least, share)
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
        proposed = _proposed(fixed, broken, least, share)
        active = self._counts[entries] & proposed[np.searchsorted(own, owner), self._fold[claim]]
        claim = np.unique(claim[active])
        if not len(claim):
            return None
        return self._taken(family, kept, claim)

    def _taken(self, family: int, kept: Integers, claim: Integers) -> FoundRule | None:
        claims = self.claims.taken(claim)
        undo, own, guessed = self._claimed(self.votes, claims)
        found = FoundRule(family, kept, *own, *guessed, claims)
        fixed, broken = found.fixed + GUESSED * found.guessed_fixed, found.broken + GUESSED * found.guessed_broken
        worth = fixed - COST * broken - CHANCE * np.sqrt(fixed + broken)
        if worth < LEAST_GAIN or (self.gaining and not found.gains):
            undo()
            return None
        texts = np.zeros(self.votes.row.texts, dtype=np.bool_)
        texts[self._text[claim]] = True
        self._update(texts[self._text])
        self.taken[kept] = True
        return found

    def _claimed(self, votes: Votes, claims: Claims) -> tuple[Callable[[], None], tuple[int, int], tuple[int, int]]:
        """How to take the votes of these claims back; what they fix and break in annotated texts, and in those with
        guessed spans."""
        texts = np.zeros(votes.row.texts, dtype=np.bool_)
        texts[votes.row.text[claims.start]] = True
        places = np.flatnonzero(votes.row.places_of(texts))
        before = _Kept.of(votes, places)
        order = votes.order.copy()
        readings = {text: set(votes.readings.get(text, ())) for text in np.flatnonzero(texts).tolist()}
        votes.add(claims)
        is_guessed = votes.row.fold[places] >= self.guessed_from

        def undo() -> None:
            before.restore(votes)
            votes.order[:] = order
            votes.readings.update(readings)

        return undo, before.against(votes, ~is_guessed), before.against(votes, is_guessed)

    def alone(self, votes: Votes, rule: FoundRule) -> FoundRule:
        """The rule with what it does without those found before it; `votes`: those before the search."""
        undo, own, guessed = self._claimed(votes, rule.claims)
        undo()
        return FoundRule(rule.family, rule.alternatives, *own, *guessed, rule.claims)


def _inside_longer(claims: Claims, slots: int, wanted: Bools) -> Bools:
    """[claims]: whether words of a claim that is `wanted` lie inside a longer value of the slot that other folds know:
    the longer one is given in its place."""
    many = slots * len(ClaimKind)
    slot = claims.kind * slots + claims.slot
    known = claims.unseen & (claims.kind < ClaimKind.ANY)
    keys = each_number_once(span_keys(claims.start[known], claims.length[known], slot[known], many))
    found = np.zeros(len(claims), dtype=np.bool_)
    own = np.flatnonzero(wanted)
    for front, behind in ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0)):
        longer = span_keys(claims.start[own] - front, claims.length[own] + front + behind, slot[own], many)
        place = np.minimum(np.searchsorted(keys, longer), len(keys) - 1)
        found[own] |= keys[place] == longer if len(keys) else False
    return found


def _proposed(fixed: Floats, broken: Floats, least: int, share: float) -> Bools:
    """[alternatives, folds]: whether the texts of the other folds alone propose it."""
    return _worth_it(_others(fixed), _others(broken), least, share)


def _good(fixed: Floats, broken: Floats, least: int, share: float) -> Bools:
    """[alternatives]: whether all texts together propose it."""
    return _worth_it(fixed.sum(axis=1), broken.sum(axis=1), least, share)


def _others(counts: Floats) -> Floats:
    """[alternatives, folds]: the same of the other folds."""
    return np.asarray(counts.sum(axis=1, keepdims=True) - counts, dtype=np.float64)


def _worth_it(fixed: Floats, broken: Floats, least: int, share: float) -> Bools:
    return (fixed >= least) & (fixed >= share * (fixed + broken))


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

    def against(self, votes: Votes, which: Bools) -> tuple[int, int]:
        """Spans of some of the places [places] that are right now and were not; right ones that are lost, and wrong
        ones that are new."""
        places = self.places[which]
        old = {name: column[which] for name, column in self.columns.items()}
        was = old["start"] == places
        now = votes.start[places] == places
        same = was & now & (old["length"] == votes.length[places]) & (old["slot"] == votes.slot[places])
        right = votes.right[places]
        fixed = now & right & ~same
        lost = was & old["right"].astype(np.bool_) & ~same
        invented = (now & ~right & ~same).sum()
        removed = (was & ~old["right"].astype(np.bool_) & ~same).sum()
        return int(fixed.sum()), int(lost.sum() + max(0, int(invented) - int(removed)))
