"""Deterministic machines: one row a state, one column a group of symbols. State 0 is the start, -1 is dead.

PseudoDfa   `$ % & BOS EOS` are symbols like any other (the "pseudo m-DFA" of Jiang et al., EMNLP 2020, section
            3.1): small and readable, but a word may take two arcs, so it is run on sets of states.
ExactDfa    reads words only: a word takes exactly one arc. The machine of the algebra and of matching.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from re2nn_core.automata.alphabet import OTHER_COLUMNS, OTHER_WORD
from re2nn_core.automata.minimize import DEAD, Moves
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    OTHERS,
    PUNCTUATION,
    START,
    Complement,
    Special,
    Symbol,
    complements_of,
    reads,
    words_of,
)
from re2nn_core.text.case_words import as_named
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.vocabulary import unknown_kind
from re2nn_core.text.word_patterns.classes import WordClasses


def _check_table(columns: int, table: tuple[tuple[int, ...], ...], finals: frozenset[int]) -> None:
    for state, row in enumerate(table):
        if len(row) != columns:
            raise ValueError(f"state {state} has {len(row)} entries, expected {columns}")
    _check_targets(table, DEAD, finals)


def _check_targets(targets: Sequence[Sequence[int]], least: int, finals: frozenset[int]) -> None:
    states = len(targets)
    if states == 0:
        raise ValueError("an automaton has at least its start state")
    for state, row in enumerate(targets):
        if max(row, default=least) >= states or min(row, default=least) < least:
            raise ValueError(f"state {state} leads to a state outside 0 to {states - 1}: {row}")
    if finals and not 0 <= min(finals) <= max(finals) < states:
        raise ValueError(f"final states must be among 0 to {states - 1} (got {sorted(finals)})")


def _check_moves(columns: int, moves: tuple[Moves, ...], finals: frozenset[int]) -> None:
    for state, row in enumerate(moves):
        read = [column for column, _ in row]
        if any(left >= right for left, right in pairwise(read)) or (read and not 0 <= read[0] <= read[-1] < columns):
            raise ValueError(f"state {state} must name columns 0 to {columns - 1} in order, each once (got {read})")
    _check_targets([[target for _, target in row] for row in moves], 0, finals)


def table_of_moves(moves: Sequence[Moves], columns: int) -> list[list[int]]:
    """[states, columns]: the next state, or -1."""
    table = []
    for row in moves:
        filled = [DEAD] * columns
        for column, target in row:
            filled[column] = target
        table.append(filled)
    return table


def moves_of_table(table: Sequence[Sequence[int]]) -> tuple[Moves, ...]:
    """What `table_of_moves` made a table of."""
    return tuple(tuple((column, target) for column, target in enumerate(row) if target != DEAD) for row in table)


@dataclass(frozen=True)
class PseudoDfa:
    """`moves[state]`: (column, next state) for each `alphabet[column]` that the state reads, columns ascending. Lists
    of many words make thousands of columns of which a state reads few."""

    alphabet: tuple[frozenset[Symbol], ...]
    moves: tuple[Moves, ...]
    finals: frozenset[int]

    def __post_init__(self) -> None:
        _check_moves(len(self.alphabet), self.moves, self.finals)

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def next_states(self) -> tuple[dict[int, int], ...]:
        """For each state the next one by column."""
        return tuple(map(dict, self.moves))

    def arcs(self) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
        """(source, target, symbols), one for each pair of states that are joined, in order."""
        yield from _joined_arcs(self.alphabet, self.moves)

    def shown_arcs(self) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
        """The same as people read it."""
        return self.arcs()

    @cached_property
    def arc_count(self) -> int:
        """Number of (source, symbol, target) triples."""
        return sum(len(symbols) for _, _, symbols in self.arcs())

    @cached_property
    def column_of(self) -> dict[Symbol, int]:
        return {symbol: column for column, symbols in enumerate(self.alphabet) for symbol in symbols}

    @cached_property
    def complements(self) -> tuple[Special, ...]:
        """The symbols that read all words but some."""
        return complements_of(self.column_of)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that the machine names, also to leave them out."""
        return words_of(self.column_of)

    def move(self, states: int, symbol: Symbol) -> int:
        """The set of states behind a symbol, read as the symbol itself; sets of states are bit sets."""
        column = self.column_of.get(symbol)
        moved = 0
        if column is not None:
            for state in bits(states):
                target = self.next_states[state].get(column)
                if target is not None:
                    moved |= 1 << target
        return moved

    def read(self, states: int, word: str) -> int:
        """The set of states behind a word of a text: by name, by kind, or by `$`."""
        word = as_named(word, self.words)
        moved = self.move(states, word) | self.move(states, ANY)
        if NUMBER in self.column_of and is_number(word):
            moved |= self.move(states, NUMBER)
        if PUNCTUATION in self.column_of and is_punctuation(word):
            moved |= self.move(states, PUNCTUATION)
        for complement in self.complements:
            if reads(complement, word):
                moved |= self.move(states, complement)
        return moved

    @cached_property
    def sentence_start(self) -> int:
        """The states a sentence may begin in: the start, and the state behind a leading BOS."""
        return 1 | self.move(1, START)

    @cached_property
    def sentence_final(self) -> int:
        """The states a sentence may end in: final ones, and those with a closing EOS in front of one."""
        written = sum(1 << state for state in self.finals)
        before_end = (1 << state for state in range(len(self)) if self.move(1 << state, END) & written)
        return written | sum(before_end)

    def accepts(self, sentence: Sequence[str]) -> bool:
        """Whether some path reads the whole sentence into a final state."""
        states = self.sentence_start
        for word in sentence:
            states = self.read(states, word)
            if not states:
                return False
        return bool(states & self.sentence_final)


