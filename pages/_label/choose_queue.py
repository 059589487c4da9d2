"""Which texts come, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from pages._label.wording import AGAIN, SELECTION, Wording
from pages._shared.cached.models import records_of
from pages._shared.session import state
from pages._shared.session.selection import selection
from pages._shared.session.session_keys import LABEL_ORDER
from pages._shared.session.state import ModelChoice
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.classification import ORDERS, Order, Predictions, belongs, build_queue
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord


def choose_order(project: ProjectRecord, unlabelled: int, words: Wording, *, again: bool = False) -> tuple[str, bool]:
    """The chosen order, and whether texts that came with a label are looked at as well."""
    there = {SELECTION: bool(selection(project.id)), AGAIN: again}
    orders = [name for name in words.titles if there.get(name, True)]
    if st.session_state.get(LABEL_ORDER) not in (None, *orders):
        st.session_state[LABEL_ORDER] = orders[0]  # without a value the browser would go on showing the old one
    order = st.selectbox(
        "Order of the texts",
        orders,
        format_func=words.titles.__getitem__,
        key=LABEL_ORDER,
        persist_state="session",
        label_visibility="collapsed",
        width=235,
    )
    order = order or "uncertain"
    if order in ("mismatch", "unlabelled", SELECTION, AGAIN):
        return order, True
    # Where everything has a label already, checking those is all there is to do. That is asked once: who labels the
    # last text is through, and is not led on to all the others.
    key = f"label_all_{project.id}"
    also = st.toggle(
        words.also,
        value=st.session_state.setdefault(f"{key}_first", unlabelled == 0),
        key=key,
        persist_state="session",
        help=words.also_help,
    )
    return order, bool(also)


def lay_out(  # noqa: PLR0913 - all that a queue follows from
    queue: AnnotationQueueState,
    order: str,
    with_labelled: bool,
    project: ProjectRecord,
    version: RuleVersion,
    model: ModelChoice,
    predicted: Predictions,
    *,
    count: int,
    again: Sequence[int] = (),
) -> None:
    """Make the queue anew where something it follows from has changed. Labels given meanwhile do not
    count. `count`: the number of texts; `again`: those of the order AGAIN."""
    chosen = selection(project.id) if order == SELECTION else tuple(again) if order == AGAIN else ()
    key = (order, with_labelled, version.id, model.key, count, chosen)
    if queue.key == key:
        return
    records = records_of(project)
    if order == AGAIN:
        queue.lay_out(key, again, again=True)
    elif order == SELECTION:
        open_ids = {record.id for record in records if record.annotator is None}
        queue.lay_out(key, [text_id for text_id in chosen if text_id in open_ids])
    else:
        seed = sum(map(ord, state.person())) + project.id
        queue.lay_out(key, build_queue(records, predicted, _order(order), with_labelled=with_labelled, seed=seed))


def place_guest(
    queue: AnnotationQueueState, record: TextRecord, predicted: Predictions, order: str, with_labelled: bool
) -> None:
    """A text that an undo has brought back stays in the queue where it is one of it."""
    if queue.guest != record.id or record.annotator is not None:
        return
    if order == SELECTION:
        mine = record.id in selection(record.project_id)
    else:
        mine = belongs(record, predicted, record.position, _order(order), with_labelled=with_labelled)
    if mine:
        queue.guest = None


def _order(name: str) -> Order:
    return cast(Order, name if name in ORDERS else "random")
