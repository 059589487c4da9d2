"""Which words are numbers (`%` in a rule) and which are punctuation (`&` in a rule).

A number is as published: digits with at most one dot. Punctuation is a token made of nothing but signs or symbols,
and of the marks on them and joiners between them; the published systems list eighteen signs. With their rules both
readings give the same prediction for every train and dev sentence of their three data sets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# A class word, `like book4 re"book.*"`, stands for the words of which its example is one (text/word_patterns).
LIKE = "like "
# A word of its own, `case Apple`, stands for a spelling that rules tell from others (text/case_words.py).
CASE = "case "
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)\Z")


def spelling(word: str) -> str:
    """The word itself, the example of a class word, or how texts spell a word of which the case counts."""
    if word.startswith(LIKE):
        return word[len(LIKE) :].partition(" ")[0]
    return word.removeprefix(CASE)


def spelled_out(words: Iterable[str]) -> str:
    """Words in a row as texts spell them."""
    return " ".join(map(spelling, words))


def is_number(word: str) -> bool:
    """True for digits with at most one dot: `747`, `3.5`, `.5`, `8.`; not `1,000`, `-3` or `2nd`."""
    return _NUMBER.match(word) is not None or (word.startswith(LIKE) and is_number(spelling(word)))


@lru_cache(maxsize=65536)
def is_punctuation(word: str) -> bool:
    """True for a non-empty word in which every character is punctuation or a symbol (Unicode P* or S*), but for marks
    and joiners (M*, Cf) behind the first."""
    if word.startswith(LIKE):
        return is_punctuation(spelling(word))
    kinds = [unicodedata.category(character) for character in word]
    return word != "" and kinds[0][0] in "PS" and all(kind[0] in "PSM" or kind == "Cf" for kind in kinds)