@dataclass(frozen=True)
class ExactDfa:
    """Columns 0, 1, 2 are all unnamed words, numbers, punctuation; column 3 + i is `alphabet[i]`."""

    alphabet: tuple[frozenset[str], ...]
    table: tuple[tuple[int, ...], ...]
    finals: frozenset[int]

    def __post_init__(self) -> None:
        _check_table(OTHER_COLUMNS + len(self.alphabet), self.table, self.finals)

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def column_of(self) -> dict[str, int]:
        return {w: OTHER_COLUMNS + number for number, words in enumerate(self.alphabet) for w in words}

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that the machine names."""
        return frozenset(self.column_of)

    def column(self, word: str) -> int:
        """The column of a word of a text."""
        word = as_named(word, self.column_of)
        named = self.column_of.get(word)
        if named is None and (alike := self.classes.find(word)) is not None:
            named = self.column_of[alike]
        return unknown_kind(word) if named is None else named

    @cached_property
    def classes(self) -> WordClasses:
        """The classes of words that the machine tells apart by their letters."""
        return WordClasses(self.column_of)

    def step(self, state: int, word: str) -> int:
        """The next state, or -1; -1 stays -1."""
        return DEAD if state == DEAD else self.table[state][self.column(word)]

    def accepts(self, sentence: Sequence[str]) -> bool:
        """Whether the one path that reads the sentence ends in a final state."""
        state = 0
        for word in sentence:
            state = self.step(state, word)
        return state in self.finals

    def arcs(self) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
        """(source, target, symbols) for drawing: `$` for the unnamed words, `%` and `&` where they differ from it,
        and words where they differ from their kind; words that a state cannot read while it reads the others of their
        kind are left out of these, `[^ a ]`."""
        for state, row in enumerate(self.table):
            joined: dict[int, set[Symbol]] = {}
            for target, symbol in self._row_arcs(row):
                joined.setdefault(target, set()).add(symbol)
            for target in sorted(joined):
                yield state, target, frozenset(joined[target])

    def shown_arcs(self) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
        """The same as people read it: where `$`, `%` or `&` leave out words that the state reads otherwise, or not at
        all, they say so."""
        others = [self._others(row) for row in self.table]
        for source, target, symbols in self.arcs():
            yield source, target, frozenset(_shown(one, others[source]) for one in symbols)

    def _others(self, row: tuple[int, ...]) -> dict[Special, Special]:
        """What special symbols mean in a state that reads some of their words otherwise."""
        kinds = {
            kind
            for number, words in enumerate(self.alphabet)
            for kind in map(unknown_kind, words)
            if row[OTHER_COLUMNS + number] not in (row[kind], DEAD)
        }
        whole = all(entry == row[OTHER_WORD] for entry in row if entry != DEAD)
        left_out = {ANY: not whole, NUMBER: 1 in kinds, PUNCTUATION: 2 in kinds}
        return {symbol: OTHERS[symbol] for symbol, out in left_out.items() if out}

    def _unread(self, row: tuple[int, ...]) -> list[tuple[str, int]]:
        """The named words that the state cannot read while it reads the unnamed ones of their kind, and this kind."""
        groups = (words for number, words in enumerate(self.alphabet) if row[OTHER_COLUMNS + number] == DEAD)
        named = ((word, unknown_kind(word)) for words in groups for word in words)
        return [(word, kind) for word, kind in named if row[kind] != DEAD]

    def _row_arcs(self, row: tuple[int, ...]) -> Iterator[tuple[int, Symbol]]:
        unread = self._unread(row)
        for column, special in enumerate((ANY, NUMBER, PUNCTUATION)):
            if row[column] != DEAD and (column == OTHER_WORD or row[column] != row[OTHER_WORD]):
                but = {
                    word for word, kind in unread if kind == column or (column == OTHER_WORD and row[kind] == row[0])
                }
                signs = (NUMBER, PUNCTUATION) if column == OTHER_WORD else ()
                left_out = frozenset[Symbol](but).union(sign for kind, sign in enumerate(signs, 1) if row[kind] == DEAD)
                yield row[column], Complement(left_out, special) if left_out else special
        for number, words in enumerate(self.alphabet):
            target = row[OTHER_COLUMNS + number]
            for word in words:
                if target != DEAD and target != row[unknown_kind(word)]:
                    yield target, word


def _shown(symbol: Symbol, others: dict[Special, Special]) -> Symbol:
    """A symbol of an exact machine as people read it."""
    if isinstance(symbol, Complement):
        return Complement(symbol.but, others.get(symbol.base, symbol.base))
    return others.get(symbol, symbol) if isinstance(symbol, Special) else symbol


def _joined_arcs(
    alphabet: Sequence[frozenset[Symbol]], moves: Sequence[Moves]
) -> Iterator[tuple[int, int, frozenset[Symbol]]]:
    for state, row in enumerate(moves):
        joined: dict[int, list[frozenset[Symbol]]] = {}
        for column, target in row:
            joined.setdefault(target, []).append(alphabet[column])
        for target in sorted(joined):
            yield state, target, frozenset().union(*joined[target])
