"""The texts of a project as a file, in the format that another program reads."""

from __future__ import annotations

import io
from collections.abc import Hashable, Sequence
from typing import Any

import streamlit as st

from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.exchange.export import Unheld, UnheldError, may_have_slot_blanks
from re2nn_core.exchange.formats import FileFormat, formats_for
from re2nn_core.services.projects.exchanging import export_texts
from re2nn_core.services.projects.stored_projects import read_policy
from re2nn_core.services.team.annotations import BLIND, may_see_annotations
from re2nn_core.services.values.stored import ProjectRecord

# The one file that is ready, of whatever project: (project, format, bytes).
_READY = "_ready_download"
# How many texts a format could not hold, when it was tried last: (what was asked, number).
_UNHELD = "_unheld_texts"
_NAMED = 8


def draw_texts_download(project: ProjectRecord, stem: str) -> None:
    """A choice of formats, a button that writes the file with a bar beside it, and the file."""
    if not may_see_annotations(store(), project.id, state.person()):
        html(f'<div class="re2-muted">Files and archives contain all labels. {escape(BLIND)}</div>')
        return
    formats = {format.title: format for format in formats_for(project.task)}
    title = st.selectbox("Export texts", list(formats), key=f"format_{project.id}")
    chosen = formats[title or next(iter(formats))]
    if chosen.limits:
        st.caption(chosen.limits)
    switch = st.empty()
    leave_out = _draw_switch(switch, project, chosen)
    slot_blanks = may_have_slot_blanks(chosen, project.task) and st.checkbox(
        "Blanks for _ in names of slots",
        key=f"slot_blanks_{project.id}",
        on_change=_drop,
        help="Names such as “Place Name” are imported as Place_Name. Other programs then find their own names again.",
    )
    if read_policy(project.policy).kind != "every":
        st.caption(f"Labels: {read_policy(project.policy).in_words} (see Team, Training labels).")
    row = st.container(horizontal=True)
    if row.button("Prepare file", key=f"prepare_{project.id}", icon=":material/description:"):
        error = _prepare(project, chosen, leave_out=leave_out, slot_blanks=slot_blanks)
        if error is not None:
            st.session_state[_UNHELD] = (_asked(project, chosen), len(error.unheld))
            _draw_switch(switch, project, chosen)
    ready = st.session_state.get(_READY)
    if ready is not None and ready[:2] == (project.id, chosen.name):
        name = f"{stem}{chosen.ending or '.zip'}"
        with row:
            download(f"Download {name}", ready[2], name, "application/octet-stream", key=f"texts_{project.id}")


def _drop() -> None:
    """What is ready was made without this choice."""
    st.session_state.pop(_READY, None)


def _asked(project: ProjectRecord, chosen: FileFormat) -> Hashable:
    """What a number of texts that cannot be held is of: it may be another one when the project has changed."""
    return project.id, project.updated_at, chosen.name


def _draw_switch(place: Any, project: ProjectRecord, chosen: FileFormat) -> bool:
    """Whether to leave out what the format cannot hold, with how many there are once that is known; nothing where the
    format holds every text, as far as is known."""
    asked, number = st.session_state.get(_UNHELD, (None, 0))
    known = number if asked == _asked(project, chosen) else 0
    if not chosen.refuses and not known:
        return False
    return bool(
        place.checkbox(
            f"Leave out rows that the format cannot store{(f' ({known:,})' if known else '')}",
            key=f"leave_out_{project.id}_{chosen.name}_{known}",
            help="They are listed when the file is ready.",
        )
    )


def _prepare(project: ProjectRecord, chosen: FileFormat, *, leave_out: bool, slot_blanks: bool) -> UnheldError | None:
    """Write the file; what could not be written, where it could be left out."""
    st.session_state.pop(_READY, None)
    stream, bar = io.BytesIO(), st.progress(0.0, "Writing the texts")
    with messages.guard(f"Writing {chosen.title}") as outcome:
        export_texts(
            store(), project, stream, chosen,
            leave_out=leave_out, slot_blanks=slot_blanks, person=state.person(),
            on_progress=lambda share: bar.progress(share) and None, on_left_out=_report_left_out,
        )  # fmt: skip
    bar.empty()
    if outcome.ok:
        st.session_state[_READY] = (project.id, chosen.name, stream.getvalue())
    return outcome.error if isinstance(outcome.error, UnheldError) else None


def _report_left_out(left_out: Sequence[Unheld]) -> None:
    lines = "".join(f"<li>{escape(str(one))}: {escape(one.reason)}</li>" for one in left_out[:_NAMED])
    more = f"<li>and {len(left_out) - _NAMED:,} more</li>" if len(left_out) > _NAMED else ""
    html(f'<div class="re2-warn">Left out: {len(left_out):,}<ul>{lines}{more}</ul></div>')
