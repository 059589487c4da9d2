"""Shapes of words that a rule may ask for where no list of words would do: numbers, codes and addresses never end.

Each is a word pattern of the rule language, so that a rule which asks for one reads words that no text has yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

SHAPE = "\x04"  # no word begins with it; behind it stands the name of a shape
_LETTERS = {
    "long_number": r".*[0-9]{5,}.*",
    "number_with_letters": r".*[0-9][a-z].*|.*[a-z][0-9].*",
    "amount": r".*[$£€][0-9].*|.*[0-9][$£€].*",
    "web_address": r"(https?://)?([0-9-]*[a-z][a-z0-9-]*[.])+[a-z]{2,}(/.*)?",
    "mail_address": r".+@.+[.].+",
}
_TITLES = {
    "long_number": "long numbers",
    "number_with_letters": "numbers with letters",
    "amount": "amounts of money",
    "web_address": "words with a dot inside (addresses, file names, end.Next)",
    "mail_address": "mail addresses",
}
_COMPILED = {name: re.compile(letters) for name, letters in _LETTERS.items()}
_TELLING = re.compile(r"[0-9@]|http|[a-z0-9][.][a-z0-9]")  # every shape holds one of these


def pattern_of(part: str) -> str:
    """The word pattern that a part of a phrase stands for, as rules write it."""
    return f're"{_LETTERS[part.removeprefix(SHAPE)]}"'


def title_of(pattern: str) -> str | None:
    """What a word pattern asks for, in words: `amounts of money`. None where it is of no shape."""
    name = next((name for name in _LETTERS if pattern == pattern_of(name)), "")
    return _TITLES.get(name)


@lru_cache(maxsize=50_000)
def shapes_of(word: str) -> tuple[str, ...]:
    """The shapes that a word has, as parts of phrases."""
    if _TELLING.search(word) is None:
        return ()
    return tuple(SHAPE + name for name, letters in _COMPILED.items() if letters.fullmatch(word))


def every_shape(words: Iterable[str]) -> frozenset[str]:
    """The shapes that some word has."""
    return frozenset(shape for word in words for shape in shapes_of(word))
