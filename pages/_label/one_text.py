"""One text after the other: its prediction ready, a key or a click for another one, Enter to go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from pages._label.actions import TextAction, draw_message, hear_actions, own_moves
from pages._shared.components.key_presses import CHOOSE, KeyPress
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, button_style
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.reasons import draw_reasons, marked_text
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState, save_chosen_label, undo_last_label
from re2nn_core.services.annotation.classification import DIGITS, choices, offered, predicted_rule
from re2nn_core.services.explanation.classification.reasons import Reasons, reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import TextRecord

# Pixels. The button that gives the label is as wide for each label, so that those behind it stay where they are.
_GIVES_WIDTH = 240


def draw_text(
    queue: AnnotationQueueState, record: TextRecord, predicted: Predictions, palette: Palette, why: str
) -> None:
    """A text of the person's own queue."""
    give = partial(acting(save_chosen_label), queue, record)
    offer = offered(record, predicted, record.position)
    actions = own_moves(queue, partial(acting(undo_last_label), queue))
    draw_annotating(queue, record, predicted, palette, why, offer, give, actions)


def draw_annotating(  # noqa: PLR0913 - the text with all that stands around it, each drawn here
    queue: AnnotationQueueState,
    record: TextRecord,
    predicted: Predictions,
    palette: Palette,
    why: str,
    proposed: str | None,
    give: Callable[[str], object],
    actions: Sequence[TextAction],
    *,
    hidden: bool = False,
) -> None:
    """The text, the labels and the keys on the left; why it got its prediction on the right. `why` it comes, the label
    `proposed` for it; `give` saves the chosen one; `actions`: what else can be done. `hidden`: what others
    and the data say of the text is not shown."""
    reasons = reasons_for(predicted, record.position)
    chosen = queue.choice(proposed)
    left, right = st.columns([12, 7], gap="medium")
    with left:
        # The rules' labels come first, as on the other pages; then those that only texts have.
        labels = queue.ordered([*predicted.system.logic.labels, *palette.labels])
        buttons = choices(labels, (record.label, reasons.prediction))
        _card(record, reasons, palette, why, button_style("label", buttons, palette, chosen))
        _predictions(queue, record, buttons, _notes(record, predicted, reasons), chosen)
        _search(queue, record.id, [label for label in labels if label not in buttons], buttons, chosen)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            accept = _accept(record, chosen, give)
            for action in actions:
                action.draw(chosen)
        draw_message(queue)
        digits = [
            KeyPress(str(number % DIGITS), CHOOSE, label)
            for number, label in enumerate(choices(labels, ())[:DIGITS], start=1)
        ]
        hear_actions(queue, record.id, (accept, *actions), chosen, digits)
    with right, st.container(border=True, key="label_reasons"):
        draw_reasons(reasons, palette, text=False, head=_source(record, palette, hidden=hidden))


def _source(record: TextRecord, palette: Palette, *, hidden: bool) -> str:
    """The label that the text has now, and who gave it."""
    if record.label is None:
        return f'<span class="re2-muted">· {"label hidden (blind)" if hidden else "no label yet"}</span>'
    who = "imported" if record.annotator is None else f"by {record.annotator}"
    return f'<div>{palette.chip(record.label)} <span class="re2-muted">current label, {escape(who)}</span></div>'


def _card(record: TextRecord, reasons: Reasons, palette: Palette, why: str, style: str) -> None:
    """The text. `style` comes along: what is drawn in one piece costs the server less."""
    split = f" · {record.split}" if record.split else ""
    html(
        f'{style}<div class="re2-card"><div class="re2-card-text">'
        f"{marked_text(reasons, palette)}</div>"
        f'<div class="re2-muted">{escape(why)} <span style="float:right">text {record.position + 1}{split}</span>'
        "</div></div>"
    )


def _predictions(
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


def _notes(record: TextRecord, predicted: Predictions, reasons: Reasons) -> dict[str, str]:
    """What stands behind each label on its button: its score; whether the text has it, whether it is the prediction."""
    place = record.position
    notes: dict[str, list[str]] = {}
    if record.label is not None and record.label != reasons.prediction:
        notes[record.label] = ["current label"]
        if reasons.prediction is not None:
            notes[reasons.prediction] = [predicted_rule(predicted, place)]
    # The score comes last: where a button is narrow it is what may be cut off.
    for label, score in predicted.ranked(place) if reasons.scored else ():
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
        "Other label",
        options,
        index=None if picked is None else options.index(picked),
        key=key,
        placeholder=f"{len(others):,} more: type to search or to create a label"
        if others
        else "Type to create a label",
        accept_new_options=True,
        on_change=_take_search,
        args=(queue, text_id, key),
        label_visibility="collapsed",
    )


def _take_search(queue: AnnotationQueueState, text_id: int, key: str) -> None:
    label = (st.session_state.get(key) or "").strip()
    if label:
        queue.choose(text_id, label)


def _accept(record: TextRecord, chosen: str | None, give: Callable[[str], object]) -> TextAction:
    """The button that gives the chosen label."""
    title, key = f"Save: {messages.plain(chosen)}" if chosen else "Choose a label", f"label_accept_{record.id}"
    st.button(
        title, key=key, type="primary", shortcut="Enter", disabled=chosen is None, on_click=give, args=(chosen,),
        width=_GIVES_WIDTH,
    )  # fmt: skip
    return TextAction(title, key, KeyPress("Enter", "give", gives=True), give)
