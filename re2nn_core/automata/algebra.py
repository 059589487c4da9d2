"""Intersection, union, difference and complement of exact machines; equivalence and shortest sentences.

Every operation walks pairs of states, one of each machine, over columns that neither can tell apart, and
minimises what it finds. The dead state -1 is a state like any other here, since a complement accepts from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from re2nn_core.automata.alphabet import OTHER_COLUMNS, group_by_key, stand_in
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.minimize import DEAD, minimize_table
from re2nn_core.text.vocabulary import unknown_kind
from re2nn_core.text.word_patterns.classes import WordClasses, is_class_word, jointly_named, unnamed_example

Keep = Callable[[bool, bool], bool]

EVERYTHING = ExactDfa((), ((0, 0, 0),), frozenset({0}))
NOTHING = ExactDfa((), ((DEAD, DEAD, DEAD),), frozenset())


def intersection(left: ExactDfa, right: ExactDfa) -> ExactDfa:
    """The sentences that both accept."""
    return product(left, right, lambda a, b: a and b)


def union(left: ExactDfa, right: ExactDfa) -> ExactDfa:
    """The sentences that either accepts."""
    return product(left, right, lambda a, b: a or b)


def difference(left: ExactDfa, right: ExactDfa) -> ExactDfa:
    """The sentences that only the left one accepts."""
    return product(left, right, lambda a, b: a and not b)


def symmetric_difference(left: ExactDfa, right: ExactDfa) -> ExactDfa:
    """The sentences that exactly one of them accepts."""
    return product(left, right, lambda a, b: a != b)


def complement(machine: ExactDfa) -> ExactDfa:
    """The sentences that the machine does not accept."""
    return difference(EVERYTHING, machine)


def equivalent(left: ExactDfa, right: ExactDfa) -> bool:
    """Whether both accept the same sentences."""
    return shortest_accepted(symmetric_difference(left, right)) is None


def shortest_witness(left: ExactDfa, right: ExactDfa) -> tuple[str, ...] | None:
    """A shortest sentence that only the left one accepts; None if there is none."""
    return shortest_accepted(difference(left, right))


def product(left: ExactDfa, right: ExactDfa, keep: Keep) -> ExactDfa:
    """The minimal machine of the sentences for which `keep(left accepts, right accepts)` holds."""
    columns, alphabet = _shared_columns(left, right)
    numbers = {(0, 0): 0}
    queue = [(0, 0)]
    table: list[list[int]] = []
    for a, b in queue:
        row = []
        for left_column, right_column in columns:
            pair = (
                DEAD if a == DEAD else left.table[a][left_column],
                DEAD if b == DEAD else right.table[b][right_column],
            )
            if pair not in numbers:
                numbers[pair] = len(numbers)
                queue.append(pair)
            row.append(numbers[pair])
        table.append(row)
    finals = {n for (a, b), n in numbers.items() if keep(a in left.finals, b in right.finals)}
    rows, final_rows = minimize_table(table, finals)
    return _drop_unused_columns(alphabet, rows, final_rows)


def _shared_columns(left: ExactDfa, right: ExactDfa) -> tuple[list[tuple[int, int]], list[frozenset[str]]]:
    named = sorted(jointly_named((left.words, right.words)))
    groups = group_by_key(
        (word, left.column(word) * (OTHER_COLUMNS + len(right.alphabet)) + right.column(word)) for word in named
    )
    pairs = [divmod(key, OTHER_COLUMNS + len(right.alphabet)) for _, key in groups]
    return [*((c, c) for c in range(OTHER_COLUMNS)), *pairs], [words for words, _ in groups]


def _drop_unused_columns(alphabet: list[frozenset[str]], rows: list[list[int]], finals: set[int]) -> ExactDfa:
    """Leave out words that behave like the unnamed ones of their kind or class; join columns that became alike."""
    columns = list(zip(*rows, strict=True))
    # Classes of words are told apart together: all stay where one of them matters.
    classes = any(
        is_class_word(word) and columns[unknown_kind(word)] != columns[OTHER_COLUMNS + number]
        for number, words in enumerate(alphabet)
        for word in words
    )
    column_of = {word: columns[OTHER_COLUMNS + number] for number, words in enumerate(alphabet) for word in words}
    known = WordClasses(column_of if classes else ())

    def of_unnamed(word: str) -> tuple[int, ...]:
        """The column that the word has where it is not named."""
        alike = None if is_class_word(word) else known.find(word)
        return columns[unknown_kind(word)] if alike is None else column_of[alike]

    joined: dict[tuple[int, ...], set[str]] = {}
    for number, words in enumerate(alphabet):
        column = columns[OTHER_COLUMNS + number]
        kept = {word for word in words if of_unnamed(word) != column or (classes and is_class_word(word))}
        if kept:
            joined.setdefault(column, set()).update(kept)
    table = tuple(zip(*columns[:OTHER_COLUMNS], *joined, strict=True))
    return ExactDfa(tuple(frozenset(words) for words in joined.values()), table, frozenset(finals))


def shortest_accepted(machine: ExactDfa) -> tuple[str, ...] | None:
    """A shortest sentence that the machine accepts; None if it accepts none."""
    names = [stand_in(column, machine.words) for column in range(OTHER_COLUMNS)]
    names += [unnamed_example(min(words), machine.words) for words in machine.alphabet]
    came_from: dict[int, tuple[int, int] | None] = {0: None}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        if state in machine.finals:
            return tuple(names[column] for column in _path(came_from, state))
        for column, target in enumerate(machine.table[state]):
            if target != DEAD and target not in came_from:
                came_from[target] = (state, column)
                queue.append(target)
    return None


def _path(came_from: dict[int, tuple[int, int] | None], state: int) -> list[int]:
    columns: list[int] = []
    step = came_from[state]
    while step is not None:
        columns.append(step[1])
        step = came_from[step[0]]
    return columns[::-1]


def canonical(machine: ExactDfa) -> ExactDfa:
    """The same machine with idle words left out: equal values for equal languages over named words."""
    return product(machine, EVERYTHING, lambda a, b: a and b)
