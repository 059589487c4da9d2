"""The marks of a text as lines of plain text, for whoever prefers or needs that to the editor in the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages._label.actions import draw_message, own_moves
from pages._label.slot_filling.editor import Shown
from pages._shared.components.span_lines import draw_lines, numbered_words, written_spans
from pages._shared.drawing.markup import escape, html
from pages._shared.session.acting import acting
from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState, undo_spans
from re2nn_core.text.spans import Span


@dataclass(frozen=True)
class Step:
    """A button. `saves` gets the marks that were written, and returns whether they were saved; `does` needs none."""

    title: str
    key: str
    saves: Callable[[Sequence[Span]], bool] | None = None
    does: Callable[[], None] | None = None


def draw_plain(shown: Shown, annotation: SpanAnnotationState, steps: Sequence[Step]) -> None:
    """The words with their numbers, a line for each mark, and the buttons."""
    record, tokens = shown.record, shown.tokens
    numbered = numbered_words(record.text, tokens)
    html(
        f'<div class="re2-card"><div class="re2-card-text">{numbered}</div><div class="re2-muted">{escape(shown.why)} '
        f'<span style="float:right">{escape(shown.where)} · {escape(shown.source)}</span></div></div>'
    )
    key, undo = f"label_marks_{record.id}", partial(acting(undo_spans), annotation)
    draw_lines(key, shown.in_words(annotation.draft_of(record.id)), tokens, 160)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for step in steps:
            look = "primary" if step is steps[0] else "secondary"
            st.button(step.title, key=step.key, type=look, on_click=_step, args=(step, annotation, key))
        if shown.team is not None:
            draw_message(annotation.queue)
            return
        for action in own_moves(annotation.queue, lambda: _then_anew(annotation, undo)):
            action.draw()
    draw_message(annotation.queue)


def _step(step: Step, annotation: SpanAnnotationState, key: str) -> None:
    if step.does is not None:
        _then_anew(annotation, step.does)
        return
    try:
        taken = step.saves is not None and step.saves(written_spans(key))
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
