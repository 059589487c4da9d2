"""Sets of characters, written as one item of a regular expression, and characters that stand for all of them."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

# Sets that no regular expression of Python names: what punctuation begins with, and what it goes on with.
SIGN, SIGN_OR_MARK = "<sign>", "<sign or accent>"
ANY_CHARACTER = "(?s:.)"
_BLANK = r"\s"


@lru_cache(maxsize=100_000)
def in_character_set(characters: str, character: str) -> bool:
    """Whether a character is in a set."""
    if characters in (SIGN, SIGN_OR_MARK):
        return _sign(unicodedata.category(character), characters)
    return re.fullmatch(characters, character) is not None


def representatives(sets: Iterable[str]) -> tuple[str, ...]:
    """One character for all that the sets do not tell apart, blanks left out; letters and digits come first."""
    distinct = tuple(dict.fromkeys(sets))
    places = {0, ord("0"), ord("a"), *(place for one in (*distinct, _BLANK) for place in _borders(one))}
    found: dict[tuple[bool, ...], str] = {}
    for character in sorted(map(chr, places), key=_preference):
        if not in_character_set(_BLANK, character):
            found.setdefault(tuple(in_character_set(one, character) for one in distinct), character)
    return tuple(found.values())


def _preference(character: str) -> tuple[int, str]:
    """Characters that people like to read first."""
    if character.isascii():
        order = 0 if character.islower() else 1 if character.isalnum() else 2 if character.isprintable() else 5
        return order, character
    return 3 if character.isalnum() else 4 if character.isprintable() else 5, character


@lru_cache(maxsize=1)
def _all_characters() -> str:
    return "".join(map(chr, range(sys.maxunicode + 1)))


@lru_cache(maxsize=4_096)
def _borders(characters: str) -> tuple[int, ...]:
    """The places in Unicode where a set begins or ends."""
    if characters in (SIGN, SIGN_OR_MARK):
        return tuple(_changes(characters))
    runs = re.finditer(f"(?:{characters})+", _all_characters())
    return tuple(place for run in runs for place in run.span() if place <= sys.maxunicode)


def _changes(characters: str) -> Iterator[int]:
    before = False
    for place, character in enumerate(_all_characters()):
        now = _sign(unicodedata.category(character), characters)
        if now != before:
            yield place
        before = now


def _sign(category: str, characters: str) -> bool:
    return category[0] in "PS" or (characters == SIGN_OR_MARK and (category[0] == "M" or category == "Cf"))
