"""The marks of a text as lines of plain text, for whoever prefers or needs that to the editor in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._label.one_text import draw_moves, draw_said
from pages._label.slot_filling.editor import Shown
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.session.acting import acting
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState, undo_spans
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Token

_LINE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?\s+(\S+)(?:\s.*)?")


@dataclass(frozen=True)
class Step:
    """A button. `saves` gets the marks that were written, and tells whether they were taken; `does` needs none."""

    title: str
    key: str
    saves: Callable[[Sequence[Span]], bool] | None = None
    does: Callable[[], None] | None = None


def draw_plain(shown: Shown, annotation: SpanAnnotationState, steps: Sequence[Step]) -> None:
    """The words with their numbers, a line for each mark, and the buttons."""
    record, tokens = shown.record, shown.tokens
    numbered = " ".join(f"<sub>{n}</sub>{escape(_word(shown, token))}" for n, token in enumerate(tokens, start=1))
    html(
        f'<div class="re2-card"><div class="re2-card-text">{numbered}</div><div class="re2-muted">{escape(shown.why)} '
        f'<span style="float:right">{escape(shown.where)} · {escape(shown.source)}</span></div></div>'
    )
    key = f"label_marks_{record.id}"
    st.session_state.setdefault(key, write_lines(shown.in_words(annotation.draft_of(record.id)), tokens))
    st.text_area(
        "One mark a line: number of its first word - number of its last word, slot. No line: nothing in this text.",
        key=key,
        height=160,
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for step in steps:
            look = "primary" if step is steps[0] else "secondary"
            st.button(step.title, key=step.key, type=look, on_click=_step, args=(step, annotation, key))
        if shown.team is None:
            draw_moves(annotation.queue, lambda: _then_anew(annotation, lambda: acting(undo_spans)(annotation)))
    draw_said(annotation.queue)


def _word(shown: Shown, token: Token) -> str:
    return shown.record.text[token.start : token.end]


def _step(step: Step, annotation: SpanAnnotationState, key: str) -> None:
    if step.does is not None:
        _then_anew(annotation, step.does)
        return
    try:
        taken = step.saves is not None and step.saves(read_lines(st.session_state.get(key) or ""))
    except Re2nnError as fault:
        annotation.queue.fault = fault
        return
    if taken:
        st.session_state.pop(key, None)


def _then_anew(annotation: SpanAnnotationState, does: Callable[[], None]) -> None:
    """Do this, and write the lines anew: their marks may be others now, as behind an undo."""
    does()
    st.session_state.pop(f"label_marks_{annotation.queue.text_id}", None)
    if annotation.draft is not None:
        st.session_state.pop(f"label_marks_{annotation.draft[0]}", None)


def write_lines(marks: Sequence[Span], tokens: Sequence[Token]) -> str:
    """Marks in numbers of words as lines; the words behind the slot are there to be read."""
    return "\n".join(
        f"{mark.start + 1}-{mark.end} {mark.slot}  {' '.join(t.text for t in tokens[mark.start : mark.end])}"
        for mark in marks
    )


def read_lines(written: str) -> tuple[Span, ...]:
    """The marks of lines. InputError for a line that is none."""
    found = []
    for number, line in enumerate(written.splitlines(), start=1):
        if not line.strip():
            continue
        parts = _LINE.fullmatch(line.strip())
        first, last = (int(parts[1]), int(parts[2] or parts[1])) if parts else (0, 0)
        if parts is None or not 1 <= first <= last:
            raise InputError(
                f"Line {number}, {messages.plain(line.strip())}, is no mark. Write the number of the first word, a "
                "hyphen, the number of the last one, and the slot: 3-4 city"
            )
        found.append(Span(first - 1, last, parts[3]))
    return tuple(found)
