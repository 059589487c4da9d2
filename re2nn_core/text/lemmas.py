"""The forms of a word, from the dictionaries of simplemma (MIT), an extra: they come in its package.

`lemma:"go"` stands for the words of a dictionary of which "go" is the base form, and for "go" itself: a list of words
that is the same for everyone with the same dictionary, so that words that no dictionary has are never guessed.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from re2nn_core.text.word_patterns.letter_automaton import PatternError

INSTALL = "pip install 're2nn-studio[lemma]'"
NOTATION = r'lemma(?:\.[a-z]+)?:"[^"\\\n]*"'
ENGLISH = "en"
_LEMMA = re.compile(r'lemma(?:\.([a-z]+))?:"([^"\\\n]*)"')


@dataclass(frozen=True)
class _Dictionary:
    """For each form its base form, and for each base form the forms of one word that it has."""

    bases: Mapping[str, str]
    forms: Mapping[str, list[str]]


def is_lemma(text: str) -> bool:
    """Whether a token of a rule asks for the forms of a word."""
    return text.startswith("lemma") and _LEMMA.fullmatch(text) is not None


def lemmatizer_is_installed() -> bool:
    """True where the package with the dictionaries is there."""
    return importlib.util.find_spec("simplemma") is not None


@lru_cache(maxsize=4_096)
def forms_of(text: str) -> frozenset[str]:
    """The words that `lemma:"go"` or, in another language, `lemma.de:"gehen"` stands for. PatternError where the
    package is missing, or has no such language or base form."""
    found = _LEMMA.fullmatch(text)
    language, word = (found[1] or ENGLISH, found[2]) if found else (ENGLISH, text)
    if not word or re.search(r"\s", word):
        message = "the quotes are empty" if not word else "a base form is one word"
        raise PatternError(message, 'Write the base form of one word between the quotes, as in lemma:"go".')
    dictionary = _dictionary(language)
    forms = dictionary.forms.get(word)
    if forms is None:
        base = dictionary.bases.get(word)
        if base is not None:
            written = text.replace(f'"{word}"', f'"{base}"')
            raise PatternError(f"'{word}' is no base form, it is a form of '{base}'", f"Write {written}.")
        message = f"the dictionary of the language '{language}' does not have '{word}'"
        raise PatternError(message, "Write the forms that are meant, as in ( go | goes | went ).")
    return frozenset((word, *forms))


@cache
def _dictionary(language: str) -> _Dictionary:
    try:
        from simplemma.strategies.dictionaries import dictionary_factory
    except ImportError:
        raise PatternError(
            "forms of words need the package simplemma, which is not installed",
            f"Install it with {INSTALL}, or write the forms that are meant, as in ( go | goes | went ).",
        ) from None
    if language not in dictionary_factory.SUPPORTED_LANGUAGES:
        known = ", ".join(sorted(dictionary_factory.SUPPORTED_LANGUAGES))
        raise PatternError(f"there is no dictionary of the language '{language}'", f"Write one of {known}.")
    # As the package keeps it: a copy, or a set for each base form, takes seconds where there are a million forms.
    bases = dictionary_factory.DefaultDictionaryFactory().get_dictionary(language)
    forms: dict[str, list[str]] = {}
    for form, base in bases.items():
        if " " not in form:
            forms.setdefault(base, []).append(form)
    return _Dictionary(bases, forms)
