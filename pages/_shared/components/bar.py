"""The bar at the top of every page: project, rule version, model, who is working. Every page calls it
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages._shared.catalog import ASSETS, COMPARE, PRODUCT, PROJECTS, RESULTS, RULES, PageEntry
from pages._shared.components.guide import help_button
from pages._shared.components.keys import Key
from pages._shared.components.next_step import draw_next_step
from pages._shared.components.scripts import draw_script
from pages._shared.components.tour import draw_tour
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html, styles
from pages._shared.resources import store
from pages._shared.session import access, chosen_rule, gate, permission, state
from pages._shared.session.account import draw_account
from pages._shared.session.router import ensure_routed
from pages._shared.session.visible_labels import report_blind
from re2nn_core.errors import Re2nnError
from re2nn_core.services.projects.stored_projects import list_versions
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task

_LONGEST_NAME = 28


def draw_bar(page: PageEntry, keys: Sequence[Key] = (), by_task: Mapping[Task, Sequence[Key]] | None = None) -> None:
    """The first thing of a page: style sheet, bar, the page's title and purpose. `by_task`: the keys of a task that
    has others."""
    ensure_routed()
    styles()
    gate.stop_unless_passed()
    state.sync()
    chosen_rule.follow_links()
    try:
        project = state.current_project()
        permission.begin(project)
    except Re2nnError as error:
        messages.show_error(error, "Opening the database")
        st.stop()
    # People with several tabs tell them apart by this.
    st.set_page_config(page_title=" · ".join([page.title, *([project.name] if project else []), PRODUCT]))
    with st.container(horizontal=True, vertical_alignment="center", key="re2_bar", gap="small"):
        html(
            f'<span style="font-size:1.18rem;font-weight:600">{escape(page.title)}</span> '
            f'<span class="re2-muted re2-purpose">{escape(page.purpose)}</span>'
        )
        if project is None:
            st.page_link(PROJECTS.file, label="No project open", icon=PROJECTS.icon)
        else:
            if page is not RULES and state.has_unsaved_rules(project.id):
                st.page_link(RULES.file, label="Unsaved edits", icon=RULES.icon, help="Continue editing your rules")
            else:
                draw_next_step(page, project, list_versions(store(), project.id)[0].number)
            _project(project, with_model=page not in (COMPARE, RESULTS))
        _person()
        help_button(page, keys if project is None else (by_task or {}).get(project.task, keys))
        draw_script("focus_back", ASSETS / "focus_back.js")
        chosen_rule.draw_link_script()
    messages.show_remembered()
    draw_tour(page, project)
    if project is not None:
        report_blind(page, project)


def _project(project: ProjectRecord, *, with_model: bool) -> None:
    name = project.name if len(project.name) <= _LONGEST_NAME else project.name[: _LONGEST_NAME - 1] + "…"
    st.page_link(
        PROJECTS.file,
        label=messages.plain(name),
        icon=PROJECTS.icon,
        help=f"{messages.plain(project.name)}  \nClick to choose another project.",
    )
    numbers = [version.number for version in list_versions(store(), project.id)]
    shown = state.current_version(project).number
    st.selectbox(
        "Rule version",
        numbers,
        index=numbers.index(shown),
        format_func=lambda number: f"Rules v{number}" + ("" if number == numbers[0] else " (older)"),
        key=f"_bar_version_{project.id}_{numbers[0]}_{shown}",
        label_visibility="collapsed",
        width=175,
        on_change=_take_version,
        args=(f"_bar_version_{project.id}_{numbers[0]}_{shown}", numbers[0]),
    )
    if with_model:  # the others show runs of their own
        _model(project)


def _take_version(key: str, newest: int) -> None:
    # A change of page may call this without a value.
    number = st.session_state.get(key)
    if number is not None:
        state.choose_version(None if number == newest else number)


def _model(project: ProjectRecord) -> None:
    choices = {choice.key: choice.title for choice in state.model_choices(project)}
    shown = state.current_model(project).key
    key = f"_bar_model_{project.id}_{shown}"
    st.selectbox(
        "Model",
        list(choices),
        index=list(choices).index(shown),
        format_func=lambda model: f"Model: {choices[model]}",
        key=key,
        label_visibility="collapsed",
        width=265,
        on_change=_take_model,
        args=(key,),
    )


def _take_model(key: str) -> None:
    model = st.session_state.get(key)
    if model is not None:
        state.choose_model(model)


def _take_person() -> None:
    name = st.session_state.get("_bar_person")
    if name is not None:
        state.choose_person(name)


def _person() -> None:
    if access.person() is not None:
        draw_account()
        return
    name = state.person()
    with st.popover(messages.plain(name), icon=":material/person:", help="Your name"):
        st.text_input(
            "Your name",
            name,
            max_chars=80,
            key="_bar_person",
            on_change=_take_person,
        )
        html('<span class="re2-muted">Stored with every label and version. There is no password.</span>')
