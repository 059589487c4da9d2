"""The switch that takes a change over, the button that saves them as a new rule version, and what test texts say of
them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import streamlit as st

from pages._compare.newest import Newest, forget_drawn, stop_unseen
from pages._shared import access, messages, state
from pages._shared.catalog import RULES
from pages._shared.markup import escape, html
from pages._shared.measures import ACCURACY, Measure
from pages._shared.resources import store
from re2nn_core.errors import SentencesError
from re2nn_core.services.rule_changes import Acceptance
from re2nn_core.services.rule_saving import save_rules
from re2nn_core.services.runs import number_of
from re2nn_core.services.split_roles import DEV_ALONE, NO_CHANGE, NO_TEST, dev_alone_gains
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord

_NAMED = 8
_QUOTED = 3  # rules whose comments are quoted


def advice(gains: Mapping[str, float], measure: Measure = ACCURACY, *, listed: bool = True) -> str:
    """What the texts say that had no part in choosing the changes, as HTML; `gains` are those of each split. `listed`:
    the texts won and lost stand on the page."""
    if "test" not in gains:
        return f'<div class="re2-muted">{NO_TEST}</div>'
    said = (
        f'<div class="re2-muted">On test: {measure.change(gains["test"], NO_CHANGE)}; these texts chose nothing.</div>'
    )
    if dev_alone_gains(gains):
        read = " Read the texts won and lost, further below, before you save." if listed else ""
        said += f'<div class="re2-warn">{DEV_ALONE}{read}</div>'
    return said


def draw_take_switch(title: str, key: str) -> None:
    """Whether a change is taken over: yes at first; the session knows it under this key."""
    # The switch is drawn for the chosen rule alone, and would be forgotten with it; so its value is kept apart.
    switch = f"{key}_switch"
    st.toggle(title, value=st.session_state.get(key, True), key=switch, on_change=_take, args=(key, switch))


def _take(key: str, switch: str) -> None:
    st.session_state[key] = st.session_state.get(switch, True)


def draw_left_out(accepted: Acceptance, newest: Newest) -> None:
    """The rules that are left as they are, and why."""
    for name, why in accepted.refused:
        told = escape(newest.left_because(name, why))
        html(f'<div class="re2-muted"><b>{escape(name)}</b> is left as it is: {told}.</div>')
    if accepted.there:
        count = len(accepted.there)
        named = ", ".join(accepted.there[:_NAMED]) + (f" and {count - _NAMED:,} more" if count > _NAMED else "")
        html(
            f'<div class="re2-muted">In the newest rules as {"it was" if count == 1 else "they were"} read back '
            f"already: {escape(named)}.</div>"
        )
    if not accepted.accepted:
        html('<div class="re2-muted">There is no change to take over.</div>')


def draw_save(project: ProjectRecord, run: RunRecord, accepted: Acceptance, newest: RuleVersion) -> None:
    """What the version is to say of itself, and the button."""
    count = len(accepted.accepted)
    named = ", ".join(accepted.accepted[:4]) + (" …" if count > 4 else "")
    message = st.text_input(
        "What changed",
        f"Run {number_of(store(), run)} read back: {named}",
        key=f"compare_message_{run.id}_{named}",
        label_visibility="collapsed",
        placeholder="What changed",
    )
    title = f"Save {count} change{'' if count == 1 else 's'} as rules v{newest.number + 1}"
    save_on_click(project, newest, accepted, message, Saving(title, "compare_save", ":material/save:", primary=True))


@dataclass(frozen=True)
class Saving:
    """A button that saves."""

    title: str
    key: str
    icon: str = ":material/add_task:"
    primary: bool = False


def save_on_click(
    project: ProjectRecord, newest: RuleVersion, accepted: Acceptance, message: str | None, button: Saving
) -> None:
    """The button; a click saves the rules as the version behind the newest one, and runs the page again."""
    key = f"{project.id}_{crc32(accepted.rules_text.encode()):x}"
    _draw_comments(accepted)
    although = draw_although(key)
    kind: Literal["primary", "secondary"] = "primary" if button.primary else "secondary"
    why = access.why_not("reviewer")
    if not st.button(button.title, key=button.key, type=kind, icon=button.icon, disabled=why is not None, help=why):
        return
    save_as_next(project, newest, accepted.rules_text, accepted.logic_text, message or "", key, although)


def _draw_comments(accepted: Acceptance) -> None:
    """What people wrote about the rules that change: it stays, and may not fit them any more."""
    if not accepted.comments:
        return
    shown = "".join(
        f"<div><b>{escape(name)}</b>: {escape(' '.join(lines))}</div>" for name, lines in accepted.comments[:_QUOTED]
    )
    more = len(accepted.comments) - _QUOTED
    one = sum(len(lines) for _, lines in accepted.comments) == 1
    said = "This comment stays" if one else "These comments stay"
    html(
        f'<div class="re2-muted">{said}, though the rules change; a line above the rule will say that '
        f"{'it is' if one else 'they are'} older. {shown}"
        f"{f'and those of {more:,} more' if more > 0 else ''}</div>"
    )


def draw_although(key: str) -> str:
    """Where sentences of the rules stopped a save: which, and a reason to save all the same."""
    failures = st.session_state.get(f"_stopped_{key}")
    if not failures:
        return ""
    rows = "".join(f'<div><b class="re2-down">✗</b> {escape(failure)}</div>' for failure in failures)
    html(f'<div class="re2-fault"><b>Not saved.</b> Leave the change out, or say why it should be saved.{rows}</div>')
    said = st.text_input(
        "Why it should be saved all the same", key=f"_although_{key}", max_chars=200, help="Kept with the new version."
    )
    return said or ""


def save_as_next(
    project: ProjectRecord, newest: RuleVersion, rules_text: str, logic_text: str, message: str, key: str, although: str
) -> None:
    """Save the next version and begin the page anew; what stops it is shown, sentences by `draw_although`."""
    stop_unseen(newest)
    with messages.guard("Saving the rules") as outcome:
        try:
            saved = save_rules(
                store(),
                project,
                rules_text=rules_text,
                logic_text=logic_text,
                author=state.person(),
                message=message,
                expected_number=newest.number,
                although=although,
            )
        except SentencesError as error:
            st.session_state[f"_stopped_{key}"] = error.failures
            st.rerun(scope="app")
    if outcome.ok:
        st.session_state.pop(f"_stopped_{key}", None)
        state.choose_version(None)
        forget_drawn()
        messages.remember(f"Saved as rules v{saved.number}. Open them on the page {RULES.title}.")
        st.rerun(scope="app")
