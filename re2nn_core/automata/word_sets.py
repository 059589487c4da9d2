"""Sets of words in one form: equal sets are equal symbols, however they were put together.

A set is told by the kinds of words that no rule names (plain words, numbers, punctuation) and by the named words that
behave otherwise: `{ "a", [^ a b ] }` is `{ [^ b ] }`, and `{ "7", % }` is `{ % }`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from re2nn_core.automata.alphabet import OTHER_COLUMNS, OTHER_NUMBER, OTHER_PUNCTUATION, OTHER_WORD
from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    PUNCTUATION,
    START,
    ClassOfWords,
    Complement,
    Pattern,
    Special,
    Symbol,
    complements_of,
    reading,
    reads_unnamed,
    words_of,
)
from re2nn_core.text.vocabulary import unknown_kind
from re2nn_core.text.word_patterns.classes import Members, is_class_word, members_of

Symbols = frozenset[Symbol]
_ANCHORS = frozenset((START, END))
_SIGN_OF: dict[int, Special] = {OTHER_NUMBER: NUMBER, OTHER_PUNCTUATION: PUNCTUATION}


def united(symbols: Symbols) -> Symbols:
    """The symbols with the fewest that read the same words; those of BOS and EOS stay. Patterns stay as they are."""
    asked = frozenset(complements_of(symbols))
    if all(isinstance(symbol, Pattern) for symbol in asked) or any(map(is_class_word, words_of(asked))):
        return frozenset(s for s in symbols if not (isinstance(s, str) and reading(asked, s)))
    kinds = [kind for kind in range(OTHER_COLUMNS) if reads_kind(symbols, kind)]
    return word_set(kinds, words_of(symbols), lambda word: reading(symbols, word)) | (symbols & _ANCHORS)


def reads_kind(symbols: Symbols, kind: int) -> bool:
    """Whether one of the symbols reads the unnamed words of a kind."""
    return any(reads_unnamed(symbol, kind) for symbol in symbols)


def without_words(symbols: Symbols, words: Symbols) -> Symbols:
    """The symbols without some words that they read; `$` becomes `[^ ... ]`."""
    if not any(isinstance(symbol, Special) for symbol in symbols):
        return symbols - words
    kinds = [kind for kind in range(OTHER_COLUMNS) if reads_kind(symbols, kind)]
    return word_set(kinds, words_of(symbols | words), lambda word: not reading(words, word) and reading(symbols, word))


def word_set(
    kinds: Collection[int], named: Collection[str], inside: Callable[[str], bool], members: Members | None = None
) -> Symbols:
    """The set of all unnamed words of some kinds, and of those of the `named` words that are `inside`. `members` are
    for each pattern the words for which it holds; None: those of the named ones."""
    members = members_of(named) if members is None else members
    kind_of = {word: unknown_kind(word) for word in named}
    read = {word for word in named if inside(word)}
    left_out = {word for word in named if word not in read and kind_of[word] in kinds}
    found = in_patterns({word for word in read if kind_of[word] not in kinds}, members)
    if OTHER_WORD in kinds:
        signs = (sign for kind, sign in _SIGN_OF.items() if kind not in kinds)
        but = in_patterns(left_out, members).union(signs)
        found.add(Complement(but) if but else ANY)
        return frozenset(found)
    for kind in kinds:
        but = in_patterns({word for word in left_out if kind_of[word] == kind}, members)
        found.add(Complement(but, _SIGN_OF[kind]) if but else _SIGN_OF[kind])
    return frozenset(found)


def in_patterns(words: Collection[str], members: Members) -> set[Symbol]:
    """Words, among them class words, as symbols: a pattern in place of all its members where all are there.

    `members` are for each pattern the known words for which it holds."""
    left, found = set(words), set[Symbol]()
    for pattern, own in members.items():
        if own and own.issubset(words):
            found.add(Pattern(pattern))
            left -= own
    known = frozenset[str]().union(*members.values())
    named = frozenset(word for word in known if not is_class_word(word))
    patterns = frozenset(members)
    return found.union(ClassOfWords(word, patterns, named) if is_class_word(word) else word for word in left)
