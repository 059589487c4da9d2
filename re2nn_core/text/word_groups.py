"""Words as groups that people take in at a glance: "URLs, 61 words", "months, 7 words", "flight and 2 like it".

A word is put with others by, in this order: a word class that holds it already; its shape; a closed list; its stem or a
vector like that of a more frequent word. What is left stands alone. Junk is set apart: signs, single letters, words
that hold sentences together, and words that come once and are like no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.word_lists import FUNCTION_WORDS, WORD_LISTS

LIKE = 0.6  # cosine of vectors from which words are alike
_STEM = 4  # letters that a stem has at least
_ENDINGS = ("'s", "ings", "ing", "ers", "er", "ed", "es", "ly", "s", "e")
_LEAST = 2  # words of a group

# The first that a word has is its shape.
SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("e-mail addresses", r"[\w.+-]+@[\w-]+(\.[\w-]+)+"),
        ("URLs", r"(https?://|www\.)\S+|(?=[\w.-]*[^\W\d])[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/\S*)?"),
        ("hashtags", r"#\w+"),
        ("user names", r"@\w+"),
        ("prices", r"[$£€¥₹]\d[\d.,]*([kmp]|\+)?|\d[\d.,]*([$£€¥₹]|p|usd|eur|gbp)"),
        ("percentages", r"\d[\d.,]*%"),
        ("times", r"\d{1,2}([:.]\d{2}){1,2}([ap]\.?m\.?)?|\d{1,2}([ap]\.?m\.?|o'?clock)"),
        ("dates", r"\d{1,4}([/-])\d{1,2}\1\d{1,4}|\d{1,2}/\d{1,2}"),
        ("phone numbers", r"\+?\(?\d[\d()./-]{6,}\d"),
        ("ordinals", r"\d+(st|nd|rd|th)"),
        ("numbers", r"[+-]?\d+([.,]\d+)*\.?|\.\d+"),
        ("words with digits", r"(?=\w*\d)(?=\w*[^\W\d])[\w-]+"),
    )
)
# All that `kinds_of` may say of a word.
KIND_NAMES = frozenset({*(name for name, _ in SHAPES), *WORD_LISTS, "numbers", "punctuation"})


class Kind(Enum):
    """Why words are a group."""

    CLASS = "class"
    SHAPE = "shape"
    LIST = "list"
    LIKE = "like"
    ALONE = "alone"
    JUNK = "junk"


@dataclass(frozen=True)
class WordGroup:
    """Words that belong together, in the order in which they were given; `name` is what they are, of a group of
    similar words the most frequent of them."""

    name: str
    words: tuple[str, ...]
    kind: Kind

    @property
    def title(self) -> str:
        """The group in a few words."""
        if self.kind is Kind.ALONE:
            return self.name
        if self.kind is Kind.LIKE:
            return f"{self.name} and {len(self.words) - 1:,} like it"
        return f"{self.name}, {counted(len(self.words), 'word')}"

    @property
    def short(self) -> str:
        """The same within a sentence."""
        return self.title if self.kind in (Kind.ALONE, Kind.LIKE) else f"{self.name} ({len(self.words):,})"


@dataclass(frozen=True)
class WordKnowledge:
    """What is known of words: how often each one comes in the texts (empty: unknown), the words of classes by their
    name, and how much two words are alike, from -1 to 1 (None: unknown)."""

    counts: Mapping[str, int]
    classes: Mapping[str, frozenset[str]]
    likeness: Callable[[str, str], float] | None = None


NOTHING_KNOWN = WordKnowledge({}, {})


def word_groups(words: Iterable[str], known: WordKnowledge = NOTHING_KNOWN) -> tuple[WordGroup, ...]:
    """All words, each in one group: the larger groups first, then words alone as they were given, junk at the end."""
    waiting = list(dict.fromkeys(words))
    groups: list[WordGroup] = []
    for name, own in known.classes.items():
        waiting = _take(groups, waiting, f"@{name}@", Kind.CLASS, own.__contains__)
    waiting = _take(groups, waiting, "punctuation", Kind.JUNK, is_punctuation, 1)
    waiting = _take(groups, waiting, "single letters", Kind.JUNK, _is_letter, 1)
    for name in dict.fromkeys((*(name for name, _ in SHAPES), *WORD_LISTS)):
        named = {word for word in waiting if name in names_of(word)}
        waiting = _take(groups, waiting, name, kind_of_name(name), named.__contains__)
    waiting = _take(groups, waiting, "function words", Kind.JUNK, _holds_together, 1)
    alike, alone = _alike(waiting, known)
    groups += alike
    rare = [word for word in alone if known.counts and known.counts.get(word, 0) <= 1 and not names_of(word)]
    groups += [WordGroup(word, (word,), Kind.ALONE) for word in alone if word not in rare]
    if rare:
        groups.append(WordGroup("words seen once or never", tuple(rare), Kind.JUNK))
    return tuple(sorted(groups, key=_order))


def names_of(word: str) -> tuple[str, ...]:
    """What a word is by its shape and by the closed lists."""
    lowered = word.lower()
    shape = next((name for name, pattern in SHAPES if pattern.fullmatch(word)), None)
    if shape is None and is_number(word):
        shape = "numbers"
    lists = (name for name, words in WORD_LISTS.items() if lowered in words)
    return tuple(dict.fromkeys((*([] if shape is None else [shape]), *lists)))


def kinds_of(word: str) -> tuple[str, ...]:
    """All that `common_name` may say of a word."""
    return ("punctuation",) if is_punctuation(word) else names_of(word)


def common_name(words: Sequence[str], share: float = 1.0) -> str:
    """What at least this share of the words are; empty where they have no such name in common."""
    found: dict[str, int] = {}
    for word in words:
        for name in kinds_of(word):
            found[name] = found.get(name, 0) + 1
    name = max(found, key=lambda name: found[name], default="")
    return name if name and found[name] >= share * len(words) else ""


def kind_of_name(name: str) -> Kind:
    """Whether a name is that of a list or of a shape."""
    return Kind.LIST if name in WORD_LISTS else Kind.SHAPE


def _take(
    groups: list[WordGroup], words: list[str], name: str, kind: Kind, holds: Callable[[str], bool], least: int = _LEAST
) -> list[str]:
    """Make the words for which something holds a group, where they are enough; the others."""
    own = tuple(word for word in words if holds(word))
    if len(own) < least:
        return words
    groups.append(WordGroup(name, own, kind))
    return [word for word in words if word not in set(own)]


def _holds_together(word: str) -> bool:
    """Whether a word only holds sentences together: `the`, and not `may`, which is a month."""
    return word.lower() in FUNCTION_WORDS and not names_of(word)


def _is_letter(word: str) -> bool:
    """A single letter of an alphabet; a sign of a script without one is a word."""
    return len(word) == 1 and word.isalpha() and word.lower() != word.upper()


def _alike(words: Sequence[str], known: WordKnowledge) -> tuple[list[WordGroup], list[str]]:
    """Groups of similar words around the most frequent ones, and the words that are like no other."""
    waiting = sorted(words, key=lambda word: -known.counts.get(word, 0))
    groups, alone = list[WordGroup](), set[str]()
    while waiting:
        seed, *rest = waiting
        own = [word for word in rest if _similar(seed, word, known)]
        if own:
            groups.append(WordGroup(seed, (seed, *own), Kind.LIKE))
        else:
            alone.add(seed)
        waiting = [word for word in rest if word not in set(own)]
    return groups, [word for word in words if word in alone]


def _similar(seed: str, word: str, known: WordKnowledge) -> bool:
    if _stem(seed) == _stem(word):
        return True
    return known.likeness is not None and known.likeness(seed, word) >= LIKE


def _stem(word: str) -> str:
    lowered = word.lower()
    for ending in _ENDINGS:
        if lowered.endswith(ending) and len(lowered) - len(ending) >= _STEM:
            return lowered[: -len(ending)]
    return lowered


def _order(group: WordGroup) -> tuple[int, int]:
    if group.kind is Kind.JUNK:
        return 2, -len(group.words)
    return (1, 0) if group.kind is Kind.ALONE else (0, -len(group.words))
