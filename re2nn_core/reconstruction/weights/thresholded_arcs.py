"""From weights to arcs: an arc carries the words whose weight reaches a threshold.

What stands for all words outside the vocabulary decides the wildcard: where it reaches the threshold the arc is
`$`, or `[^ a b ]` where words of the vocabulary fall below it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.arcs import Arc, positions_of_arcs
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import NUMBER, PUNCTUATION, Complement, Symbol
from re2nn_core.automata.word_sets import in_patterns, word_set
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

END_THRESHOLD = 0.5  # of start and final weights
KINDS = len(UNKNOWN_KINDS)
FEW = 8  # numbers or signs below the threshold, of an arc that reads all others


@dataclass(frozen=True)
class ThresholdedMachine:
    """Arcs with word sets, and start and final states. Compared by value: equal machines need trying once."""

    arcs: tuple[Arc, ...]
    starts: frozenset[int]
    finals: frozenset[int]

    def positions(self) -> PositionAutomaton:
        """The machine as a position automaton."""
        return positions_of_arcs(self.arcs, self.starts, self.finals)


def thresholded(machine: WeightedMachine, threshold: float) -> ThresholdedMachine:
    """The machine of all weights at or above a threshold."""
    above = machine.arcs >= threshold  # [vocabulary, states, states]
    kinds = np.asarray(machine.vocabulary.kinds)
    kinds[:KINDS] = -1  # the unknown kinds themselves are no words
    arcs = []
    for source, target in zip(*np.nonzero(above.any(0)), strict=True):
        symbols = _symbols(machine, above[:, source, target], kinds)
        if symbols:
            arcs.append(Arc(int(source), int(target), symbols))
    starts = frozenset(int(state) for state in np.nonzero(machine.start >= END_THRESHOLD)[0])
    finals = frozenset(int(state) for state in np.nonzero(machine.final >= END_THRESHOLD)[0])
    return ThresholdedMachine(tuple(arcs), starts, finals)


def _symbols(machine: WeightedMachine, above: NDArray[np.bool_], kinds: NDArray[np.int64]) -> frozenset[Symbol]:
    """The symbols of one arc; `above` and `kinds` [vocabulary]."""
    if above[0]:
        # Named are the words that are read otherwise than the unnamed ones of their kind.
        otherwise = np.flatnonzero((above != above[:KINDS][kinds]) & (kinds >= 0))
        inside = {machine.vocabulary.words[place]: bool(above[place]) for place in otherwise}
        return word_set(np.flatnonzero(above[:KINDS]).tolist(), inside, inside.__getitem__, machine.vocabulary.members)
    named = above.copy()
    named[:KINDS] = False
    symbols: set[Symbol] = set()
    for kind, special in ((1, NUMBER), (2, PUNCTUATION)):
        members = kinds == kind
        below = [machine.vocabulary.words[place] for place in np.flatnonzero(members & ~above)]
        if above[kind] and (len(below) <= FEW or named[members].mean() >= 0.5):
            symbols.add(Complement(in_patterns(below, machine.vocabulary.members), special) if below else special)
            named &= ~members
    words = {machine.vocabulary.words[place] for place in np.nonzero(named)[0]}
    return frozenset(symbols | in_patterns(words, machine.vocabulary.members))


def as_thresholded(machine: PseudoDfa) -> ThresholdedMachine:
    """A machine as it is written, as if it had been read at a threshold."""
    return ThresholdedMachine(tuple(Arc(*arc) for arc in machine.arcs()), frozenset({0}), machine.finals)
