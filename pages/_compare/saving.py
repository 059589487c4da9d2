"""The switch that takes a change over, the button that saves them as a new rule version, and what test texts say of
them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import streamlit as st

from pages._compare.newest import SAVED, Newest, forget_drawn, stop_unseen
from pages._shared import access, jumps, messages, state
from pages._shared.catalog import RULES
from pages._shared.markup import escape, html
from pages._shared.measures import ACCURACY, Measure
from pages._shared.resources import store
from re2nn_core.errors import SentencesError
from re2nn_core.services.rule_changes import Acceptance
from re2nn_core.services.rule_saving import report_of, save_rules
from re2nn_core.services.runs import number_of
from re2nn_core.services.split_roles import DEV_ALONE, NO_CHANGE, NO_TEST, dev_alone_gains
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, latest_version

_NAMED = 8
_QUOTED = 3  # rules that are named on a button
_TOLD = 5  # sentences that are told of
_GOES_THERE = "The key {} comes here from anywhere on the page; Enter accepts."


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


def draw_take_switch(title: str, key: str, *, refused: bool = False) -> None:
    """Whether a change is taken over: yes at first; the session knows it under this key. `refused`: it cannot be."""
    if refused:
        why = (
            "The newest version has this rule otherwise than it was written or learned, and the whole change would "
            "undo that. What can still be taken over stands below, edit by edit."
        )
        st.toggle(title, value=False, key=f"{key}_refused", disabled=True, help=why)
        return
    # The switch is drawn for the chosen rule alone, and would be forgotten with it; so its value is kept apart.
    switch = f"{key}_switch"
    st.toggle(title, value=st.session_state.get(key, True), key=switch, on_change=_take, args=(key, switch))


def left_alone(accepted: Acceptance | None) -> frozenset[str]:
    """The rules that cannot be taken over."""
    return frozenset() if accepted is None else frozenset(name for name, _ in accepted.refused)


def _take(key: str, switch: str) -> None:
    st.session_state[key] = st.session_state.get(switch, True)


def draw_left_out(accepted: Acceptance, newest: Newest) -> None:
    """The rules that are left as they are, and why."""
    for name, why in accepted.refused:
        told = escape(newest.left_because(name, why))
        html(f'<div class="re2-muted"><b>{escape(name)}</b> is left as it is: {told}.</div>')
    if accepted.begun:
        one = len(accepted.begun) == 1
        html(
            f'<div class="re2-muted"><b>{escape(_listed(accepted.begun))}</b> {"has" if one else "have"} some of '
            f"{'its' if one else 'their'} learned edits already; the rest is taken over.</div>"
        )
    if accepted.there:
        count = len(accepted.there)
        html(
            f'<div class="re2-muted">In the newest rules as {"it was" if count == 1 else "they were"} read back '
            f"already: {escape(_listed(accepted.there))}.</div>"
        )
    if not accepted.accepted:
        html('<div class="re2-muted">There is no change to take over.</div>')


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def draw_save(
    project: ProjectRecord, run: RunRecord, accepted: Acceptance, newest: RuleVersion, key_of: Callable[[str], str]
) -> None:
    """What the version is to say of itself, and the button. `key_of` a rule: what the session knows its switch by."""
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
    failing = _failing(store().url, project.id, newest.number, accepted.rules_text, accepted.logic_text, project)
    button = Saving(title, "compare_save", ":material/save:", primary=True)
    names = [name for name in accepted.accepted if name in {rule for rule, _ in failing}]
    known = Failing([told for _, told in failing], lambda: _draw_leave_out(names, count, key_of))
    save_on_click(project, newest, accepted, message, button, known)


@st.cache_data(show_spinner=False, max_entries=8)
def _failing(
    url: str, project_id: int, number: int, rules_text: str, logic_text: str, _project: ProjectRecord
) -> list[tuple[str, str]]:
    """The sentences of the newest version that would fail: the rule of each, and what happens."""
    sentences = latest_version(store(), project_id).sentences_text
    report = report_of(store(), _project, rules_text, logic_text, sentences)
    return [(one.rule, str(one)) for one in report.failures]


def _draw_leave_out(names: Sequence[str], count: int, key_of: Callable[[str], str]) -> None:
    """Where sentences of rules would stop the save: the button that leaves these rules out and keeps the others."""
    if not names:
        return
    shown = ", ".join(names[:_QUOTED]) + (f" and {len(names) - _QUOTED:,} more" if len(names) > _QUOTED else "")
    others = f"; the other {count - len(names):,} can be saved" if count > len(names) else ""
    st.button(
        f"Leave out {shown}".replace("_", "\\_"),
        key="compare_leave_out",
        icon=":material/remove_done:",
        help=f"Sentences that these rules must or must not match fail with the changes{others}.",
        on_click=_leave_out,
        args=([key_of(name) for name in names],),
    )


def _leave_out(keys: Sequence[str]) -> None:
    for key in keys:
        st.session_state[key] = False
        if f"{key}_switch" in st.session_state:
            st.session_state[f"{key}_switch"] = False


@dataclass(frozen=True)
class Failing:
    """Sentences that are known to fail, and what draws a button that takes them out of the way."""

    told: Sequence[str]
    draw_way_out: Callable[[], None]


@dataclass(frozen=True)
class Saving:
    """A button that saves; `shortcut`: the letter that leads to it. `then`: where the focus goes from it."""

    title: str
    key: str
    icon: str = ":material/add_task:"
    primary: bool = False
    shortcut: str | None = None
    then: str = SAVED


def save_on_click(
    project: ProjectRecord,
    newest: RuleVersion,
    accepted: Acceptance,
    message: str | None,
    button: Saving,
    failing: Failing | None = None,
) -> None:
    """The button; a click saves the rules as the version behind the newest one, and runs the page again. `failing`: the
    sentences that are known to be in its way."""
    key = f"{project.id}_{crc32(accepted.rules_text.encode()):x}"
    _draw_comments(accepted)
    although = draw_although(key, failing)
    kind: Literal["primary", "secondary"] = "primary" if button.primary else "secondary"
    why = access.why_not("reviewer")
    told = _GOES_THERE.format(button.shortcut) if button.shortcut else None
    pressed = st.button(
        button.title,
        key=button.key,
        type=kind,
        icon=button.icon,
        disabled=why is not None,
        help=why or told,
        shortcut=button.shortcut,
    )
    if not pressed:
        return
    rules_text, logic_text = accepted.rules_text, accepted.logic_text
    save_as_next(project, newest, rules_text, logic_text, message or "", key, although, then=button.then)


def _draw_comments(accepted: Acceptance) -> None:
    """What people wrote about the rules that change: it stays, and may not fit them any more."""
    if not accepted.comments:
        return
    shown = "".join(f"<div><b>{escape(name)}</b>: {escape(' '.join(lines))}</div>" for name, lines in accepted.comments)
    count = sum(len(lines) for _, lines in accepted.comments)
    said = "This comment stays" if count == 1 else f"{count:,} comments stay"
    older = "it is" if count == 1 else "they are"
    html(
        f'<details class="re2-muted"{" open" if count == 1 else ""}><summary>{said}, though the rules change; a line '
        f"above the rule will say that {older} older.</summary>{shown}</details>"
    )


def draw_although(key: str, known: Failing | None = None) -> str:
    """Where sentences of the rules stopped a save, or would (`known`): which, and a reason to save all the same."""
    failures = st.session_state.get(f"_stopped_{key}")
    ahead: Sequence[str] = () if known is None else known.told
    if not failures and not ahead:
        return ""
    rows = "".join(f'<div><b class="re2-down">✗</b> {escape(failure)}</div>' for failure in failures or ahead[:_TOLD])
    more = "" if failures or len(ahead) <= _TOLD else f"<div>and {len(ahead) - _TOLD:,} more</div>"
    begin = "<b>Not saved.</b>" if failures else "<b>This cannot be saved as it is.</b>"
    kind = "re2-fault" if failures else "re2-warn"
    html(f'<div class="{kind}">{begin} Leave the change out, or say why it should be saved.{rows}{more}</div>')
    if known is not None:
        known.draw_way_out()
    said = st.text_input(
        "Why it should be saved all the same", key=f"_although_{key}", max_chars=200, help="Kept with the new version."
    )
    return said or ""


def save_as_next(
    project: ProjectRecord,
    newest: RuleVersion,
    rules_text: str,
    logic_text: str,
    message: str,
    key: str,
    although: str,
    *,
    then: str = SAVED,
) -> None:
    """Save the next version and begin the page anew, with the focus at `then`; what stops it is shown, sentences by
    `draw_although`."""
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
        jumps.land(then)
        messages.remember(f"Saved as rules v{saved.number}. Open them on the page {RULES.title}.")
        st.rerun(scope="app")
