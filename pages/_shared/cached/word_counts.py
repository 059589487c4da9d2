"""How often the texts of a project have a word: what is frequent is shown first."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import count_texts, list_texts
from re2nn_core.services.rule_review.evidence.word_evidence import annotated_words, words_with_evidence
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.values.stored import ProjectRecord, TextRecord
from re2nn_core.text.tokenization import Tokenization, words_of_all

_LOOKED_AT = 20_000  # texts


@dataclass(frozen=True)
class WordCounts:
    """The counts, and the key that they are cached under. `spelt`: of words with capital letters as the texts have
    them, where `counts` ignore case."""

    key: tuple[str, int, int]
    counts: Mapping[str, int]
    spelt: Mapping[str, int]


def word_counts(project: ProjectRecord) -> WordCounts:
    """Of the project's first texts."""
    # Texts are only ever added to a project: their number tells whether these are all.
    looked_at = min(_LOOKED_AT, count_texts(store(), project.id))
    return _word_counts(store().url, project.id, looked_at, project.tokenization)


def counts_of(records: Sequence[TextRecord], tokenization: Tokenization) -> Mapping[str, int]:
    """Of texts of one project that are at hand."""
    project = records[0].project_id if records else 0
    return _counts_of(store().url, project, len(records), tokenization, records)


@st.cache_resource(show_spinner=False, max_entries=8)
def _counts_of(
    url: str, project_id: int, texts: int, tokenization: Tokenization, _records: Sequence[TextRecord]
) -> Mapping[str, int]:
    return _counted((record.text for record in _records[:_LOOKED_AT]), tokenization)


def seen_words(
    records: Sequence[TextRecord], held: frozenset[int], tokenization: Tokenization, *, spans: bool = False
) -> frozenset[str] | None:
    """The words of which the labelled texts say enough: those of several, or of one of the `held` texts; where labels
    are `spans`, also those in one. None where there are too many texts to look at all."""
    if len(records) > _LOOKED_AT:
        return None
    labels = [place for place, record in enumerate(records) if record.label is not None]
    project = records[0].project_id if records else 0
    # This is asked for each change of a review: places as bytes are a key at once, as numbers in a tuple they are not.
    key = (project, len(records), array("l", labels).tobytes(), array("l", sorted(held)).tobytes())
    return _seen_words(store().url, key, tokenization, spans, labels, held, records)


@st.cache_resource(show_spinner=False, max_entries=8)
def _seen_words(
    url: str,
    key: tuple[int, int, bytes, bytes],
    tokenization: Tokenization,
    spans: bool,
    _labelled: Sequence[int],
    _held: frozenset[int],
    _records: Sequence[TextRecord],
) -> frozenset[str]:
    sentences = words_of_all([_records[place].text for place in _labelled], tokenization)
    own = frozenset(number for number, place in enumerate(_labelled) if place in _held)
    found = words_with_evidence(sentences, own)
    if not spans:
        return found
    labelled_records = (_records[place] for place in _labelled)
    return found | annotated_words(((one.text, spans_of_record(one)) for one in labelled_records), tokenization)


@dataclass(frozen=True)
class ShortestFirst:
    """The texts of a project, the shortest first, and their words."""

    texts: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


def shortest_first(records: Sequence[TextRecord], tokenization: Tokenization) -> ShortestFirst:
    """Texts of one project that are at hand, in the order in which examples are looked for."""
    project = records[0].project_id if records else 0
    return _shortest_first(store().url, project, len(records), tokenization, records)


@st.cache_resource(show_spinner=False, max_entries=4)
def _shortest_first(
    url: str, project_id: int, texts: int, tokenization: Tokenization, _records: Sequence[TextRecord]
) -> ShortestFirst:
    shown = sorted({record.text for record in _records[:_LOOKED_AT]}, key=lambda text: (len(text), text))
    return ShortestFirst(tuple(shown), tuple(map(tuple, words_of_all(shown, tokenization))))


@st.cache_resource(show_spinner=False, max_entries=8)
def _word_counts(url: str, project_id: int, looked_at: int, tokenization: Tokenization) -> WordCounts:
    texts = [record.text for record in list_texts(store(), project_id, limit=looked_at)]
    spelt: Mapping[str, int] = {}
    if tokenization.lowercase:
        every = _counted(texts, replace(tokenization, lowercase=False))
        spelt = {word: count for word, count in every.items() if word != word.lower()}
    return WordCounts((url, project_id, looked_at), _counted(texts, tokenization), spelt)


def _counted(texts: Iterable[str], tokenization: Tokenization) -> Mapping[str, int]:
    return Counter(word for sentence in words_of_all(texts, tokenization) for word in sentence)
