"""Search over the guide: sections whose titles and texts hold the words of a query."""

from __future__ import annotations

import re
from functools import cache

from re2nn_core.guide.contents import Section, topics

_WORD = re.compile(r"\w+")
_TITLE, _TOPIC, _TEXT = 12.0, 4.0, 1.0  # what one word of the query counts for in a heading, a topic's title, a text
_MOST_IN_TEXT = 4  # a word that stands more often counts no more


def search_guide(query: str, limit: int = 8) -> tuple[Section, ...]:
    """The sections that hold every word of the query, the best first; a word also stands for longer ones that begin
    with it. Where no section holds all words, those that hold most of them.
    """
    # A plural also finds its singular, which most headings are in.
    asked = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _WORD.findall(query.lower())]
    if not asked:
        return ()
    scored = [(found, score, section) for section in _all_sections() for found, score in [_score(section, asked)]]
    most = max(found for found, _, _ in scored)
    best = sorted((-score, place) for place, (found, score, _) in enumerate(scored) if found == most and found)
    return tuple(scored[place][2] for _, place in best[:limit])


@cache
def _all_sections() -> tuple[Section, ...]:
    return tuple(section for topic in topics() for section in topic.sections if section.text)


def _score(section: Section, asked: list[str]) -> tuple[int, float]:
    """How many words of the query the section holds, and how well it fits."""
    title, topic, text = _words(section)
    found, score = 0, 0.0
    for word in asked:
        points = (
            _TITLE * _count(title, word) + _TOPIC * _count(topic, word) + _TEXT * min(_count(text, word), _MOST_IN_TEXT)
        )
        found += points > 0
        score += points
    return found, score


def _count(words: tuple[str, ...], asked: str) -> float:
    return sum(1.0 if word == asked else 0.5 for word in words if word.startswith(asked))


@cache
def _words(section: Section) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    topic = next(topic.title for topic in topics() if topic.name == section.topic)
    title, name, text = (tuple(_WORD.findall(part.lower())) for part in (section.title, topic, section.text))
    return title, name, text
