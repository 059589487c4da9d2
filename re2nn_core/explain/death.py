"""Where the run of a rule died: the longest beginning of a sentence that could still become an accepted one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.symbols import END, START, Symbol, show_symbols
from re2nn_core.explain.changes import readable_states
from re2nn_core.text.kinds import spelling


@dataclass(frozen=True)
class Death:
    """`read` words of the sentence can be the beginning of an accepted one. `word` is the next one, which no way on
    reads; None where the sentence ends there, too early. `expected`: what could be read instead, as people write it;
    `may_end`: the sentence could have ended in front of `word`."""

    read: int
    word: str | None
    expected: tuple[str, ...]
    may_end: bool


def where_it_died(automaton: PositionAutomaton, sentence: Sequence[str]) -> Death | None:
    """Why a rule does not accept a sentence; None where it does. A rule that accepts nothing expects nothing."""
    useful = ending_states(automaton)
    states = automaton.sentence_start & useful
    for place, word in enumerate(sentence):
        following = automaton.after(states) & automaton.entered_by(word) & useful
        if not following:
            return _death(automaton, states, useful, place, word)
        states = following
    return None if states & automaton.sentence_final else _death(automaton, states, useful, len(sentence), None)


def ending_states(automaton: PositionAutomaton) -> int:
    """The states from which some words lead to an end."""
    readable = readable_states(automaton)
    useful = automaton.sentence_final
    while True:
        onward = useful & readable
        more = useful | sum(1 << state for state, follow in enumerate(automaton.follow) if follow & onward)
        if more == useful:
            return useful
        useful = more


def _death(automaton: PositionAutomaton, states: int, useful: int, read: int, word: str | None) -> Death:
    readable = automaton.after(states) & useful & readable_states(automaton)
    symbols = frozenset[Symbol]().union(*(automaton.symbols[state] for state in bits(readable)))
    shown = None if word is None else spelling(word)
    return Death(read, shown, tuple(show_symbols(symbols - {START, END})), bool(states & automaton.sentence_final))
