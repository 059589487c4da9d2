"""What one expression reads and another does not, as places: a position automaton times the complement of another one.

A place of the product is a place of the first expression together with the state of the second behind the same words;
it reads those words of its place that lead the second there. Sentences are accepted where the first accepts and the
second is in no final state. BOS and EOS of the first read no word and leave the second where it is; those of the second
are folded into its ends, as in every exact automaton.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.automata.alphabet import OTHER_COLUMNS, group_by_key
from re2nn_core.automata.minimize import DEAD, minimize_table
from re2nn_core.automata.position_automaton import PositionAutomaton, bits
from re2nn_core.automata.simulation import everything_accepting
from re2nn_core.automata.symbols import END, START, Symbol, reading, words_of
from re2nn_core.automata.word_sets import Symbols, reads_kind, word_set
from re2nn_core.errors import StateBudgetError
from re2nn_core.text.vocabulary import unknown_kind
from re2nn_core.text.word_patterns.classes import WordClasses, jointly_named

MOST_EXCLUDED = 1_000  # states of the excluded expression
MOST_PLACES = 20_000
_ANCHORS = frozenset((START, END))


@dataclass(frozen=True)
class Subtracted:
    """`origins[p]` is the place of the first expression that place p of the automaton stands for."""

    automaton: PositionAutomaton
    origins: tuple[int, ...]


def subtracted(kept: PositionAutomaton, excluded: PositionAutomaton, rule: str = "") -> Subtracted:
    """The places of `kept` without the sentences of `excluded`. StateBudgetError where either takes too many states."""
    machine = _Excluded(excluded, rule)
    numbers: dict[tuple[int, Symbols, int], int] = {(0, frozenset(), 0): 0}
    queue = list(numbers)
    follow: list[int] = []
    for place, _, state in queue:
        onward = 0
        for target in bits(kept.follow[place]):
            for symbols, behind in machine.steps(kept.symbols[target], state):
                key = (target, symbols, behind)
                if key not in numbers:
                    numbers[key] = len(numbers)
                    queue.append(key)
                    if len(queue) > MOST_PLACES:
                        raise StateBudgetError(MOST_PLACES, "the expression with what 'but not' leaves out", rule)
                onward |= 1 << numbers[key]
        follow.append(onward)
    final = sum(
        1 << number
        for (place, _, state), number in numbers.items()
        if kept.final >> place & 1 and state not in machine.finals
    )
    useful = _useful(follow, final)
    return _renumbered(list(numbers), follow, final, useful)


class _Excluded:
    """The minimal deterministic automaton of an expression; what it reads between two states as sets of words."""

    def __init__(self, automaton: PositionAutomaton, rule: str) -> None:
        groups = group_by_key((word, automaton.entered_by(word)) for word in sorted(automaton.words))
        masks = [*map(automaton.entered_by_unnamed, range(OTHER_COLUMNS)), *(mask for _, mask in groups)]
        table, finals = _subsets(automaton, masks, rule)
        self.table, self.finals = minimize_table(table, finals)
        self.named = [words for words, _ in groups]
        self._column_of = {word: OTHER_COLUMNS + number for number, (words, _) in enumerate(groups) for word in words}
        self._classes = WordClasses(self._column_of)
        self._known: dict[tuple[Symbols, int], list[tuple[Symbols, int]]] = {}

    def steps(self, symbols: Symbols, state: int) -> list[tuple[Symbols, int]]:
        """Where words that some symbols read lead from a state, and which words these are for each state behind."""
        found = self._known.get((symbols, state))
        if found is None:
            anchors = symbols <= _ANCHORS
            found = [(symbols, state)] if anchors else list(self._steps(symbols, state))
            self._known[symbols, state] = found
        return found

    def _steps(self, symbols: Symbols, state: int) -> Iterator[tuple[Symbols, int]]:
        row = [DEAD] * (OTHER_COLUMNS + len(self.named)) if state == DEAD else self.table[state]
        for behind in sorted(set(row)):
            kinds = [k for k in range(OTHER_COLUMNS) if row[k] == behind and reads_kind(symbols, k)]
            read = self._read_to(symbols, row, behind)
            if read_here := word_set(kinds, read.keys(), read.__getitem__):
                yield read_here, behind

    def _read_to(self, symbols: Symbols, row: Sequence[int], behind: int) -> dict[str, bool]:
        """For every word that either side names, whether the symbols read it and it leads there."""
        named = sorted(jointly_named((words_of(symbols), self._column_of.keys())))
        return {word: row[self._column(word)] == behind and reading(symbols, word) for word in named}

    def _column(self, word: str) -> int:
        alike = word if word in self._column_of else self._classes.find(word)
        return unknown_kind(word) if alike is None else self._column_of[alike]


def _subsets(automaton: PositionAutomaton, masks: Sequence[int], rule: str) -> tuple[list[list[int]], set[int]]:
    """The subset construction; a member that accepts everything from here on makes the rest of a subset pointless."""
    everything = everything_accepting(automaton)

    def kept(states: int) -> int:
        universal = states & everything
        return universal & -universal if universal else states

    numbers = {kept(automaton.sentence_start): 0}
    queue = list(numbers)
    table: list[list[int]] = []
    for states in queue:
        following = automaton.after(states)
        row = []
        for mask in masks:
            target = kept(following & mask)
            if target and target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
                if len(queue) > MOST_EXCLUDED:
                    raise StateBudgetError(MOST_EXCLUDED, "what 'but not ( ... )' leaves out", rule)
            row.append(numbers[target] if target else DEAD)
        table.append(row)
    return table, {number for states, number in numbers.items() if states & automaton.sentence_final}


def _useful(follow: Sequence[int], final: int) -> int:
    """The places from which a final one can be reached."""
    useful, changed = final, True
    while changed:
        changed = False
        for place, onward in enumerate(follow):
            if onward & useful and not useful >> place & 1:
                useful |= 1 << place
                changed = True
    return useful


def _renumbered(
    places: Sequence[tuple[int, Symbols, int]], follow: Sequence[int], final: int, useful: int
) -> Subtracted:
    """The useful places alone, and the start; in the order of the places that they stand for."""
    kept = [0, *sorted((p for p in bits(useful) if p), key=lambda p: (places[p][0], p))]
    numbers = {place: number for number, place in enumerate(kept)}

    def moved(states: int) -> int:
        return sum(1 << numbers[place] for place in bits(states) if place in numbers)

    symbols: tuple[frozenset[Symbol], ...] = tuple(places[place][1] for place in kept)
    automaton = PositionAutomaton(symbols, tuple(moved(follow[place]) for place in kept), moved(final))
    return Subtracted(automaton, tuple(places[place][0] for place in kept))
