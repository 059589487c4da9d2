"""Words of which the case of letters counts, in a project that ignores case: `case"Apple"`.

Texts are read in small letters there. Where rules name `case"Apple"`, the word that a text spells so is read as
`case Apple`, a word of its own; every other spelling stays `apple`. A plain `apple` of these rules reads both, so that
automata, networks and certificates handle words as they always do. No word of a text has a blank, so that `case Apple`
is never one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from re2nn_core.text.kinds import CASE
from re2nn_core.text.word_form import composed, word_form
from re2nn_core.text.word_patterns.letter_automaton import PatternError

NOTATION = r'case"[^"\\\n]*"'
_CASED = re.compile(NOTATION)


def is_case(text: str) -> bool:
    """Whether a token of a rule asks for the case of a word."""
    return text.startswith('case"') and _CASED.fullmatch(text) is not None


def surface_of(text: str) -> str:
    """The word that `case"Apple"` asks for, as texts spell it. PatternError where it is no word with such letters."""
    word = composed(text[len('case"') : -1])
    if not word or re.search(r"\s", word):
        message = "the quotes are empty" if not word else "one word is matched, and no word has a blank"
        raise PatternError(message, 'Write one word between the quotes, as texts spell it: case"Apple".')
    if word.lower() == word.upper():
        raise PatternError(f"'{word}' has no letters in upper or lower case", f'Write "{word}" without case.')
    return word


def cased_word(surface: str) -> str:
    """The word of its own for a spelling."""
    return CASE + surface


def surfaces_of(words: Iterable[str]) -> frozenset[str]:
    """The spellings that words of their own stand for, among words."""
    return frozenset(word[len(CASE) :] for word in words if word.startswith(CASE))


def without_case(word: str) -> str:
    """The word in small letters for a word of its own; any other word as it is."""
    return word_form(word[len(CASE) :], lowercase=True) if word.startswith(CASE) else word


def as_named(word: str, named: Container[str]) -> str:
    """The word in small letters, for a word of its own that is not among the named ones; for a spelling with capitals
    that a named word of its own stands for, as sentences are shown, that word; any other word as it is."""
    if word.startswith(CASE):
        return word if word in named else without_case(word)
    shown = word not in named and word != word.lower()  # texts have no capitals where words of their own are named
    return own if shown and (own := cased_word(word)) in named else word


def spellings(surfaces: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """For each word in small letters the words of their own that differ from it by case alone."""
    found: dict[str, list[str]] = {}
    for surface in sorted(surfaces):
        found.setdefault(word_form(surface, lowercase=True), []).append(cased_word(surface))
    return {word: tuple(own) for word, own in found.items()}
