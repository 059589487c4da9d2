"""A machine with few of the words that a threshold lets in: those that earn their place.

A threshold lets in whatever weighs enough, hundreds of words that decide nothing among the texts. Here a machine begins
as it was written, and what came or went in training is taken step by step: first what sets most texts right for each
word that the rule then names in addition, until nothing is worth its words. A text that needs several steps to be
accepted counts for these steps together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.arcs import Arc
from re2nn_core.automata.determinize import exact_from_positions
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import END, START, Complement, Special, Symbol, reading
from re2nn_core.automata.word_sets import without_words
from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.encoded_texts import NumberedTexts
from re2nn_core.reconstruction.classification.threshold_choice import (
    EXACT_STATES,
    FEWEST_FIXED,
    MIN_GAIN,
    Candidate,
    candidate_of,
)
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine

MOST_STEPS = 4  # a text that needs more of them proves nothing for any
MOST_WAYS = 8
Edge = tuple[int, int]
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, order=True)
class Step:
    """A change of an edge: a word that `came` there, or went; the empty word is all that the edge reads unnamed."""

    edge: Edge
    word: str
    came: bool


Steps = frozenset[Step]
Ways = tuple[Steps, ...]  # one of them is enough; all have as many steps
_NO_STEPS: Ways = (frozenset(),)
_ReadAt = Callable[[Edge, str], tuple[bool, Step | None]]


class LearnedSteps:
    """How a learned machine differs from the written one, and which of the steps between them a text needs."""

    def __init__(self, written: PseudoDfa, learned: ThresholdedMachine) -> None:
        self.learned = learned
        self._starts, self._ends = frozenset(bits(written.sentence_start)), frozenset(bits(written.sentence_final))
        old = {(source, target): symbols - {START, END} for source, target, symbols in written.arcs()}
        self._old = {edge: symbols for edge, symbols in old.items() if symbols}
        self._new = {(arc.source, arc.target): arc.symbols for arc in learned.arcs}
        self._unnamed = {edge: _unnamed(symbols) for edge, symbols in self._new.items()}
        self._leaving: dict[int, list[Edge]] = {}
        for edge in sorted(self._old.keys() | self._new.keys()):
            self._leaving.setdefault(edge[0], []).append(edge)
        self._known: dict[tuple[Edge, str], tuple[bool, bool, Step]] = {}

    def to_accept(self, words: Sequence[str]) -> Ways:
        """The fewest steps by which the learned machine accepts a text, in every way; none where it does not."""

        def read_at(edge: Edge, word: str) -> tuple[bool, Step | None]:
            before, after, step = self._at(edge, word)
            return after, None if before else step

        return self._fewest(words, self.learned.starts, self.learned.finals, read_at)

    def to_refuse(self, words: Sequence[str]) -> Ways:
        """The steps in the way of a text that the written machine accepts, on the paths with the fewest."""

        def read_at(edge: Edge, word: str) -> tuple[bool, Step | None]:
            before, after, step = self._at(edge, word)
            return before, None if after else step

        return self._fewest(words, self._starts, self._ends, read_at)

    def machine(self, steps: Steps) -> ThresholdedMachine:
        """The written machine with some of the steps."""
        came: dict[Edge, frozenset[Symbol]] = {}
        went: dict[Edge, frozenset[Symbol]] = {}
        for step in steps:
            moved = came if step.came else went
            symbols = frozenset({step.word}) if step.word else self._unnamed[step.edge]
            moved[step.edge] = moved.get(step.edge, frozenset()) | symbols
        arcs = []
        for edge in sorted(self._old.keys() | came.keys()):
            symbols = self._old.get(edge, frozenset()) | came.get(edge, frozenset())
            symbols = without_words(symbols, went[edge]) if edge in went else symbols
            if symbols:
                arcs.append(Arc(*edge, symbols))
        return ThresholdedMachine(tuple(arcs), self.learned.starts, self.learned.finals)

    def _at(self, edge: Edge, word: str) -> tuple[bool, bool, Step]:
        """Whether the edge read the word, whether it does, and the step between them."""
        known = self._known.get((edge, word))
        if known is None:
            before, after = (reading(side.get(edge, frozenset()), word) for side in (self._old, self._new))
            unnamed = after and not before and reading(self._unnamed.get(edge, frozenset()), word)
            known = self._known[edge, word] = before, after, Step(edge, "" if unnamed else word, after)
        return known

    def _fewest(self, words: Sequence[str], starts: Collection[int], ends: Collection[int], read_at: _ReadAt) -> Ways:
        """The steps of the paths from start to end that have the fewest; none where there is no path."""
        reached: dict[int, Ways] = dict.fromkeys(starts, _NO_STEPS)
        for word in words:
            after: dict[int, Ways] = {}
            for state, ways in reached.items():
                for edge in self._leaving.get(state, ()):
                    reads, step = read_at(edge, word)
                    if reads:
                        there = ways if step is None else tuple(dict.fromkeys(way | {step} for way in ways))
                        after[edge[1]] = _shorter(after.get(edge[1], ()), there)
            reached = after
        found: Ways = ()
        for state, ways in reached.items():
            if state in ends:
                found = _shorter(found, ways)
        return found


def _shorter(one: Ways, other: Ways) -> Ways:
    """Those with the fewest steps; of each of the two all have as many."""
    if not one or not other:
        return one or other
    steps, others = len(one[0]), len(other[0])
    if steps != others:
        return one if steps < others else other
    return tuple(dict.fromkeys((*one, *other)))[:MOST_WAYS]


def _unnamed(symbols: frozenset[Symbol]) -> frozenset[Symbol]:
    """What reads unnamed words, without exceptions: `[^ a b ]` is `$`."""
    return frozenset(s.base if isinstance(s, Complement) else s for s in symbols if isinstance(s, Special))


class FewerWords:
    """A written machine and what training made of it at some thresholds, on the texts that the choice is made on."""

    def __init__(
        self, written: PseudoDfa, learned: Sequence[Candidate], sentences: Sequence[Sequence[str]], texts: NumberedTexts
    ) -> None:
        self.written, self.texts = written, texts
        self._counts = Counter(word for sentence in sentences for word in set(sentence))
        self._forms = [(one, *_demands(written, one, sentences, texts)) for one in learned]
        self._made: dict[tuple[float, Steps], Candidate | None] = {}

    def options(self, gains: Integers, dev: Bools, price: float) -> Iterator[Candidate]:
        """The machine with the steps that are worth their words, one for each threshold that lets in any.

        gains [texts]: 1 where a text comes out right if the machine predicts otherwise than as it is written, -1 where
        it no longer does; dev [texts]: texts that may lose nothing; `price`: so many texts are worth one word."""
        for learned, steps, needs in self._forms:
            worth = worth_their_words(needs, gains, self.written.words, dev, price, self._counts)
            if worth and (found := self._candidate(learned, steps, worth)) is not None:
                yield found

    def _candidate(self, learned: Candidate, steps: LearnedSteps, worth: Steps) -> Candidate | None:
        key = learned.threshold, worth
        if key not in self._made:
            found = candidate_of(steps.machine(worth), learned.threshold, self.texts)
            words = {step.word for step in worth if step.word} - self.written.words
            self._made[key] = replace(found, size=len(words)) if isinstance(found, Candidate) else None
        return self._made[key]


def _demands(
    written: PseudoDfa, learned: Candidate, sentences: Sequence[Sequence[str]], texts: NumberedTexts
) -> tuple[LearnedSteps, dict[Ways, Integers]]:
    """The steps to a learned machine, and the texts by the steps that they need, in one way or another."""
    steps = LearnedSteps(written, learned.machine)
    try:
        before = texts.matched(exact_from_positions(steps.machine(frozenset()).positions(), budget=EXACT_STATES))
    except StateBudgetError:
        return steps, {}
    found: dict[Ways, list[int]] = {}
    changed = (learned.matched & ~before, steps.to_accept), (before & ~learned.matched, steps.to_refuse)
    for places, needed in changed:
        for place in np.flatnonzero(places).tolist():
            ways = needed(sentences[place])
            if ways and 0 < len(ways[0]) <= MOST_STEPS:
                found.setdefault(ways, []).append(place)
    return steps, {ways: np.asarray(own, dtype=np.int64) for ways, own in found.items()}


def worth_their_words(
    needs: Mapping[Ways, Integers],
    gains: Integers,
    named: Collection[str],
    dev: Bools,
    price: float,
    counts: Mapping[str, int],
) -> Steps:
    """The steps that are worth their words, as `FewerWords.options` says. `needs`: texts by the steps that they need,
    in one way or another; `named`: words that cost nothing; `counts`: in how many texts a word is, of equals the rarer
    one says more."""
    sums = _by_best_way({ways: _sums(gains[own], dev[own]) for ways, own in needs.items()}, counts)
    taken: Steps = frozenset()
    words = {"", *named}
    while (best := _best(sums, words, price, counts)) is not None:
        taken |= best
        words |= {step.word for step in best}
        left: dict[Steps, Integers] = {}
        for steps, own in sums.items():
            if rest := steps - best:
                left[rest] = left[rest] + own if rest in left else own
        sums = left
    return taken


def _by_best_way(sums: Mapping[Ways, Integers], counts: Mapping[str, int]) -> dict[Steps, Integers]:
    """What texts gain, for that of their ways by which most is gained in all; of equals that of rarer words."""
    in_all: dict[Steps, int] = {}
    for ways, own in sums.items():
        for way in ways:
            in_all[way] = in_all.get(way, 0) + int(own[0] - own[1])
    found: dict[Steps, Integers] = {}
    for ways, own in sums.items():
        best = max(ways, key=lambda way: (in_all[way], -max(counts.get(step.word, 0) for step in way)))
        found[best] = found[best] + own if best in found else own
    return found


def _sums(gains: Integers, dev: Bools) -> Integers:
    """How many texts are fixed, how many broken, and what dev gains."""
    return np.asarray([(gains > 0).sum(), (gains < 0).sum(), gains[dev].sum()], dtype=np.int64)


def _best(
    sums: Mapping[Steps, Integers], words: Collection[str], price: float, counts: Mapping[str, int]
) -> Steps | None:
    """The steps that gain most for each word that is new, None where none gain enough."""
    best: tuple[tuple[float, int, int], Steps] | None = None
    for steps in sums:
        together = [sums[part] for part in _parts(steps) if part in sums]
        fixed, broken, on_dev = (int(number) for number in np.sum(together, axis=0))
        gain = fixed - broken
        if gain < MIN_GAIN or fixed < FEWEST_FIXED * broken or on_dev < 0:
            continue
        new = sum(word not in words for word in {step.word for step in steps})
        value = gain / max(new, 0.5), gain, -max(counts.get(step.word, 0) for step in steps)
        if gain >= price * new and (best is None or value > best[0]):
            best = value, steps
    return best and best[1]


def _parts(steps: Steps) -> Iterator[Steps]:
    for size in range(1, len(steps) + 1):
        yield from map(frozenset, combinations(sorted(steps), size))
