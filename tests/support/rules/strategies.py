"""Hypothesis strategies for rules: every tree that holds to the invariants of tree.py, and files of them."""

from __future__ import annotations

from hypothesis import strategies as st

from re2nn_core.rules.logic.formulas import Fact, Formula, Not, conjunction, disjunction
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    CaseWord,
    ClassReference,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
    choice,
    concat,
)

PLAIN_WORDS = ("flight", "747", "3.5", "'d", "st.", "o'clock", "dc-10", "机票", "a", "b", "c")
ODD_WORDS = (
    *("$", "%", "&", "(", ")", "|", "*", "+", "?", "{2}", "[", "]", "@", "@city@", '"', "\\", "\\d", '\\"'),
    *(
        "BOS",
        "EOS",
        "bos",
        ".",
        ".*",
        "foo.",
        "^a",
        "=",
        ":=",
        "a:=b",
        "//",
        "http://x",
        "<:>",
        "<",
        "<:",
        "a<:>b",
    ),
    *("]<x>", "（", "\u200b", "50%", "AT&T", "Boston"),
)
SLOTS = ("city", "B-city", "I-fromloc.city_name", "O", "OO", "time:start", "o'clock", "a/b")
CLASS_NAMES = ("city", "day_name", "x.1", "月")
SINGLE_WORD_CLASSES = ("day_name",)


def words(plain: bool = False) -> st.SearchStrategy[Word]:
    """Words; with `plain` only ones that rules name without quotes and that fold to themselves."""
    if plain:
        return st.sampled_from(PLAIN_WORDS).map(Word)
    anything = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=6)
    no_blanks = anything.filter(lambda text: not any(character.isspace() for character in text))
    return st.one_of(st.sampled_from(PLAIN_WORDS), st.sampled_from(ODD_WORDS), no_blanks).map(Word)


def leaves(*, plain: bool = False, anchors: bool = True, classes: bool = True) -> st.SearchStrategy[Node]:
    """Nodes without parts."""
    kinds: list[st.SearchStrategy[Node]] = [
        words(plain),
        st.sampled_from([Any(), Number(), Punctuation(), Empty()]),
    ]
    kinds.append(patterns())
    kinds.append(exceptions(plain=plain, classes=classes))
    if anchors:
        kinds.append(st.sampled_from([SentenceStart(), SentenceEnd()]))
    if classes:
        kinds.append(st.sampled_from(CLASS_NAMES).map(ClassReference))
        kinds.append(case_words())
    return st.one_of(kinds)


def patterns() -> st.SearchStrategy[Node]:
    """What is asked of the letters of a word."""
    return st.sampled_from(['re"book.*"', r're"\d+(st|\")"', 'glob"*ing"', '~"refund"']).map(WordPattern)


def case_words() -> st.SearchStrategy[Node]:
    """Words of which the case counts: put in where rules are read, as classes are."""
    return st.sampled_from(['case"Apple"', 'case"us"', 'case"Été"']).map(CaseWord)


def exceptions(*, plain: bool = False, classes: bool = True) -> st.SearchStrategy[Node]:
    """Any word but some: words, numbers, punctuation, the words of classes."""
    kinds: list[st.SearchStrategy[Node]] = [words(plain), st.sampled_from([Number(), Punctuation()]), patterns()]
    if classes:
        kinds.append(st.sampled_from(SINGLE_WORD_CLASSES).map(ClassReference))
        kinds.append(case_words())
    members = st.lists(st.one_of(kinds), min_size=1, max_size=3, unique=True)
    return members.map(lambda found: Except(tuple(found)))


def _bounds(most: int) -> st.SearchStrategy[tuple[int, int | None]]:
    pairs = st.tuples(st.integers(0, most), st.integers(0, most)).map(lambda pair: (min(pair), max(pair)))
    return st.one_of(st.sampled_from([(0, None), (1, None), (0, 1)]), pairs, st.tuples(st.integers(0, most), st.none()))


def _larger(inner: st.SearchStrategy[Node], most: int) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(concat),
        st.lists(inner, min_size=2, max_size=4).map(choice),
        st.builds(lambda node, bounds: Repeat(node, *bounds), inner, _bounds(most)),
    )


def plain_trees(
    *, plain: bool = False, anchors: bool = True, classes: bool = True, most: int = 12, max_leaves: int = 10
) -> st.SearchStrategy[Node]:
    """Trees without captures and tags; `most` bounds the counts of repeats."""
    leaf = leaves(plain=plain, anchors=anchors, classes=classes)
    return st.recursive(leaf, lambda inner: _larger(inner, most), max_leaves=max_leaves)


def trees(*, plain: bool = False, classes: bool = True) -> st.SearchStrategy[Node]:
    """Trees with captures and tags, none inside another."""
    slots = st.sampled_from(SLOTS)
    untagged = plain_trees(plain=plain, classes=classes, max_leaves=4)
    marked = st.one_of(
        untagged,
        st.builds(Capture, untagged.filter(lambda node: node != Empty()), slots),
        st.builds(Tagged, untagged.filter(lambda node: not isinstance(node, SentenceStart | SentenceEnd)), slots),
    )
    whole = st.recursive(marked, lambda inner: _larger(inner, 5), max_leaves=5)
    excluded = plain_trees(plain=plain, classes=classes, max_leaves=4).filter(lambda node: node != Empty())
    return st.one_of(whole, whole, st.builds(ButNot, whole.filter(lambda node: node != Empty()), excluded))


def formulas(rules: tuple[str, ...]) -> st.SearchStrategy[Formula]:
    """Formulas over the names of rules."""
    return st.recursive(
        st.sampled_from(rules).map(Fact),
        lambda inner: st.one_of(
            inner.map(lambda formula: formula.inner if isinstance(formula, Not) else Not(formula)),
            st.lists(inner, min_size=2, max_size=3).map(conjunction),
            st.lists(inner, min_size=2, max_size=3).map(disjunction),
        ),
        max_leaves=8,
    )
