"""New projects with slots: from a file with spans, or from texts that nobody has marked yet."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages._projects.parts import (
    SLOT_CASE,
    SLOT_CASE_HELP,
    Keys,
    choose_name_and_words,
    choose_offsets,
    chosen_offsets,
    draw_create,
    draw_notes,
    offer_hold_out,
)
from pages._shared.components.left_out import draw_left_out
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.spans import SpanText, span_list, spans_html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.exchange.corpora import CorpusRead, repeat_notes
from re2nn_core.exchange.counted_offsets import OffsetUnit
from re2nn_core.exchange.slot_filling.corpora import CONLL_ENDINGS, SlotCorpusRead, read_slot_corpus
from re2nn_core.exchange.slot_filling.fitting_tokenizer import FirstTexts, fitting_tokenizer
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.services.projects.projects import create_slot_project
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization, suggested_kind

SLOT_FILES = ("json", *CONLL_ENDINGS)
_PREVIEW = 6
_LOOKED_AT = 200
_SHOWN_SLOTS = 60


def draw_annotated_file(data: bytes, name: str, stem: str, keys: Keys) -> None:
    """A file with spans: how its texts become words, what was read, and the button."""
    offsets = chosen_offsets(name, len(data))
    fitting = fitting_tokenizer(lambda tokenization: _first_texts(data, name, tokenization, keys, offsets))
    with messages.guard("Reading the file") as outcome:
        first = _read(data, name, Tokenization(fitting.kind), keys, offsets)
    choose_offsets(first.notes if outcome.ok else [str(outcome.error)], name, len(data))
    if not outcome.ok:
        return
    ignore_case = False

    def choose_case() -> None:
        nonlocal ignore_case
        ignore_case = st.checkbox(SLOT_CASE, key="new_slot_case", help=SLOT_CASE_HELP)

    chosen, tokenization = choose_name_and_words(first.corpus.texts, stem, fitting.kind, "slots", choose_case)
    with messages.guard("Reading the file") as outcome:
        read = _read(data, name, tokenization, keys, offsets)
    if not outcome.ok:
        return
    _summary(read.corpus, read.bad_rows, stem, "annotated")
    chosen_note = [fitting.note] if fitting.note and tokenization.kind == fitting.kind else []
    for note in [*chosen_note, *read.notes]:
        st.caption(messages.note(note))
    if read.columns is not None:
        st.caption(messages.plain(f"Columns read: {read.columns.in_words('spans')}."))
    _preview(read.corpus)
    _create(offer_hold_out(read.corpus, "slots"), chosen, tokenization, "slots", ignore_case=ignore_case)


def draw_unannotated(read: CorpusRead, stem: str, way: str) -> None:
    """Texts of which nobody has said what stands in them."""
    corpus = read.corpus
    found = suggested_kind(corpus.texts[:_LOOKED_AT])
    chosen, tokenization = choose_name_and_words(corpus.texts, stem, found, f"{way}_slots")
    _summary(corpus, read.bad_rows, stem, way)
    draw_notes([*repeat_notes(Example(one.text, None, one.split) for one in corpus)])
    html(
        '<div class="re2-muted">These texts are not annotated. Name your slots in the rules, then annotate '
        "texts on Label.</div>"
    )
    _create(corpus, chosen, tokenization, f"{way}_slots")


def _first_texts(
    data: bytes, name: str, tokenization: Tokenization, keys: Keys, offsets: OffsetUnit | None
) -> FirstTexts:
    """The file as read with a tokenizer, to find the one that fits. DataFileError."""
    read = _read(data, name, tokenization, keys, offsets)
    return FirstTexts(read.corpus.texts, read.texts_left_out(), read.has_words)


@st.cache_resource(show_spinner="Reading the file", max_entries=8)
def _read(data: bytes, name: str, tokenization: Tokenization, keys: Keys, offsets: OffsetUnit | None) -> SlotCorpusRead:
    return read_slot_corpus(
        data,
        name,
        tokenization=tokenization,
        text_column=keys.text,
        label_column=keys.annotations,
        offsets=offsets,
    )


def _summary(corpus: Corpus, bad_rows: tuple[BadRow, ...], name: str, way: str) -> None:
    """What the project would hold: counts, slots, rows left out."""
    palette = Palette(corpus.slots)
    spans = Counter(span.slot for example in corpus for span in example.spans or ())
    marked = sum(example.spans is not None for example in corpus)
    chips = " ".join(f"{palette.chip(slot)} {spans[slot]:,}" for slot in corpus.slots[:_SHOWN_SLOTS])
    more = f" and {len(corpus.slots) - _SHOWN_SLOTS:,} more" if len(corpus.slots) > _SHOWN_SLOTS else ""
    known = f", {counted(len(corpus.slots), 'slot')}: {chips}{more}" if corpus.slots else ""
    html(f"<b>{len(corpus):,}</b> {'text' if len(corpus) == 1 else 'texts'}, {marked:,} annotated{known}")
    draw_left_out(bad_rows, name, f"{way}_slots")


def _preview(corpus: Corpus) -> None:
    """The first texts with a span in them."""
    palette = Palette(corpus.slots)
    shown = [e for e in corpus if e.spans][:_PREVIEW]
    split = '<span class="re2-muted">{}</span>'
    rows = [SpanText(spans_html(e.text, e.spans or (), palette), split.format(e.split or "")) for e in shown]
    span_list(rows)


def _create(corpus: Corpus, name: str, tokenization: Tokenization, way: str, *, ignore_case: bool = False) -> None:
    # Labels that a table came with mean nothing here.
    def create(suggest: bool) -> ProjectRecord:
        return create_slot_project(
            store(),
            name=name,
            corpus=corpus,
            tokenization=tokenization,
            person=state.person(),
            ignore_slot_case=ignore_case,
            suggest_rules=suggest,
        )

    draw_create(way, create, suggests=bool(corpus.slots))
