"""Search over the guide: sections whose titles and texts hold the words of a query, or of a question."""

from __future__ import annotations

import math
import re
from functools import cache

from re2nn_core.guide.contents import Section, topics

_WORD = re.compile(r"\w+|[$%&~@][*+]?")  # the signs of rules are asked for too
_TITLE, _TOPIC, _TEXT = 12.0, 4.0, 1.0  # what one word of the query counts for in a heading, a topic's title, a text
_MOST_IN_TEXT = 4  # a word that stands more often counts no more
_WHOLE = 3.0  # what a heading of just the words of the query counts for
_REFERENCE = 0.4  # what the long lists of commands, settings and releases count for: they hold nearly every word
_REFERENCES = frozenset({"command-line", "settings", "changes", "python", "papers"})
_NEAR = 0.25  # sections of so much of the best score are shown too
# Words of a question that say nothing of its subject.
_EMPTY = frozenset(
    _WORD.findall(
        "a am an and are as at be between but by can did do does for from get happen happens has have how "
        "i if in is it its me mean means my not of on one or please say should so that the their them there "
        "these they this those to was we what when where which who why will with you your"
    )
)


def search_guide(query: str, limit: int = 8) -> tuple[Section, ...]:
    """The sections that hold the words of the query, the best first: rare words count more than those that many
    sections hold, and a section that holds all of them more than one that holds some. A word also stands for longer
    ones that begin with it."""
    asked = _asked(query)
    scored = sorted(
        ((score, -place) for place, section in enumerate(_all_sections()) if (score := _score(section, asked))),
        reverse=True,
    )
    return tuple(_all_sections()[-place] for score, place in scored[:limit] if score >= _NEAR * scored[0][0])


def _asked(query: str) -> tuple[str, ...]:
    """The words of a query, without those that say nothing and without figures, where there are others."""
    words = _WORD.findall(query.lower())
    telling = [word for word in words if word not in _EMPTY and not word.isdigit()] or words
    # A plural also finds its singular, which most headings are in.
    return tuple(dict.fromkeys(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in telling))


@cache
def _all_sections() -> tuple[Section, ...]:
    return tuple(section for topic in topics() for section in topic.sections if section.text)


def _score(section: Section, asked: tuple[str, ...]) -> float:
    """How well a section fits, 0 where it holds no word."""
    weights = [_rarity(word) for word in asked]
    points = [weight * _points(section, word) for word, weight in zip(asked, weights, strict=True)]
    held = sum(weight for weight, found in zip(weights, points, strict=True) if found)
    whole = _WHOLE if set(_asked(section.title)) == set(asked) else 1.0
    kind = _REFERENCE if section.topic in _REFERENCES else 1.0
    return whole * kind * sum(points) * (held / (sum(weights) or 1.0)) ** 2


@cache
def _rarity(word: str) -> float:
    """More for words that fewer sections hold (inverse document frequency)."""
    sections = _all_sections()
    holding = sum(1 for section in sections if _points(section, word))
    return math.log(1 + len(sections) / (1 + holding))


def _points(section: Section, word: str) -> float:
    title, topic, text = _words(section)
    return _TITLE * _count(title, word) + _TOPIC * _count(topic, word) + _TEXT * min(_count(text, word), _MOST_IN_TEXT)


def _count(words: tuple[str, ...], asked: str) -> float:
    return sum(1.0 if word == asked else 0.5 for word in words if word.startswith(asked))


@cache
def _words(section: Section) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    topic = next(topic.title for topic in topics() if topic.name == section.topic)
    title, name, text = (tuple(_WORD.findall(part.lower())) for part in (section.title, topic, section.text))
    return title, name, text
