"""The cards of the first page: own projects, and the samples to look around in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from pages._projects.added_texts import draw_add_texts
from pages._projects.downloads import draw_texts_download
from pages._projects.forms import FILE_TYPES
from pages._projects.parts import SLOT_CASE, SLOT_CASE_HELP
from pages._shared.catalog import LABEL, RULES
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._shared.drawing.measures import measure_of
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.services.fine_tuning.dev_figures import measured_on
from re2nn_core.services.fine_tuning.run_figures import named_figure
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.fine_tuning.stored_runs import get_run
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.projects.guarded_writes import delete_project, rename_project, set_slot_case
from re2nn_core.services.projects.projects import SampleCard, list_samples, open_sample
from re2nn_core.services.projects.stored_projects import list_projects
from re2nn_core.services.team.annotations import may_see_annotations
from re2nn_core.services.values.stored import ProjectRecord, ProjectSummary
from re2nn_core.task import Task
from re2nn_core.text.joined_names import first_names

_A_ROW = 3
_COPIES_NAMED = 3  # of the copies of a sample
_BLIND = "The team annotates blind: the archive holds the labels of others. Ask a reviewer to export it."


_BEGIN = "Open a sample to try it out, or create a project from your own texts at the bottom of the page."


def own_projects() -> None:
    """Projects in the store, the one changed last in front."""
    summaries = list_projects(store())
    if not summaries:
        html(f"<div>You have no project yet. {_BEGIN}</div>")
        return
    st.subheader("Your projects", anchor=False)
    _grid(summaries, _own_card, "own")


def sample_projects() -> None:
    """Samples that came with the program. Opening one makes a project of one's own, so nothing can be
    spoilt.
    """
    samples = list_samples()
    if not samples:
        return
    st.subheader("Sample projects", anchor=False)
    _grid(samples, _sample_card, "sample")


def _grid(items: Sequence, draw: Callable, kind: str) -> None:
    """Cards, `kind` in the names of their style: a click anywhere on one of a project opens it."""
    for begin in range(0, len(items), _A_ROW):
        for place, (column, item) in enumerate(zip(st.columns(_A_ROW), items[begin : begin + _A_ROW], strict=False)):
            # What a card says stands above, its buttons below: those of a row are on one line.
            key = f"re2_card_{kind}_{begin + place}"
            with column, st.container(border=True, height="stretch", vertical_alignment="distribute", key=key):
                draw(item)


def _own_card(summary: ProjectSummary) -> None:
    project = summary.project
    chosen = project.id == state.project_id()
    note = f"copy of a sample · {project.task}" if project.sample else project.task
    html(_head(project.name, note + (" · open" if chosen else ""), project.description))
    share = summary.labelled / summary.texts if summary.texts else 0.0
    words = _WORDS[project.task]
    with st.container():
        html(
            figures(
                [
                    count_figure(summary.texts, "text"),
                    (f"{share:.0%}", words.given, ""),
                ]
            )
            + f'<div class="re2-muted">{escape(_last_figure(summary))}changed {ago(summary.last_change)}</div>'
        )
        _own_buttons(summary)


def _last_figure(summary: ProjectSummary) -> str:
    """The figure of the last run and its texts: `network of run 2: accuracy 93.5% on test, 60 texts · `."""
    run = None if summary.last_run is None else get_run(store(), summary.last_run)
    figure = None if run is None else named_figure(run)
    if run is None or figure is None:
        return ""
    measure = measure_of(run)
    name = measure.name or "accuracy"
    return (
        f"network of run {number_of(store(), run)}: {name} {measured_on(measure.shown(figure.share), figure.base)} · "
    )


def _own_buttons(summary: ProjectSummary) -> None:
    project = summary.project
    with st.container(horizontal=True):
        if st.button("Open project", key=f"open_{project.id}", type="primary", icon=":material/arrow_forward:"):
            state.choose_project(project.id)
            # Whoever may not save rules comes to label.
            page = RULES if access.may("reviewer") else LABEL
            st.switch_page(page.file, query_params={"project": str(project.id)})
        with st.popover("More", key=f"more_{project.id}"):
            _more(summary)


def _more(summary: ProjectSummary) -> None:
    project = summary.project
    why = access.why_not("owner")
    if why is not None:
        html(f'<div class="re2-muted">Rename, add texts, change or delete. {escape(why)}</div>')
    name = st.text_input("Name", project.name, key=f"name_{project.id}", disabled=why is not None, help=why)
    if st.button("Rename", key=f"rename_{project.id}", disabled=not name or name == project.name or why is not None):
        with messages.guard("Renaming") as outcome:
            rename_project(store(), project.id, name or "", person=state.person())
        if outcome.ok:
            st.rerun()
    _WORDS[project.task].draw_settings(project, why)
    if why is None:
        draw_add_texts(project, list(FILE_TYPES))
    draw_texts_download(project, file_name(project.name))
    person = state.person()
    download(
        "Export as archive",
        lambda: export_project(store(), project.id, person=person),
        f"{file_name(project.name)}.zip",
        "application/zip",
        key=f"export_{project.id}",
        why_not=None if may_see_annotations(store(), project.id, person) else _BLIND,
    )
    st.caption(
        "Contains texts, all rule versions, annotations, adjudications, policy and queue. Training runs are "
        "not included; `re2nn backup` includes them."
    )
    sure = st.checkbox("Delete this project permanently", key=f"sure_{project.id}", disabled=why is not None, help=why)
    if st.button("Delete project", key=f"delete_{project.id}", disabled=not sure, icon=":material/delete:"):
        with messages.guard("Deleting") as outcome:
            delete_project(store(), project.id, person=state.person())
            st.session_state.pop(state.draft_key(project.id), None)
        if outcome.ok:
            if state.project_id() == project.id:
                state.leave_project()
            messages.remember(f"{project.name} was deleted.")
            st.rerun()


def _slot_case(project: ProjectRecord, why_not: str | None) -> None:
    ignore = st.checkbox(
        SLOT_CASE,
        value=project.ignore_slot_case,
        key=f"slot_case_{project.id}",
        help=why_not or SLOT_CASE_HELP,
        disabled=why_not is not None,
    )
    if ignore == project.ignore_slot_case:
        return
    with messages.guard("Changing the project") as outcome:
        set_slot_case(store(), project.id, ignore=ignore, person=state.person())
    if outcome.ok:
        st.rerun()


@dataclass(frozen=True)
class _Words:
    """How the share of texts with labels or spans is called, and what a project may set."""

    given: str
    draw_settings: Callable[[ProjectRecord, str | None], None] = lambda *_: None


_WORDS = {
    Task.CLASSIFICATION: _Words("labelled"),
    Task.SLOT_FILLING: _Words("annotated", _slot_case),
}


def _sample_card(card: SampleCard) -> None:
    """A sample; below one that was opened before stand its copies, which are among one's own projects."""
    mine = [s.project.name for s in list_projects(store()) if s.project.sample == card.name]
    html(_head(card.title, card.task, _copies(mine) if mine else card.description))
    if st.button(
        "Make another copy" if mine else "Open a copy",
        key=f"sample_{card.name}",
        type="tertiary" if mine else "primary",
        icon=":material/science:",
        disabled=(why := access.why_not("owner")) is not None,
        help=why,
    ):
        with messages.guard(f"Opening {card.title}") as outcome:
            project = open_sample(store(), card.name, state.person())
        if outcome.ok:
            state.choose_project(project.id)
            st.switch_page(RULES.file, query_params={"project": str(project.id)})


def _copies(names: Sequence[str]) -> str:
    """That a sample was opened before, with the names of its copies."""
    return f"You have {'a copy' if len(names) == 1 else 'copies'} above: {first_names(names, _COPIES_NAMED)}."


def _head(title: str, note: str, description: str) -> str:
    return (
        f'<div style="display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:.6rem">'
        f"<b>{escape(title)}</b>"
        f'<span class="re2-muted">{escape(note)}</span></div>'
        f'<div class="re2-muted" style="min-height:2.6em">{escape(description)}</div>'
    )


def ago(moment: datetime, now: datetime | None = None) -> str:
    """How long ago, as people say it."""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def file_name(name: str) -> str:
    """A project's name as the name of a file on any system."""
    kept = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name).strip("_")
    return kept[:80] or "project"
