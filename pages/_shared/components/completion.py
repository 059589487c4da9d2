"""The words of a project's texts, which the editors offer while somebody types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._shared.cached.word_counts import WordCounts
from pages._shared.catalog import ASSETS

_OFFERED = 10_000  # the most frequent words
# What the rule language reads as one word without quotes; `//` starts a comment.
_PLAIN = re.compile(r"(?!.*//)[^\s()|*+?$%&\[\]{}@\"'\\<>!=,~]{2,}")


def offer_words(counted: WordCounts) -> None:
    """Give the editors of the page the words, most frequent first. Draws nothing that is seen."""
    _component()(key="_script_words", data=_data(counted.key, counted))


@st.cache_data(show_spinner=False, max_entries=8)
def _data(key: tuple[str, int, int], _counted: WordCounts) -> str:
    """The words, and behind an empty line those with capital letters where the project ignores case."""
    return "\n\n".join(map(_lines, (_counted.counts, _counted.spelt)))


def _lines(counts: Mapping[str, int]) -> str:
    """One word a line, a tab, its count."""
    plain = [(word, count) for word, count in counts.items() if _PLAIN.fullmatch(word)]
    plain.sort(key=lambda pair: (-pair[1], pair[0]))
    return "\n".join(f"{word}\t{count}" for word, count in plain[:_OFFERED])


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    script = (ASSETS / "completion_words.js").read_text(encoding="utf-8")
    return st.components.v2.component("re2nn_completion_words", js=script)
