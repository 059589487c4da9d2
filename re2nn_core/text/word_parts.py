"""Words cut into their parts: at hyphens, before English clitics, after elided words, between a number and its unit.

    Rome's       Rome 's            don't        do n't
    Rome-based   Rome - based       5kg          5 kg
    l'Italie     l ' Italie         2nd, mp3     as they are

Cut as spaCy and the Penn Treebank do, but for what depends on lists of words. The pieces of a word joined are the word
again, and each of them is one word for the tokenizer when it stands alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CLITICS = "s|re|ve|ll|d|m"
# A clitic that stands alone, as texts have it that were tokenized before; {} is what may not follow.
CLITIC_ALONE = f"['’](?i:{_CLITICS})(?![{{}}])"
_CLITIC = re.compile(f"(.*[^'’.])(n['’]t|['’](?:{_CLITICS}))", re.IGNORECASE | re.DOTALL)
# French, Catalan and Italian; not o' of o'clock and O'Brien.
_ELIDED = "l|d|j|m|t|s|c|n|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull|quell|quest"
_ELISION = re.compile(f"(?!n['’]t$)({_ELIDED})(['’])(.+)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)(\D+)", re.DOTALL)
_NO_UNITS = frozenset(("st", "nd", "rd", "th", "s", "º", "ª"))
_HYPHEN = re.compile(r"(?<=.)(-)(?=\w)", re.DOTALL)
_MAY_HAVE_PARTS = re.compile(r"[-'’\d]")


def may_have_parts(text: str) -> bool:
    """False for a text or word that holds no sign at which words are cut."""
    return _MAY_HAVE_PARTS.search(text) is not None


@lru_cache(maxsize=65536)
def cut_parts(word: str) -> tuple[str, ...]:
    """The parts of a word as the pattern of the tokenizer finds it, which has one hyphen or apostrophe at most between
    two letters or digits."""
    if len(word) == 1 or not may_have_parts(word):
        return (word,)
    return tuple(part for piece in _HYPHEN.split(word) for part in _cut(piece))


def _cut(piece: str) -> list[str]:
    if found := _CLITIC.fullmatch(piece):
        return [*_cut(found[1]), found[2]]
    if found := _ELISION.fullmatch(piece):
        return [found[1], found[2], *_cut(found[3])]
    found = _NUMBER.fullmatch(piece)
    if found and found[2][0].isalpha() and found[2].casefold() not in _NO_UNITS:
        return [found[1], *_cut(found[2])]
    return [piece]
