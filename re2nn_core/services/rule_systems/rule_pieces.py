"""A printed rule in pieces, each marked where another rule does not name what it says; word classes are opened.

Beside words a rule names kinds of words: `$` any word, `%` a number, `&` a punctuation token. They stand in word
classes too, and come and go as words do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from re2nn_core.rules.leaves import new_leaves
from re2nn_core.rules.lexer import BadTokenError, read_word, spans
from re2nn_core.rules.named_leaves import Named, named_leaves
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import Any, CaseWord, Choice, Lemma, Node, Number, Punctuation, Word, WordPattern
from re2nn_core.text.case_words import is_case
from re2nn_core.text.lemmas import is_lemma
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.notation import is_pattern

State = Literal["same", "changed"]
_OPERATORS = frozenset("()|*+?{[]<")


@dataclass(frozen=True)
class Piece:
    """A part of a printed rule. "changed" marks what the other rule does not name; `words` are those of a class, signs
    such as `&` and phrases of several words among them."""

    text: str
    kind: State = "same"
    words: tuple[Piece, ...] = ()


def pieces_of_tree(tree: Node, classes: Mapping[str, Node], other: Collection[Named]) -> tuple[Piece, ...]:
    """The printed tree cut where its tokens stand; `other` is what the other side names."""
    text = print_expression(tree)
    pieces: list[Piece] = []
    end = 0
    for start, stop in spans(text):
        if start > end:
            pieces.append(Piece(text[end:start]))
        pieces.append(_piece(text[start:stop], classes, other))
        end = stop
    return tuple(pieces)


def _piece(token: str, classes: Mapping[str, Node], other: Collection[Named]) -> Piece:
    name = token.strip("@").partition("<:>")[0]
    if token.startswith("@") and name in classes:
        words = _class_words(expand(classes[name], dict(classes), lowercase=False), other)
        return Piece(token, "changed" if any(word.kind == "changed" for word in words) else "same", words)
    leaf = _leaf(token)
    return Piece(token) if leaf is None else Piece(token, _state([leaf], other))


def _class_words(tree: Node, other: Collection[Named]) -> tuple[Piece, ...]:
    """What a class may stand for, its alternatives: signs first, as in a printed class."""
    options = tree.options if isinstance(tree, Choice) else (tree,)
    printed = {print_expression(option): option for option in options}
    in_order = sorted(printed, key=lambda text: (isinstance(printed[text], Word), text))
    return tuple(Piece(text, _state(named_leaves(printed[text]), other)) for text in in_order)


def _state(leaves: Iterable[Named], other: Collection[Named]) -> State:
    """ "changed" where the other side does not name one of these, in small letters or as it is."""
    return "changed" if any(not ({leaf, _small(leaf)} & set(other)) for leaf in leaves) else "same"


def _small(leaf: Named) -> Named:
    return Word(word_form(leaf.text, lowercase=True)) if isinstance(leaf, Word) else leaf


def names_a_word(token: str) -> bool:
    """Whether a token of a printed rule names a word, and no kind of words."""
    return bool(token.strip()) and isinstance(_leaf(token), Word)


def _leaf(token: str) -> Named | None:
    """What a token of a printed rule names; None for brackets, bars, repeats, tags and the ends of a text."""
    found = new_leaves().get(token)
    if isinstance(found, Any | Number | Punctuation):
        return found
    if found is not None or token[0] in _OPERATORS or token[0] == "@":
        return None
    if is_pattern(token):
        return WordPattern(token)
    if is_lemma(token):
        return Lemma(token)
    if is_case(token):
        return CaseWord(token)
    try:
        return Word(read_word(token))
    except BadTokenError:
        return None
