"""Deciding a text with spans of one's own, as lines: for what neither side has right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.components.span_lines import draw_lines, numbered_words, written_spans
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.slot_filling import spans_of_tokens
from re2nn_core.services.team.review import Case
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.spans import Span, read_spans, write_spans
from re2nn_core.text.tokenization import Token, tokenize


def draw_edit(project: ProjectRecord, case: Case, decide: Callable[[str], None], *, disabled: bool) -> None:
    """A closed box with the words' numbers and the first side's marks as lines."""
    tokens = tokenize(case.record.text, project.tokenization)
    key, fault = f"review_marks_{case.record.id}", f"_review_fault_{case.record.id}"
    with st.expander("Other spans", expanded=fault in st.session_state):
        if fault in st.session_state:
            messages.show_error(st.session_state.pop(fault), "Loading the spans")
        html(f'<div class="re2-side">{numbered_words(case.record.text, tokens)}</div>')
        begin = read_spans(case.sides[0].annotation) if case.sides else ()
        draw_lines(key, spans_of_tokens(begin, tokens), tokens, 120)
        st.button(
            'Adjudicate with these spans', key=f"review_own_{case.record.id}", disabled=disabled,
            on_click=_take, args=(key, fault, tokens, decide),
        )  # fmt: skip


def _take(key: str, fault: str, tokens: Sequence[Token], decide: Callable[[str], None]) -> None:
    try:
        annotation = write_spans(_in_characters(written_spans(key), tokens))
    except Re2nnError as error:
        st.session_state[fault] = error
        return
    decide(annotation)


def _in_characters(spans: Sequence[Span], tokens: Sequence[Token]) -> tuple[Span, ...]:
    for span in spans:
        if span.end > len(tokens):
            raise InputError(f"There is no word {span.end}: the text has {len(tokens)} words.")
    return tuple(Span(tokens[span.start].start, tokens[span.end - 1].end, span.slot) for span in spans)
