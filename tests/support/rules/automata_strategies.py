"""Random syntax trees and sentences over a vocabulary so small that all short sentences can be listed."""

from __future__ import annotations

from hypothesis import strategies as st

from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
    WordPattern,
    choice,
    concat,
)

RULE_WORDS = ("a", "b", "c", "7", ",")
# What rules name, and a word, a number and a sign that no rule names.
TEXT_WORDS = ("a", "b", "c", "d", "7", "9", ",", "!")

_WORDS: list[Node] = [Word(word) for word in RULE_WORDS]
_SIGNS: list[Node] = [Any(), Number(), Punctuation()]
_EXCEPT: list[Node] = [
    Except((Word("a"),)),
    Except((Word("b"), Word("7"), Punctuation())),
    Except((Number(), Word("c"))),
]
_PATTERNS: list[Node] = [
    WordPattern('re"[abd].*"'),
    WordPattern('re"[7-9]|d|!+"'),
    WordPattern('~"bb"'),
    Except((WordPattern('re"[ad]"'), Word("b"))),
]
_ANCHORS: list[Node] = [SentenceStart(), SentenceEnd()]
_BOUNDS = [(0, None), (1, None), (0, 1), (2, None), (2, 2), (1, 2), (0, 2), (0, 0), (1, 3)]


def _trees_over(leaves: list[Node], size: int) -> st.SearchStrategy[Node]:
    def bigger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        repeats = st.builds(lambda node, bounds: Repeat(node, *bounds), inner, st.sampled_from(_BOUNDS))
        return st.one_of(
            st.lists(inner, min_size=2, max_size=4).map(concat),
            st.lists(inner, min_size=2, max_size=3).map(choice),
            repeats,
        )

    inner = st.recursive(st.sampled_from(leaves), bigger, max_leaves=size)
    return st.one_of(inner, st.lists(inner, min_size=2, max_size=3).map(concat))


def expressions(size: int = 7) -> st.SearchStrategy[Node]:
    """Any expression, BOS, EOS and the empty one among its leaves wherever it comes."""
    return _trees_over([*_WORDS, *_SIGNS, *_SIGNS, *_EXCEPT, *_ANCHORS, Empty()], size)


def pattern_trees(size: int = 6) -> st.SearchStrategy[Node]:
    """Expressions that ask for letters of words."""
    return _trees_over([*_WORDS, *_SIGNS, *_EXCEPT, *_PATTERNS, *_PATTERNS, *_ANCHORS], size)


def excluded(size: int = 4) -> st.SearchStrategy[Node]:
    """What a rule leaves out."""
    return _trees_over([*_WORDS, *_SIGNS, *_EXCEPT, *_ANCHORS], size)


def trees(size: int = 7) -> st.SearchStrategy[Node]:
    """Any tree of a rule: an expression, or one without the texts of another one."""
    return st.one_of(expressions(size), expressions(size), st.builds(ButNot, expressions(size), excluded()))


def plain_trees(size: int = 7) -> st.SearchStrategy[Node]:
    """Trees of named words only: what every automata library understands."""
    return _trees_over([*_WORDS[:3], Empty()], size)


def word_trees(size: int = 7) -> st.SearchStrategy[Node]:
    """Trees without BOS and EOS."""
    return _trees_over([*_WORDS, *_SIGNS, *_EXCEPT], size)


def sentences(longest: int = 6) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(TEXT_WORDS), max_size=longest).map(tuple)
