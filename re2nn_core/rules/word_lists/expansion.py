"""From the entries of a list to the words that a rule reads, alternatives with what they begin with in common.

An entry stands for the words into which a project's tokenizer cuts it, whichever that is: `St. Louis` is read as
`st. louis` and as `st . louis`. Words after which the same may follow are alternatives of one place, so that a list of
100,000 words is one place of an automaton, and one column of its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from re2nn_core.rules.tree import Choice, Concat, Node, Repeat, Word, WordList
from re2nn_core.text.tokenization import SPLITTING_KINDS, Tokenization, words

# Letters and blanks are cut in one way, where they are no CJK; so are digits behind letters, and digits alone.
_ONE_WAY = re.compile(r"(?:[^\W\d_]+\d*|\d+)(?: (?:[^\W\d_]+\d*|\d+))*")
Words = tuple[str, ...]


def expanded_list(word_list: WordList, *, lowercase: bool) -> Node:
    """What the list reads: a word, or alternatives."""
    return _expanded(word_list, lowercase)


@lru_cache(maxsize=64)
def _expanded(word_list: WordList, lowercase: bool) -> Node:
    return _tree(frozenset(found for entry in word_list.entries for found in ways_of(entry, lowercase=lowercase)))


def ways_of(entry: str, *, lowercase: bool) -> Iterable[Words]:
    """The words of an entry, by each tokenizer."""
    if entry.isascii() and _ONE_WAY.fullmatch(entry):
        return (tuple((entry.lower() if lowercase else entry).split(" ")),)
    return {words(entry, Tokenization(kind, lowercase)) for kind in SPLITTING_KINDS}


def _tree(entries: frozenset[Words]) -> Node:
    """Alternatives of word sequences, none of them empty."""
    behind: dict[str, set[Words]] = {}
    for first, *rest in entries:
        behind.setdefault(first, set()).add(tuple(rest))
    groups: dict[frozenset[Words], list[str]] = {}
    for first, follows in behind.items():
        groups.setdefault(frozenset(follows), []).append(first)
    options: list[Node] = []
    for rests, firsts in sorted(groups.items(), key=lambda group: min(group[1])):
        heads: list[Node] = [Word(word) for word in sorted(firsts)]
        if rests == {()}:
            options += heads
            continue
        head = heads[0] if len(heads) == 1 else Choice(tuple(heads))
        tail = _tree(rests - {()})
        if () in rests:
            tail = Repeat(tail, 0, 1)
        options.append(Concat((head, *(tail.parts if isinstance(tail, Concat) else (tail,)))))
    return options[0] if len(options) == 1 else Choice(tuple(options))
