"""The smallest parts of a rule: from one token to its node, or to the bounds of a repeat."""

from __future__ import annotations

import re

from re2nn_core.rules.lexer import OPERATORS, BadTokenError, invisible_sign, print_word, read_word
from re2nn_core.rules.tree import (
    Any,
    CaseWord,
    ClassReference,
    Lemma,
    Node,
    Number,
    Punctuation,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
)
from re2nn_core.text.case_words import is_case, surface_of
from re2nn_core.text.lemmas import forms_of, is_lemma
from re2nn_core.text.like_words import is_like, read_like
from re2nn_core.text.word_patterns.letter_automaton import PatternError
from re2nn_core.text.word_patterns.notation import automaton_of, is_pattern

MAX_REPEAT = 1000
SLOT = re.compile(r"[\w.:/'\-]+")
CLASS_NAME = re.compile(r"[\w.\-]+")

Leaves = dict[str, Node]
_SIGNS: Leaves = {
    "$": Any(),
    "%": Number(),
    "&": Punctuation(),
    "BOS": SentenceStart(),
    "EOS": SentenceEnd(),
}
_REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNT = re.compile(r"\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}")
_UPPER_COUNT = re.compile(r"\{\s*,\s*(\d+)\s*\}")
_COUNT_ADVICE = "Write a repeat count as {2}, {2,} or {2,5}."


def new_leaves() -> Leaves:
    """The leaves every file starts with; the parser adds to them, so that equal words share one node."""
    return dict(_SIGNS)


def read_leaf(lexeme: str) -> Node:
    """The node of a word or a class; BadTokenError for a token that stands for nothing."""
    if lexeme[0] == "@":
        return _read_class_reference(lexeme)
    if lexeme == "\\":
        raise BadTokenError(
            "the backslash is followed by a blank or the end",
            "Remove it, make it the last character of a line to be continued, or write \\\\ for the sign.",
        )
    if lexeme in OPERATORS:
        raise BadTokenError(f"'{lexeme}' is alone, without an operand", f"Write \\{lexeme} for the sign itself.")
    if is_pattern(lexeme):
        return _read_pattern(lexeme)
    if is_lemma(lexeme):
        return _read_lemma(lexeme)
    if is_case(lexeme):
        return _read_case(lexeme)
    word = read_word(lexeme)
    if lexeme[0] != '"' and ":=" in lexeme:
        raise BadTokenError(
            "':=' is inside the rule",
            invisible_sign(lexeme)
            or "A name comes first on its line and holds letters, digits and . + - / _ only; "
            f"for a plain word write {print_word(word)}.",
        )
    return Word(word)


def _read_pattern(lexeme: str) -> Node:
    """`re"book.*"`, `glob"book*"` or `~"book"`."""
    try:
        automaton_of(lexeme)
    except PatternError as error:
        raise BadTokenError(f"{lexeme[:60]}: {error.message}", error.advice) from None
    return WordPattern(lexeme)


def _read_lemma(lexeme: str) -> Node:
    """`lemma:"go"`."""
    try:
        forms_of(lexeme)
    except PatternError as error:
        raise BadTokenError(f"{lexeme[:60]}: {error.message}", error.advice) from None
    return Lemma(lexeme)


def _read_case(lexeme: str) -> Node:
    """`case"Apple"`."""
    try:
        surface_of(lexeme)
    except PatternError as error:
        raise BadTokenError(f"{lexeme[:60]}: {error.message}", error.advice) from None
    return CaseWord(lexeme)


def _read_class_reference(lexeme: str) -> Node:
    """`@name@` or `@name<:>slot@`."""
    name, tagged, slot = lexeme[1:-1].partition("<:>")
    if len(lexeme) < 2:
        raise BadTokenError(
            "'@' does not begin a class name that a second '@' ends",
            "Write @name@ for a class, or \\@ for the sign itself.",
        )
    if is_like(name):
        try:
            read_like(name)
        except PatternError as error:
            raise BadTokenError(error.message, error.advice) from None
    elif not CLASS_NAME.fullmatch(name):
        raise BadTokenError(
            f"'{lexeme}' does not name a class",
            invisible_sign(name)
            or "A class name holds letters, digits and . _ -, as in @city@; write \\@ for the sign itself.",
        )
    if tagged and not SLOT.fullmatch(slot):
        advice = invisible_sign(slot) or "Write it as in @city<:>fromloc.city@."
        raise BadTokenError(f"'{lexeme}' does not name a slot", advice)
    return Tagged(ClassReference(name), slot) if tagged else ClassReference(name)


def read_repeat(lexeme: str) -> tuple[int, int | None]:
    """The bounds of `*`, `+`, `?`, `{m}`, `{m,}` or `{m,n}`; BadTokenError for a count that is none."""
    if lexeme in _REPEATS:
        return _REPEATS[lexeme]
    match = _COUNT.fullmatch(lexeme)
    if match is None:
        raise _malformed_count(lexeme)
    bounds = [match[1]] if match[2] is None else [match[1], match[3]]
    # A count of thousands of digits must not even be turned into a number.
    if any(len(bound.lstrip("0")) > 4 or int(bound or 0) > MAX_REPEAT for bound in bounds):
        raise BadTokenError(
            f"'{lexeme[:20]}' repeats too often",
            f"A count may be {MAX_REPEAT:,} at most; write * or + for any number of times.",
        )
    least = int(bounds[0])
    most = least if len(bounds) == 1 else int(bounds[1]) if bounds[1] else None
    if most is not None and most < least:
        raise BadTokenError(
            f"'{lexeme}' asks for at least {least} and at most {most}",
            f"The smaller count comes first: {{{most},{least}}}.",
        )
    return least, most


def _malformed_count(lexeme: str) -> BadTokenError:
    """What is wrong with a brace that holds no count, and what to write."""
    if lexeme[-1] != "}":
        return BadTokenError(f"'{lexeme}' has no closing brace", _COUNT_ADVICE)
    upper = _UPPER_COUNT.fullmatch(lexeme)
    advice = f"Write {{0,{upper[1]}}} for at most {upper[1]} times." if upper else _COUNT_ADVICE
    return BadTokenError(f"'{lexeme}' is not a repeat count", advice)
