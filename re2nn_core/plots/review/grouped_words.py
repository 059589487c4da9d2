"""Many words as what they are: "URLs, 61 words", and the strongest of the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from re2nn_core.rules.lexer import BadTokenError, read_word
from re2nn_core.text.word_groups import Kind, WordGroup, word_groups
from re2nn_core.text.word_lists import is_common_word

_IS_PATTERN = re.compile(r"(?:^| )[(\[]|[^\s\\][?*+](?: |$)")
_BAR_INSIDE = " \x1e "  # of an alternative
_LEAST = 5  # words of a group: fewer say more by themselves
_NAMED = (Kind.SHAPE, Kind.LIST)


@dataclass(frozen=True)
class GroupedWords:
    """`groups` of words that have a name, the larger ones in front, and the `rest`, as it was given."""

    groups: tuple[WordGroup, ...]
    rest: tuple[str, ...]


def grouped_words(words: Iterable[str]) -> GroupedWords:
    """Words by what they are; those of small groups alone."""
    return _grouped(tuple(words))


@lru_cache(maxsize=256)  # a rule, the words that it has learned and the first of them are shown beside each other
def _grouped(given: tuple[str, ...]) -> GroupedWords:
    groups = tuple(one for one in word_groups(given) if one.kind in _NAMED and len(one.words) >= _LEAST)
    taken = frozenset(word for group in groups for word in group.words)
    return GroupedWords(groups, tuple(word for word in given if word not in taken))


@dataclass(frozen=True)
class RowOfWords:
    """Alternatives beside each other in a rule; `lead` and `trail` are the brackets around them, and what else stands
    outside of these."""

    lead: str
    words: tuple[str, ...]
    trail: str


def patterns_in_slots(text: str) -> Iterator[str]:
    """Of the alternatives that fill a slot those with brackets or repeats inside: `( 11 | late )? march` and
    `this? friday` of `[ may | ( 11 | late )? march | this? friday ]<date>`."""
    depth, slot, found = 0, None, list[list[str]]()
    for part in text.split(" "):
        depth -= part[:1] in (")", "]")
        if depth == slot:  # the slot ends
            patterns = (" ".join(own) for own in found if len(found) > 1 and len(own) > 1)
            yield from (pattern for pattern in patterns if _IS_PATTERN.search(pattern))
            slot = None
        if slot is not None and part == "|" and depth == slot + 1:
            found.append([])
        elif slot is not None:
            found[-1].append(part)
        elif part == "[":
            slot, found = depth, [[]]
        depth += part[:1] in ("(", "[")


def rows_of_words(text: str) -> Iterator[RowOfWords]:
    """The text of a rule as rows of alternatives, each as far as its brackets go; between two of them is a bar."""
    for pattern in patterns_in_slots(text):
        text = text.replace(f" {pattern} ", f" {pattern.replace(' | ', _BAR_INSIDE)} ")
    lead, words = "", list[str]()
    for part in text.split(" | "):
        opened, word, closed = (one.replace(_BAR_INSIDE, " | ") for one in _inside(part))
        if opened and words:
            yield RowOfWords(lead, tuple(words), "")
            lead, words = "", []
        lead = lead or opened
        words.append(word)
        if closed:
            yield RowOfWords(lead, tuple(words), closed)
            lead, words = "", []
    if words:
        yield RowOfWords(lead, tuple(words), "")


def _inside(part: str) -> tuple[str, str, str]:
    """What stands between two bars: up to a bracket that is closed later, the alternative, and from a bracket on that
    was opened before."""
    tokens, opened, closed = part.split(" "), list[int](), len(part.split(" "))
    for place, token in enumerate(tokens):
        if token[:1] in ("(", "["):
            opened.append(place)
        elif token[:1] in (")", "]"):
            if not opened:
                closed = place
                break
            opened.pop()
    start = opened[-1] + 1 if opened else 0
    lead, trail = " ".join(tokens[:start]), " ".join(tokens[closed:])
    return f"{lead} " if lead else "", " ".join(tokens[start:closed]), f" {trail}" if trail else ""


def plain_word(token: str) -> str:
    """A word as texts have it, without the quotes and backslashes that it has in a rule."""
    try:
        return read_word(token)
    except BadTokenError:
        return token


def is_common(word: str) -> bool:
    """Whether a word of a rule only holds sentences together, or is a sign or a single letter."""
    return is_common_word(plain_word(word))


def is_seen_once(word: str, seen: Collection[str] | None) -> bool:
    """Whether a word is not among the words `seen` in several texts, a phrase where one of its words is not; of none
    where that is unknown (None)."""
    plain = plain_word(word)
    return seen is not None and not any(_has(seen, form) for form in (plain, plain.lower()))


def _has(words: Collection[str], phrase: str) -> bool:
    return all(word in words for word in phrase.split(" "))
