"""What a session works on: project, rule version, model, rule, person. Ids only; everything else is in the store.

Each id lives in the session and in the address of the page, so that a reload and a bookmark keep it. The
address wins where it was changed by something else than this module: a link, a bookmark, the person.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._shared.catalog import PROJECTS
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access
from pages._shared.session.browser_session import kept
from re2nn_core.errors import NotFoundError
from re2nn_core.services.fine_tuning.dev_figures import measured_on
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.run_figures import named_figure
from re2nn_core.services.fine_tuning.runs import run_names
from re2nn_core.services.fine_tuning.stored_runs import list_runs
from re2nn_core.services.projects.stored_projects import get_project, latest_version, version_by_number
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.task import Task

NAMES = ("project", "version", "model", "rule", "person")
DEFAULT_PERSON = "analyst"
# How good a run is, as a share or in percent.
_FIGURES = {Task.CLASSIFICATION: "{0:.1%}", Task.SLOT_FILLING: "F1 {1:.1f}"}
_NAMED = "_rule_named"
RULES_MODEL, NETWORK_MODEL = "rules", "network"


@dataclass(frozen=True)
class ModelChoice:
    """What predicts: the rules, their untrained network, or a trained run. `key` is what the address holds."""

    key: str
    title: str
    run: RunRecord | None = None


def sync() -> None:
    """Bring session and address together; the bar calls this before a page reads anything."""
    mirrored: dict[str, str] = st.session_state.setdefault("_mirrored", {})
    if access.person() is not None:
        st.query_params.pop("person", None)
        st.session_state.pop(_key("person"), None)
    for name in NAMES:
        given = st.query_params.get(name)
        if given is not None and (given != mirrored.get(name) or _key(name) not in st.session_state):
            _keep(name, given)
            if name == "rule":
                name_rule(given)
        elif _key(name) in st.session_state and given is None:
            st.query_params[name] = st.session_state[_key(name)]
        mirrored[name] = st.session_state.get(_key(name), "")


def _key(name: str) -> str:
    return f"_chosen_{name}"


def _keep(name: str, value: str) -> None:
    if name == "project" and value != st.session_state.get(_key("project")):
        for dependent in ("version", "model", "rule"):
            st.session_state.pop(_key(dependent), None)
    st.session_state[_key(name)] = value


def _choose(name: str, value: str | None) -> None:
    mirrored: dict[str, str] = st.session_state.setdefault("_mirrored", {})
    if value is None:
        st.session_state.pop(_key(name), None)
        st.query_params.pop(name, None)
    else:
        _keep(name, value)
        st.query_params[name] = value
    mirrored[name] = value or ""


def choose_project(project_id: int) -> None:
    """Work on this project from now on, with its newest rules, predicted by the rules."""
    for dependent in ("version", "model", "rule"):
        _choose(dependent, None)
    _choose("project", str(project_id))


def leave_project() -> None:
    """Work on no project, for example because it was deleted."""
    for name in ("version", "model", "rule", "project"):
        _choose(name, None)


def choose_version(number: int | None) -> None:
    """Look at this rule version; None follows the newest one."""
    _choose("version", None if number is None else str(number))


def choose_model(key: str) -> None:
    """Let this model predict: RULES_MODEL, NETWORK_MODEL or "run:<id>"."""
    _choose("model", key)


def choose_rule(name: str | None) -> None:
    """Look at this rule; pages call `chosen_rule.choose_rule`."""
    _choose("rule", name)


def name_rule(name: str) -> None:
    """That a link or the address names this rule, and not a page that was open before."""
    st.session_state[_NAMED] = name


def named_rule() -> str | None:
    """The rule that a link or the address has named since this was asked last."""
    found: str | None = st.session_state.pop(_NAMED, None)
    return found


def current_rule() -> str | None:
    """The rule that is looked at, as the address has it; the rules may have none of this name."""
    return str(st.session_state.get(_key("rule"), "")) or None


def typed_name() -> str:
    """The name that was typed in this session, for the browser to keep; empty for none, and where people sign in."""
    return str(st.session_state.get(_key("person"), "")) if access.person() is None else ""


def choose_person(name: str) -> None:
    """Work under this name. Nobody has checked it."""
    _choose("person", name.strip() or DEFAULT_PERSON)


def person() -> str:
    """Who is working: who has signed in, whatever the address says; where a typed name is enough, that name."""
    signed_in = access.person()
    if signed_in == "":
        access.give_way()
    if signed_in is not None:
        return signed_in
    return str(st.session_state.get(_key("person")) or kept("name") or DEFAULT_PERSON)


def project_id() -> int | None:
    """The id of the chosen project, as the address has it; it may not exist any more."""
    value = str(st.session_state.get(_key("project"), ""))
    return int(value) if value.isascii() and value.isdecimal() else None


def current_project() -> ProjectRecord | None:
    """The chosen project; None where none is chosen or where it is gone."""
    chosen = project_id()
    if chosen is None:
        return None
    try:
        return get_project(store(), chosen)
    except NotFoundError:
        return None


def require_project() -> ProjectRecord:
    """The chosen project. Where there is none the page says where to choose one, and ends here."""
    project = current_project()
    if project is None:
        messages.empty(
            "No project is open." if project_id() is None else "The project no longer exists.",
            "Open your own project or a sample project.",
            link=PROJECTS,
        )
        st.stop()
    return project


def current_version(project: ProjectRecord) -> RuleVersion:
    """The chosen rule version of the project, else the newest one."""
    value = str(st.session_state.get(_key("version"), ""))
    if value.isascii() and value.isdecimal():
        try:
            return version_by_number(store(), project.id, int(value))
        except NotFoundError:
            choose_version(None)
    return latest_version(store(), project.id)


def model_choices(project: ProjectRecord) -> tuple[ModelChoice, ...]:
    """Everything that can predict for the project, trained runs newest first."""
    runs = list_runs(store(), project.id, "train")
    names = run_names(store(), project.id)
    trained = [run for run in runs if run.state == "done"]
    return (
        ModelChoice(RULES_MODEL, "rules"),
        ModelChoice(NETWORK_MODEL, "network, not trained"),
        *(ModelChoice(f"run:{run.id}", _run_title(run, names[run.id], project.task), run) for run in trained),
    )


def _run_title(run: RunRecord, name: str, task: Task) -> str:
    """Its name and how good it is on which texts; for slots the figure is an F1."""
    figure = named_figure(run)
    edited = "" if edit_of(run) is None else ", edited"
    if figure is None:
        return f"{name}{edited}"
    return f"{name}{edited}, {measured_on(_FIGURES[task].format(figure.share, 100 * figure.share), figure.split)}"


def current_model(project: ProjectRecord) -> ModelChoice:
    """The chosen model, else the rules."""
    choices = model_choices(project)
    key = st.session_state.get(_key("model"), RULES_MODEL)
    return next((choice for choice in choices if choice.key == key), choices[0])


def draft_key(project_id: int) -> str:
    """Where the session keeps the rules that are being edited."""
    return f"_draft_{project_id}"


def has_unsaved_rules(project_id: int) -> bool:
    """Whether there are edits of the project's rules that no version holds."""
    return bool(getattr(st.session_state.get(draft_key(project_id)), "dirty", False))
