"""How often the texts of a project have a word: what is frequent is shown first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import count_texts, list_texts
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.tokenization import Tokenization, words_of_all

_LOOKED_AT = 20_000  # texts


@dataclass(frozen=True)
class WordCounts:
    """The counts, and what tells them from others."""

    key: tuple[str, int, int]
    counts: Mapping[str, int]


def word_counts(project: ProjectRecord) -> WordCounts:
    """Of the project's first texts."""
    # Texts are only ever added to a project: their number tells whether these are all.
    looked_at = min(_LOOKED_AT, count_texts(store(), project.id))
    return _word_counts(store().url, project.id, looked_at, project.tokenization)


@st.cache_resource(show_spinner=False, max_entries=8)
def _word_counts(url: str, project_id: int, looked_at: int, tokenization: Tokenization) -> WordCounts:
    texts = (record.text for record in list_texts(store(), project_id, limit=looked_at))
    counts = Counter(word for sentence in words_of_all(texts, tokenization) for word in sentence)
    return WordCounts((url, project_id, looked_at), counts)
