"""Deciding a text with spans of one's own, as lines: for what neither side has right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._label.slot_filling.plain import read_lines, write_lines
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.team.review import Case
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.spans import Span, read_spans, write_spans
from re2nn_core.text.tokenization import Token, tokenize


def draw_edit(project: ProjectRecord, case: Case, decide: Callable[[str], None], *, disabled: bool) -> None:
    """A closed box with the words' numbers and the first side's marks as lines."""
    tokens = tokenize(case.record.text, project.tokenization)
    key, fault = f"review_marks_{case.record.id}", f"_review_fault_{case.record.id}"
    with st.expander("Marks of your own", expanded=fault in st.session_state):
        if fault in st.session_state:
            messages.show_error(st.session_state.pop(fault), "Reading the marks")
        numbered = " ".join(
            f"<sub>{number}</sub>{escape(case.record.text[token.start : token.end])}"
            for number, token in enumerate(tokens, start=1)
        )
        html(f'<div class="re2-side">{numbered}</div>')
        begin = read_spans(case.sides[0].answer) if case.sides else ()
        st.session_state.setdefault(key, write_lines(_in_words(begin, tokens), tokens))
        st.text_area(
            "One mark a line: number of its first word - number of its last word, slot. No line: nothing in this text.",
            key=key,
            height=120,
        )
        st.button(
            "Decide with these marks", key=f"review_own_{case.record.id}", disabled=disabled,
            on_click=_take, args=(key, fault, tokens, decide),
        )  # fmt: skip


def _take(key: str, fault: str, tokens: Sequence[Token], decide: Callable[[str], None]) -> None:
    try:
        marks = read_lines(st.session_state.get(key) or "")
        answer = write_spans(_in_characters(marks, tokens))
    except Re2nnError as error:
        st.session_state[fault] = error
        return
    decide(answer)


def _in_words(spans: Sequence[Span], tokens: Sequence[Token]) -> tuple[Span, ...]:
    first = {token.start: place for place, token in enumerate(tokens)}
    last = {token.end: place + 1 for place, token in enumerate(tokens)}
    return tuple(
        Span(first[span.start], last[span.end], span.slot) for span in spans if span.start in first and span.end in last
    )


def _in_characters(marks: Sequence[Span], tokens: Sequence[Token]) -> tuple[Span, ...]:
    for mark in marks:
        if mark.end > len(tokens):
            raise InputError(f"There is no word {mark.end}: the text has {len(tokens)} words.")
    return tuple(Span(tokens[mark.start].start, tokens[mark.end - 1].end, mark.slot) for mark in marks)
