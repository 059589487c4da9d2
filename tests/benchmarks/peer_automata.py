"""Rules as automata of Pynini, which compiles and minimises them as the product does.

Each rule reads its own words, and one symbol each for any other word, other number and other punctuation mark: the
product's columns, so that both build the same minimal automaton.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as Value

from re2nn_core.rules.tree import (
    Any,
    Choice,
    Concat,
    Empty,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
    walk,
)
from re2nn_core.text.kinds import is_number, is_punctuation

OTHER, OTHER_NUMBER, OTHER_PUNCTUATION = "other", "number", "punctuation"


def states_by_pynini(trees: Sequence[Node]) -> list[int]:
    """The states of each rule's minimal automaton. ValueError for what has no counterpart here."""
    return [_minimal(tree).num_states() for tree in trees]


def _minimal(tree: Node) -> Value:
    import pynini
    import pywrapfst

    words = sorted({node.text for node in walk(tree) if isinstance(node, Word)})
    symbols = pywrapfst.SymbolTable()
    symbols.add_symbol("<eps>", 0)
    kinds = {OTHER: OTHER, OTHER_NUMBER: OTHER_NUMBER, OTHER_PUNCTUATION: OTHER_PUNCTUATION}
    # A name of its own for each word: brackets and backslashes mean something to Pynini.
    names = {word: f"w{number}" for number, word in enumerate(words)} | kinds
    for name in names.values():
        symbols.add_symbol(name)
    one = {word: pynini.accep(name, token_type=symbols) for word, name in names.items()}

    def any_of(chosen: Sequence[str]) -> Value:
        return pynini.union(*(one[word] for word in chosen))

    numbers = [OTHER_NUMBER, *(word for word in words if is_number(word))]
    marks = [OTHER_PUNCTUATION, *(word for word in words if is_punctuation(word))]
    leaves = {Any(): any_of(list(names)), Number(): any_of(numbers), Punctuation(): any_of(marks)}
    empty = pynini.accep("", token_type=symbols)

    def built(node: Node) -> Value:
        match node:
            case Word(text):
                return one[text]
            case Concat(parts):
                whole = empty
                for part in parts:
                    whole = whole + built(part)
                return whole
            case Choice(options):
                return pynini.union(*map(built, options))
            case Repeat(inner, least, most):
                return pynini.closure(built(inner), least, most or 0)  # 0: without limit
            case Empty() | SentenceStart() | SentenceEnd():
                return empty  # at either end of a rule, and nowhere else in the measured ones: states are compared
        if node in leaves:
            return leaves[node]
        raise ValueError(f"no automaton for {node} here")

    automaton = built(tree).copy()
    automaton.rmepsilon()
    deterministic = pynini.determinize(automaton)
    deterministic.minimize()
    return deterministic
