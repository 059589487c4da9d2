"""The texts of a project as a file, in the format that another program reads."""

from __future__ import annotations

import io
from collections.abc import Sequence

import streamlit as st

from pages._shared import messages, state
from pages._shared.markup import escape, html
from pages._shared.resources import store
from re2nn_core.exchange.export import Unheld
from re2nn_core.exchange.formats import FileFormat, formats_for
from re2nn_core.services.exchanging import export_texts
from re2nn_core.services.judged import BLIND, may_see_judgements
from re2nn_core.store import ProjectRecord, read_policy

# The one file that is ready, of whatever project: (project, format, bytes).
_READY = "_ready_download"
_NAMED = 8


def draw_texts_download(project: ProjectRecord, stem: str) -> None:
    """A choice of formats, a button that writes the file with a bar beside it, and the file."""
    if not may_see_judgements(store(), project.id, state.person()):
        html(f'<div class="re2-muted">Files and archives hold every label. {escape(BLIND)}</div>')
        return
    formats = {format.title: format for format in formats_for(project.task)}
    title = st.selectbox("Texts as a file", list(formats), key=f"format_{project.id}")
    chosen = formats[title or next(iter(formats))]
    if chosen.limits:
        st.caption(chosen.limits)
    leave_out = bool(chosen.refuses) and st.checkbox("Leave such texts out", key=f"leave_out_{project.id}")
    if read_policy(project.policy).kind != "every":
        st.caption(f"Of the labels, {read_policy(project.policy).in_words}: the team's choice on the page Team.")
    row = st.container(horizontal=True)
    if row.button("Prepare the file", key=f"prepare_{project.id}", icon=":material/description:"):
        _prepare(project, chosen, leave_out=leave_out)
    ready = st.session_state.get(_READY)
    if ready is not None and ready[:2] == (project.id, chosen.name):
        row.download_button(
            f"Download {stem}{chosen.ending or '.zip'}",
            ready[2],
            file_name=f"{stem}{chosen.ending or '.zip'}",
            mime="application/octet-stream",
            key=f"texts_{project.id}",
            icon=":material/download:",
            on_click="ignore",
        )


def _prepare(project: ProjectRecord, chosen: FileFormat, *, leave_out: bool) -> None:
    st.session_state.pop(_READY, None)
    stream, bar = io.BytesIO(), st.progress(0.0, "Writing the texts")
    with messages.guard(f"Writing {chosen.title}") as outcome:
        export_texts(
            store(), project, stream, chosen,
            leave_out=leave_out, person=state.person(), on_progress=lambda share: bar.progress(share) and None,
            on_left_out=_tell_left_out,
        )  # fmt: skip
    bar.empty()
    if outcome.ok:
        st.session_state[_READY] = (project.id, chosen.name, stream.getvalue())


def _tell_left_out(left_out: Sequence[Unheld]) -> None:
    lines = "".join(f"<li>{escape(str(one))}: {escape(one.reason)}</li>" for one in left_out[:_NAMED])
    more = f"<li>and {len(left_out) - _NAMED:,} more</li>" if len(left_out) > _NAMED else ""
    html(f'<div class="re2-warn">Left out: {len(left_out):,}<ul>{lines}{more}</ul></div>')
