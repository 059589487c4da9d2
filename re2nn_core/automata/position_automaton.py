"""An automaton whose states are places where a word is read: what it holds, and a walk through it.

Sets of states are whole numbers with one bit a state: bit 0 is the start, bit p the state after reading position p.
How rules become such automata says positions.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    PUNCTUATION,
    START,
    Special,
    Symbol,
    complements_of,
    reads,
    reads_unnamed,
    words_of,
)
from re2nn_core.text.case_words import as_named
from re2nn_core.text.kinds import is_number, is_punctuation


@dataclass(frozen=True)
class PositionAutomaton:
    """`symbols[p]` is what state p was entered by (empty for the start, state 0); `follow[p]` the states that
    may come next, `final` the states in which the expression may end; both as bit sets."""

    symbols: tuple[frozenset[Symbol], ...]
    follow: tuple[int, ...]
    final: int

    def __len__(self) -> int:
        return len(self.symbols)

    @cached_property
    def positions_of(self) -> dict[Symbol, int]:
        """For each symbol the set of states that it enters."""
        found: dict[Symbol, int] = {}
        for state, symbols in enumerate(self.symbols):
            bit = 1 << state
            for symbol in symbols:
                found[symbol] = found.get(symbol, 0) | bit
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that the rule names, also to leave them out."""
        return words_of(self.positions_of)

    @cached_property
    def complements(self) -> tuple[Special, ...]:
        """The symbols that read all words but some."""
        return complements_of(self.positions_of)

    @cached_property
    def sentence_start(self) -> int:
        """The states a sentence may begin in: the start, and those behind a leading BOS."""
        return 1 | (self.follow[0] & self.positions_of.get(START, 0))

    @cached_property
    def sentence_final(self) -> int:
        """The states a sentence may end in: final ones, and those in front of a closing EOS."""
        closing = self.positions_of.get(END, 0) & self.final
        final = self.final
        if closing:
            for state, follow in enumerate(self.follow):
                if follow & closing:
                    final |= 1 << state
        return final

    def entered_by(self, word: str) -> int:
        """The states that a word of a text enters: by name, by kind, or by `$`."""
        positions = self.positions_of
        if word not in positions:
            word = as_named(word, self.words)
        entered = positions.get(word, 0) | positions.get(ANY, 0)
        if NUMBER in positions and is_number(word):
            entered |= positions[NUMBER]
        if PUNCTUATION in positions and is_punctuation(word):
            entered |= positions[PUNCTUATION]
        for complement in self.complements:
            if reads(complement, word):
                entered |= positions[complement]
        return entered

    def entered_by_unnamed(self, kind: int) -> int:
        """The states that a word of a kind enters which the rule does not name; `kind` as in alphabet.py."""
        entered = 0
        for symbol, states in self.positions_of.items():
            if reads_unnamed(symbol, kind):
                entered |= states
        return entered

    def after(self, states: int) -> int:
        """All states that may come next, whatever the word."""
        following = 0
        for state in bits(states):
            following |= self.follow[state]
        return following


def bits(states: int) -> Iterator[int]:
    """The members of a bit set, smallest first."""
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest


def accepts(automaton: PositionAutomaton, sentence: Sequence[str]) -> bool:
    """Whether the rule accepts the sentence: a walk over sets of states."""
    states = automaton.sentence_start
    for word in sentence:
        states = automaton.after(states) & automaton.entered_by(word)
        if not states:
            return False
    return bool(states & automaton.sentence_final)
