"""Symbols that a machine can never tell apart, put together: the columns of its table.

A rule that names `(monday | tuesday | ...)` in one place has one column for all of them. The three columns of
an exact machine that name no word stand for all other words, all other numbers, all other punctuation.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count, islice
from typing import TypeVar

from re2nn_core.automata.symbols import Symbol
from re2nn_core.text.word_patterns.classes import holds_for, is_class_word, patterns_of

OTHER_WORD, OTHER_NUMBER, OTHER_PUNCTUATION = 0, 1, 2
OTHER_COLUMNS = 3

S = TypeVar("S", bound=Symbol)
_MOST_TRIED = 50  # words that may stand for a column, where patterns hold for some

# Words that stand for the unnamed ones when a sentence has to be shown.
_STAND_INS = (
    ("something", "anything", "thing", "stuff", "word"),
    ("7", "42", "1000", "3.5"),
    (",", ";", "!", "..."),
)


def group_by_key(keys: Iterable[tuple[S, int]]) -> list[tuple[frozenset[S], int]]:
    """Symbols with the same key together, in the order of the keys' first appearance."""
    groups: dict[int, list[S]] = {}
    for symbol, key in keys:
        groups.setdefault(key, []).append(symbol)
    return [(frozenset(symbols), key) for key, symbols in groups.items()]


def stand_in(column: int, named: frozenset[str]) -> str:
    """A word for one of the three columns that name none: not among the named ones, and in none of the classes of words
    that are named."""
    patterns = frozenset[str]().union(*(patterns_of(word) for word in named if is_class_word(word)))
    more = ((f"other{number}", f"{number}", "!" * number)[column] for number in count(1))
    words = (word for word in chain(_STAND_INS[column], more) if word not in named)
    if not patterns:
        return next(words)
    # Patterns may hold for all of them, as re".*" does: then no sentence goes this way.
    tried = list(islice(words, _MOST_TRIED))
    return next((word for word in tried if not any(holds_for(one, word) for one in patterns)), tried[0])
