"""Many words as what they are: "URLs, 61 words", and the strongest of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from re2nn_core.text.word_groups import Kind, WordGroup, word_groups
from re2nn_core.text.word_lists import FUNCTION_WORDS

_LEAST = 5  # words of a group: fewer say more by themselves
_NAMED = (Kind.SHAPE, Kind.LIST)


@dataclass(frozen=True)
class GroupedWords:
    """`groups` of words that have a name, the larger ones in front, and the `rest`, as it was given."""

    groups: tuple[WordGroup, ...]
    rest: tuple[str, ...]


def grouped_words(words: Iterable[str]) -> GroupedWords:
    """Words by what they are; those of small groups alone."""
    given = tuple(words)
    groups = tuple(one for one in word_groups(given) if one.kind in _NAMED and len(one.words) >= _LEAST)
    taken = frozenset(word for group in groups for word in group.words)
    return GroupedWords(groups, tuple(word for word in given if word not in taken))


def is_common(word: str) -> bool:
    """Whether a word only holds sentences together, or is a sign or a single letter."""
    plain = word.strip('"')
    return (
        plain.lower() in FUNCTION_WORDS or (len(plain) < 2 and not plain.isdigit()) or not any(map(str.isalnum, plain))
    )


def is_seen_once(word: str, seen: Collection[str] | None) -> bool:
    """Whether a word is not among the words `seen` in several texts; of none where that is unknown (None)."""
    plain = word.strip('"')
    return seen is not None and plain not in seen and plain.lower() not in seen
