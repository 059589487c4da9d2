"""What a rule needs and a sentence does not have: words that are nowhere in it, and how far a run was from an end.

A run of `$* cost $*` reads every sentence to its end and only then fails, so that where it died says little. Here it is
asked instead which words would be needed at all: states that no word of the sentence enters, wherever it may stand, and
without which no way leads to an end. Such a set is a cut of the automaton between start and end; every accepted
sentence has one of its words. Cuts are found one behind the other, and states that a cut can do without are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import END, START, Symbol, show_symbols
from re2nn_core.explain.changes import readable_states
from re2nn_core.explain.death import ending_states

Names = tuple[str, ...]  # words, and signs for kinds of words, as people write them
_TIGHTENED = 64  # cuts of more states are taken as they are


@dataclass(frozen=True)
class Ahead:
    """Behind what a run has read, at least so many words are missing to an end; `next` are those that one of the
    shortest ways begins with."""

    least: int
    next: Names


def missing_words(automaton: PositionAutomaton, sentence: Sequence[str]) -> tuple[Names, ...]:
    """Sets of words of which every accepted sentence has one each, and this one has none, wherever it stands; empty
    where all that is needed is there, or for a sentence without words."""
    if not sentence:
        return ()
    useful = ending_states(automaton) & readable_states(automaton)
    there = useful & _entered_by_any(automaton, sentence)
    found: list[Names] = []
    while True:
        reached = _reached(automaton, there)
        front = automaton.after(reached) & useful & ~there
        if reached & automaton.sentence_final or not front:
            return tuple(found)
        found.append(_names(automaton, _tightened(automaton, front, useful)))
        there |= front


def words_ahead(automaton: PositionAutomaton, sentence: Sequence[str], read: int) -> Ahead | None:
    """How far the run is from an end behind so many words, which some accepted sentence begins with; None where no
    word is missing."""
    readable, useful = readable_states(automaton), ending_states(automaton)
    states = automaton.sentence_start
    for word in sentence[:read]:
        states = automaton.after(states) & automaton.entered_by(word) & useful
    least, layer, before, known = 0, automaton.sentence_final, 0, automaton.sentence_final
    while not layer & states:  # [least]: the states from which so many words lead to an end, and no fewer
        if not layer:
            return None
        onward = layer & readable
        before, layer = layer, sum(1 << s for s, follow in enumerate(automaton.follow) if follow & onward) & ~known
        known |= layer
        least += 1
    return Ahead(least, _names(automaton, automaton.after(states & layer) & readable & before)) if least else None


def _entered_by_any(automaton: PositionAutomaton, sentence: Sequence[str]) -> int:
    """The states that some word of the sentence enters."""
    entered = 0
    for word in set(sentence):
        entered |= automaton.entered_by(word)
    return entered


def _reached(automaton: PositionAutomaton, through: int) -> int:
    """The states that are reached from the start through these alone."""
    reached = automaton.sentence_start
    newest = reached
    while newest:
        newest = automaton.after(newest) & through & ~reached
        reached |= newest
    return reached


def _tightened(automaton: PositionAutomaton, front: int, useful: int) -> int:
    """The cut without states that it can do without."""
    states = list(bits(front))
    if len(states) > _TIGHTENED:
        return front
    for state in states:
        smaller = front & ~(1 << state)
        if not _reached(automaton, useful & ~smaller) & automaton.sentence_final:
            front = smaller
    return front


def _names(automaton: PositionAutomaton, states: int) -> Names:
    symbols = frozenset[Symbol]().union(*(automaton.symbols[state] for state in bits(states)))
    return tuple(show_symbols(symbols - {START, END}))
