"""One way of a sentence through a machine as it is drawn: state by state, word by word.

Among all accepting ways of a pseudo machine the one is taken that names most words, as automata/explain.py does for
positions; of equals the one with the smaller states. It is Viterbi's recurrence over (max, +): what is added up are
named words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.explain import Reading
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Complement, Symbol, reads, show_symbol
from re2nn_core.automata.transducer import Transducer
from re2nn_core.text.kinds import is_number, is_punctuation


@dataclass(frozen=True)
class Move:
    """A word, the states it leads from and to, and the symbol of the arc that reads it, as people write it; `tag`: what
    a transducer gives the word."""

    word: str
    source: int
    target: int
    symbol: str
    reading: Reading
    tag: str | None = None


Onward = Callable[[int, str], Iterable[Move]]  # from a state and a word to all moves


def rule_path(machine: PseudoDfa | ExactDfa, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """The moves of an accepted sentence; None for one that the machine does not accept."""
    return _exact(machine, sentence) if isinstance(machine, ExactDfa) else _pseudo(machine, sentence)


def symbols_reading(word: str, complements: Collection[Symbol] = ()) -> tuple[Symbol, ...]:
    """The symbols that read a word: itself, its kind, those of the complements that leave other words out, `$`."""
    kinds = ((NUMBER,) if is_number(word) else ()) + ((PUNCTUATION,) if is_punctuation(word) else ())
    return (word, *kinds, *(symbol for symbol in complements if reads(symbol, word)), ANY)


def arc_reading(machine: PseudoDfa, source: int, target: int, word: str) -> Symbol | None:
    """What an arc of the machine reads a word by, the word itself before its kind before `$`; None without such an
    arc."""
    for symbol in symbols_reading(word, machine.complements):
        column = machine.column_of.get(symbol)
        if column is not None and machine.next_states[source].get(column) == target:
            return symbol
    return None


def reading_of(symbol: Symbol, source: int, target: int) -> Reading:
    """How a word was read by a symbol between two states."""
    if symbol is not ANY and not isinstance(symbol, Complement):
        return Reading.NAMED
    return Reading.LOOP if source == target else Reading.ANY


def _exact(machine: ExactDfa, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    state = 0
    moves = []
    for word in sentence:
        target = machine.step(state, word)
        if target == DEAD:
            return None
        symbol: Symbol = word if word in machine.words else machine.classes.find(word) or ANY
        moves.append(Move(word, state, target, show_symbol(symbol), reading_of(symbol, state, target)))
        state = target
    return tuple(moves) if state in machine.finals else None


def _pseudo(machine: PseudoDfa, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    def onward(source: int, word: str) -> Iterator[Move]:
        for symbol in symbols_reading(word, machine.complements):
            column = machine.column_of.get(symbol)
            target = None if column is None else machine.next_states[source].get(column)
            if target is not None:
                yield Move(word, source, target, show_symbol(symbol), reading_of(symbol, source, target))

    return way_naming_most(machine.sentence_start, machine.sentence_final, onward, sentence)


def transducer_path(machine: Transducer, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """The same for a machine that gives tags."""

    def onward(source: int, word: str) -> Iterator[Move]:
        for symbol in symbols_reading(word, machine.complements):
            for arc in machine.arcs_of.get(symbol, ()):
                if arc.source == source:
                    reading = reading_of(symbol, source, arc.target)
                    yield Move(word, source, arc.target, show_symbol(symbol), reading, arc.output)

    return way_naming_most(machine.sentence_start, machine.sentence_final, onward, sentence)


def way_naming_most(starts: int, finals: int, onward: Onward, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """The accepting way that names most words, of moves that `onward` gives; starts and finals are bit sets."""
    best = dict.fromkeys(bits(starts), 0)
    came: list[dict[int, Move]] = []
    for word in sentence:
        best, moves = _step(best, onward, word)
        came.append(moves)
    ends = [state for state in best if finals >> state & 1]
    if not ends:
        return None
    state = max(ends, key=lambda end: (best[end], -end))
    way: list[Move] = []
    for moves in reversed(came):
        way.append(moves[state])
        state = moves[state].source
    return tuple(reversed(way))


def _step(best: dict[int, int], onward: Onward, word: str) -> tuple[dict[int, int], dict[int, Move]]:
    """The most words named on the way to each state behind a word, and the move that leads there."""
    after: dict[int, int] = {}
    moves: dict[int, Move] = {}
    for source in sorted(best):
        for move in onward(source, word):
            named = best[source] + (move.reading is Reading.NAMED)
            if named > after.get(move.target, -1):
                after[move.target] = named
                moves[move.target] = move
    return after, moves
