"""Where the texts for slots come from: a file, with spans or without, pasted lines, or the project."""

from __future__ import annotations

import streamlit as st

from pages._predict.sources import (
    PASTED,
    Given,
    KeptFile,
    choose_way,
    draw_notes,
    given_by_project,
    pasted_texts,
    read_table_file,
    uploaded_file,
)
from pages._shared.drawing import messages
from re2nn_core.exchange.corpora import CorpusRead
from re2nn_core.exchange.slot_filling.corpora import CONLL_ENDINGS, SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.exchange.tables.table import FORMATS
from re2nn_core.services.prediction.classification.predictions import SourceRows, source_of
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

FILE_TYPES = (*FORMATS, "json", *CONLL_ENDINGS)


SlotGiven = Given[tuple[Span, ...]]


def choose_slot_texts(project: ProjectRecord) -> SlotGiven | None:
    """The texts that were chosen; None while there are none."""
    way = choose_way()
    if way == "project":
        return given_by_project(project, spans_of_record)
    if way == "file":
        return _from_file(project)
    read = pasted_texts()
    return None if read is None else _without_spans(read, None, PASTED)


def _from_file(project: ProjectRecord) -> SlotGiven | None:
    """Texts with spans where the file holds any (JSON lines, CoNLL), else a column of texts."""
    left, right = st.columns([9, 10], gap="medium", vertical_alignment="center")
    with left:
        kept = uploaded_file(FILE_TYPES)
    if kept is None:
        return None
    if looks_like_slots(kept.data, kept.name):
        return _with_spans(kept, project.tokenization)
    with right:
        read, table = read_table_file(kept, labels=False)
    if read is None or table is None:
        return None
    draw_notes(read, kept.name)
    return _without_spans(read, source_of(table, read.lines), kept.name)


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


def _without_spans(read: CorpusRead, source: SourceRows | None, name: str) -> SlotGiven:
    return SlotGiven(read.corpus.texts, (None,) * len(read.corpus), read.lines, source, name)
