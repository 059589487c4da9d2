"""One text after the other: its answer ready, a key or a click for another one, Enter to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages._shared.components.strokes import CHOOSE, Stroke, Typed, hear
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, button_style
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.reasons import draw_reasons, marked_text
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.annotation_queue import (
    LATE,
    AnnotationQueueState,
    save_chosen_label,
    undo_last_label,
)
from re2nn_core.services.annotation.classification import DIGITS, choices, offered, speaker
from re2nn_core.services.explanation.classification.reasons import Reasons, reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import TextRecord

# Pixels. The button that gives the label is as wide for each label, so that those behind it stay where they are.
_GIVES_WIDTH = 240
UNDO = "undo"
_UNDOES = Stroke("u", UNDO)


@dataclass(frozen=True)
class Typing:
    """The keys of a text besides the digits, and what each does with the value that came along."""

    strokes: tuple[Stroke, ...]
    does: Mapping[str, Callable[[str], object]]


def draw_text(
    queue: AnnotationQueueState, record: TextRecord, answered: Predictions, palette: Palette, why: str
) -> None:
    """The text, the labels and the keys on the left; why it got its answer on the right."""
    offer = offered(record, answered, record.position)
    draw_judging(queue, record, answered, palette, why, offer, partial(_keys, queue, record), _typing(queue, record))


def _typing(queue: AnnotationQueueState, record: TextRecord) -> Typing:
    strokes = (Stroke("Enter", "give", gives=True), Stroke("ArrowLeft", "back"), Stroke("ArrowRight", "skip"), _UNDOES)
    does: dict[str, Callable[[str], object]] = {
        "give": lambda label: acting(save_chosen_label)(queue, record, label),
        "back": lambda _: queue.move(-1),
        "skip": lambda _: queue.move(1),
        UNDO: lambda _: acting(undo_last_label)(queue),
    }
    return Typing(strokes, does)


def draw_judging(
    queue: AnnotationQueueState,
    record: TextRecord,
    answered: Predictions,
    palette: Palette,
    why: str,
    proposed: str | None,
    keys: Callable[[str | None], None],
    typing: Typing,
) -> None:
    """A text to be judged: `why` it comes, the label `proposed` for it, and `keys`, which draws what can be done with
    the chosen one; `typing` is the same by key."""
    reasons = reasons_for(answered, record.position)
    chosen = queue.choice(proposed)
    left, right = st.columns([12, 7], gap="medium")
    with left:
        # The rules' labels come first, as on the other pages; then those that only texts have.
        labels = queue.ordered([*answered.system.logic.labels, *palette.labels])
        buttons = choices(labels, (record.label, reasons.answer))
        _card(record, reasons, palette, why, button_style("label", buttons, palette, chosen))
        _answers(queue, record, buttons, _notes(record, answered, reasons), chosen)
        _search(queue, record.id, [label for label in labels if label not in buttons], buttons, chosen)
        keys(chosen)
        digits = [
            Stroke(str(number % DIGITS), CHOOSE, label)
            for number, label in enumerate(choices(labels, ())[:DIGITS], start=1)
        ]
        _hear(queue, record.id, (*digits, *typing.strokes), typing, chosen)
    with right, st.container(border=True, key="label_reasons"):
        draw_reasons(reasons, palette, text=False, head=_source(record, palette))


def hear_undo(
    queue: AnnotationQueueState, undo: Callable[[], object], *more: Stroke, **does: Callable[[str], object]
) -> None:
    """Where there is no text: Undo by its key, and what else there is."""
    _hear(queue, None, (_UNDOES, *more), Typing((), {UNDO: lambda _: undo(), **does}), None)


def _hear(
    queue: AnnotationQueueState, text_id: int | None, strokes: Sequence[Stroke], typing: Typing, chosen: str | None
) -> None:
    def do(typed: Typed) -> None:
        if typed.does != UNDO and (typed.text_id != text_id or queue.text_id != text_id):
            queue.said = LATE
        elif typed.does == CHOOSE and text_id is not None:
            queue.choose(text_id, typed.value)
        elif typed.does in typing.does:
            typing.does[typed.does](typed.value)

    hear(f"label_{queue.project_id}", text_id, strokes, do, chosen)


def _source(record: TextRecord, palette: Palette) -> str:
    """The label that the text has now, and who gave it."""
    if record.label is None:
        return '<span class="re2-muted">· no label yet</span>'
    who = "in the data" if record.annotator is None else f"by {record.annotator}"
    return f'<div>{palette.chip(record.label)} <span class="re2-muted">its label now, {escape(who)}</span></div>'


def _card(record: TextRecord, reasons: Reasons, palette: Palette, why: str, style: str) -> None:
    """The text. `style` comes along: what is drawn in one piece costs the server less."""
    split = f" · {record.split}" if record.split else ""
    html(
        f'{style}<div class="re2-card"><div class="re2-card-text">'
        f"{marked_text(reasons, palette)}</div>"
        f'<div class="re2-muted">{escape(why)} <span style="float:right">text {record.position + 1}{split}</span>'
        "</div></div>"
    )


def _answers(
    queue: AnnotationQueueState,
    record: TextRecord,
    buttons: Sequence[str],
    notes: Mapping[str, str],
    chosen: str | None,
) -> None:
    # A grid by style sheet: each column and row of Streamlit's would be a message of its own, for each text anew.
    with st.container(key="re2_grid"):
        for number, label in enumerate(buttons, start=1):
            mark = "✓ " if label == chosen else ""
            note = f" :gray[{notes[label]}]" if notes.get(label) else ""
            st.button(
                f"{mark}{messages.plain(label)}{note}",
                # The key holds the text, so that a key press that comes late finds no button.
                key=f"label_{number}_{record.id}",
                shortcut=str(number % DIGITS) if number <= DIGITS else None,
                on_click=queue.choose,
                args=(record.id, label),
                type="secondary",
                width="stretch",
            )


def _notes(record: TextRecord, answered: Predictions, reasons: Reasons) -> dict[str, str]:
    """What stands behind each label on its button: its score; whether the text has it, whether it is the answer."""
    place = record.position
    notes: dict[str, list[str]] = {}
    if record.label is not None and record.label != reasons.answer:
        notes[record.label] = ["label now"]
        if reasons.answer is not None:
            notes[reasons.answer] = [speaker(answered, place)]
    # The score comes last: where a button is narrow it is what may be cut off.
    for label, score in answered.ranked(place) if reasons.scored else ():
        if (percent := f"{score:.0%}") != "0%":
            notes.setdefault(label, []).append(percent)
    return {label: " · ".join(parts) for label, parts in notes.items()}


def _search(
    queue: AnnotationQueueState, text_id: int, others: Sequence[str], buttons: Sequence[str], chosen: str | None
) -> None:
    """The labels without a button, to be found by typing; new ones as well."""
    picked = chosen if chosen is not None and chosen not in buttons else None
    options = [*others, picked] if picked is not None and picked not in others else list(others)
    # With a new key the field is a new one, without the cursor in it, so that Enter accepts what was picked.
    key = f"label_search_{text_id}_{picked or ''}"
    st.selectbox(
        "Another label",
        options,
        index=None if picked is None else options.index(picked),
        key=key,
        placeholder=f"{len(others):,} more: type to find a label, or to make a new one"
        if others
        else "None of these fits: type a new label",
        accept_new_options=True,
        on_change=_take_search,
        args=(queue, text_id, key),
        label_visibility="collapsed",
    )


def _take_search(queue: AnnotationQueueState, text_id: int, key: str) -> None:
    label = (st.session_state.get(key) or "").strip()
    if label:
        queue.choose(text_id, label)


def _keys(queue: AnnotationQueueState, record: TextRecord, chosen: str | None) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        draw_accept(record, chosen, partial(acting(save_chosen_label), queue, record, chosen))
        draw_moves(queue)
    draw_said(queue)


def draw_accept(record: TextRecord, chosen: str | None, give: Callable[[], None], *, second: bool = False) -> None:
    """The button that gives the chosen label. `second`: a judgement beside somebody else's, which changes nothing."""
    verb = "Accept" if record.label is None else "Keep" if chosen == record.label else "Change to"
    verb = "Say" if second else verb
    st.button(
        f"{verb} {messages.plain(chosen)}" if chosen else "Choose a label",
        key=f"label_accept_{record.id}",
        type="primary",
        shortcut="Enter",
        disabled=chosen is None,
        on_click=give,
        width=_GIVES_WIDTH,
    )


def draw_moves(queue: AnnotationQueueState, undo: Callable[[], None] | None = None) -> None:
    """Back, skip, undo: also behind the last text. `undo` where that is not to take a label back."""
    st.button(
        "Back", key="label_back", shortcut="Left", on_click=queue.move, args=(-1,), disabled=queue.at == 0,
        icon=":material/arrow_back:",
    )  # fmt: skip
    st.button(
        "Skip", key="label_skip", shortcut="Right", on_click=queue.move, args=(1,),
        disabled=queue.at >= len(queue.text_ids), icon=":material/arrow_forward:",
    )  # fmt: skip
    st.button(
        "Undo", key="label_undo", shortcut="U", on_click=undo or partial(acting(undo_last_label), queue),
        disabled=not queue.can_undo, icon=":material/undo:",
    )  # fmt: skip


def draw_said(queue: AnnotationQueueState, *, centred: bool = False) -> None:
    """What became of the last key, on a line that is there without words too: what is below it does not move."""
    style = ' style="text-align:center"' if centred else ""
    html(f'<div class="re2-muted re2-said"{style}>{escape(queue.said) or "&nbsp;"}</div>')
