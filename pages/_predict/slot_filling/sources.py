"""What texts for slots come with: spans in a file, or none."""

from __future__ import annotations

import streamlit as st

from pages._predict.sources import Given, KeptFile, Reading, draw_notes
from pages._shared.drawing import messages
from re2nn_core.exchange.slot_filling.corpora import CONLL_ENDINGS, SlotCorpusRead, read_slot_corpus
from re2nn_core.exchange.tables.table import FORMATS
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

SlotGiven = Given[tuple[Span, ...]]


def _with_spans(kept: KeptFile, tokenization: Tokenization) -> SlotGiven | None:
    with messages.guard("Reading the file") as outcome:
        read = _marked(kept.data, kept.name, tokenization)
    if not outcome.ok:
        return None
    draw_notes(read, kept.name)
    examples = read.corpus.examples
    return SlotGiven(read.corpus.texts, tuple(example.spans for example in examples), read.lines, None, kept.name)


@st.cache_resource(show_spinner="Reading the file", max_entries=6)
def _marked(data: bytes, name: str, tokenization: Tokenization) -> SlotCorpusRead:
    return read_slot_corpus(data, name, tokenization=tokenization)


READING = Reading(
    types=(*FORMATS, "json", *CONLL_ENDINGS),
    stored=spans_of_record,
    read=lambda read: (None,) * len(read.corpus),
    labels=False,
    marked=_with_spans,
    files="Spans can be read from JSON lines, CoNLL or a column of a table. ",
)
