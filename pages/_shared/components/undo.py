"""The buttons that undo and redo the steps of a project's rules, for every page that shows the newest version."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.errors import ConflictError, Re2nnError
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_writing.rule_history import UndoStep, redo, undo, undo_steps_of
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

_MADE = "_undo_made"  # the version that an undo or redo of this session saved last
_MOVED = "_undo_moved"  # what is said of a click, after which the whole page is drawn anew; empty for nothing
_QUOTED = 90  # signs of a version's message


def draw_undo_redo(
    project: ProjectRecord,
    versions: tuple[RuleVersion, ...],
    *,
    why_not: str | None = None,
    done: Callable[[], None] = lambda: None,
) -> None:
    """Both buttons, where there is something to undo or redo; `versions` are all, the newest in front. A click is meant
    for the version that was newest when it was drawn, and does nothing to another. `why_not`: why there can be none
    now; `done` is called after one."""
    moved = st.session_state.pop(_MOVED, None)
    if moved is not None:
        for message, icon in moved:
            messages.remember(message, icon)
        st.rerun(scope="app")
    number = versions[0].number
    steps, why = undo_steps_of(versions), access.why_not("reviewer") or why_not
    # The redo comes first: it stands where the undo was clicked, so that a second click there loses no rules.
    for verb, step, act in (("Redo", steps.undone, redo), ("Undo", steps.last, undo)):
        if step is None:
            continue
        brings = step.version if act is redo else step.before
        st.button(
            f"{'Forward' if act is redo else 'Back'} to rules v{brings.number}",
            key=f"version_{verb.lower()}",
            icon=f":material/{verb.lower()}:",
            disabled=why is not None,
            help=why or _help(step, number, brings),
            on_click=partial(_click, act, project, number, brings, done),
        )


def _help(step: UndoStep, number: int, brings: RuleVersion) -> str:
    version = step.version
    text = version.message[:_QUOTED] + ("…" if len(version.message) > _QUOTED else "")
    moved = messages.plain(f": “{text}”") if text else ""
    by = messages.plain(version.author)
    return (
        f"Rules v{version.number} were saved by {by}{moved}.  \nSaves rules v{brings.number} as rules v"
        f"{number + 1}. History keeps every version."
    )


def _click(
    act: Callable[..., RuleVersion | None],
    project: ProjectRecord,
    number: int,
    brings: RuleVersion,
    done: Callable[[], None],
) -> None:
    try:
        saved = act(store(), project, number, author=state.person())
    except ConflictError:
        _report_conflict(project)
        return
    except Re2nnError as error:
        st.session_state[_MOVED] = [(f"Not changed. {error}", ":material/error:")]
        return
    if saved is not None:
        st.session_state[_MADE] = saved.id
        st.session_state[_MOVED] = [
            (f"Saved as rules v{saved.number}: the rules of v{brings.number}.", ":material/undo:")
        ]
        state.choose_version(None)
        done()


def _report_conflict(project: ProjectRecord) -> None:
    """Somebody has saved since the button was drawn; the second click of a double click needs no word."""
    newest = latest_version(store(), project.id)
    own = newest.id == st.session_state.get(_MADE)
    st.session_state[_MOVED] = [] if own else [(saved_meanwhile(newest), ":material/warning:")]


def saved_meanwhile(version: RuleVersion) -> str:
    """Why a click that was meant for an older version had no effect."""
    by = "you in another window" if version.author == state.person() else version.author
    return (
        f"Rules v{version.number} were saved by {by} in the meantime, so your click had no effect. "
        "Look at them, then click again."
    )
