"""What is said of changes that are accepted, and the button that saves them as a new rule version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.conflicts import Failures, failing_with
from pages._compare.accepting.measured import loses, measured_in_words
from pages._compare.newest import SAVED, Newest, forget_drawn, stop_unseen
from pages._compare.split_names import dev_name
from pages._shared.catalog import RULES
from pages._shared.components import jumps
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, chosen_rule, state
from re2nn_core.errors import SentencesError
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.decisions import ReviewState
from re2nn_core.services.rule_writing.rule_saving import save_rules
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, first_quoted

_NAMED = 4
SAVES = "Ctrl+S"
_SAVE, _SAVE_ICON = "compare_save", ":material/save:"
_QUOTED = 3  # rules that are named on a button
_LISTED = 5  # sentences that are reported of
_GOES_THERE = "Key {}: go to this button. Enter: accept."
_NOT_SAVED = "<b>Not saved.</b> Leave out the change, or give a reason to save it."
_BLOCKED = "Test sentences fail. Leave out the change, or enter a reason above."


def draw_left_out(accepted: Acceptance, newest: Newest) -> None:
    """The rules that are left as they are, and why."""
    for name, why in accepted.refused:
        reported = escape(newest.left_because(name, why))
        html(f'<div class="re2-muted"><b>{escape(name)}</b> is not changed: {reported}.</div>')
    if accepted.begun:
        have, their = ("has", "its") if len(accepted.begun) == 1 else ("have", "their")
        html(
            f'<div class="re2-muted"><b>{escape(first_names(accepted.begun, _NAMED))}</b> {have} some of '
            f"{their} learned edits already; the rest is accepted.</div>"
        )
    if accepted.there:
        html(f'<div class="re2-muted">Already accepted: {escape(first_quoted(accepted.there, _NAMED))}.</div>')
    if not accepted.accepted:
        html('<div class="re2-muted">There is no change to accept.</div>')


def draw_save(
    trial: AcceptedChanges[Any, Any, Any, Any],
    palette: Palette,
    *,
    reopen: Callable[[Sequence[str]], None],
    draw_next: Callable[[], None] = lambda: None,
) -> None:
    """What the accepted changes do together, what the version is to say of itself, and the button; the main one of the
    page, unless the changes lose. `reopen`: opens the changes of some rules again; `draw_next` draws what stands next
    to the button. Where nothing is accepted yet the button waits in its place, so that it never comes under a
    pointer."""
    accepted, newest, compared = trial.accepted, trial.newest, trial.compared
    project, run, evaluation = trial.project, compared.run, trial.how.evaluation
    count = len(accepted.accepted)
    if not count:
        _draw_waiting(f"Save 0 accepted changes as rules v{newest.number + 1}", draw_next)
        return
    measured = evaluation.measured(trial.before, trial.now, compared.records)
    # The split that decides first.
    measured = sorted(measured, key=lambda one: one[0] != trial.held_out.split)
    usual = _description_of(trial, run)
    key = f"compare_message_{run.id}_{usual}"

    def draw_details() -> None:
        with st.popover("Description and effect"):
            st.text_input("Description of the new version", usual, key=key, placeholder="What changed")
            evaluation.draw_figures(trial.before, trial.now, run, compared.records)
            html(trial.how.remark(compared))
            texts = trial.now, trial.before, compared.records, palette, newest.number
            evaluation.draw_texts(*texts, "the accepted changes")
        draw_next()

    lost = loses(measured)
    although = " despite losses" if lost else ""
    title = f"Save {counted(count, 'accepted change')} as rules v{newest.number + 1}{although}"
    failing = failing_with(project, newest, accepted)
    effect = f"Accepted: {escape(first_quoted(accepted.accepted, _NAMED))}. " + measured_in_words(
        evaluation.measure, measured, dev_name(run, compared.records)
    )
    beside = f"{effect}."
    button = Saving(title, _SAVE, _SAVE_ICON, not lost, SAVES, beside, draw_details)
    blamed = {one.rule for one in failing.fresh}
    names = () if trial.how.whole(compared) else [name for name in accepted.accepted if name in blamed]
    known = Failing(failing, newest.number, lambda: _draw_reopen(names, count, reopen))
    save_on_click(project, newest, accepted, st.session_state.get(key, usual), button, known)


def _description_of(trial: AcceptedChanges[Any, Any, Any, Any], run: RunRecord) -> str:
    """What the version says of itself: the first of the rules, and which of them somebody edited."""
    names = trial.accepted.accepted
    edited = {name for name in names if trial.decision(name).state is ReviewState.EDITED} - trial.as_advised
    named = [f"{name} (edited)" if name in edited else name for name in names[:_NAMED]]
    return f"Run {number_of(store(), run)}, reconstructed: {', '.join(named)}{' …' if len(names) > _NAMED else ''}"


def _draw_waiting(title: str, draw_next: Callable[[], None]) -> None:
    """The button where there is nothing to save yet."""
    with _row_of(_SAVE):
        st.button(title, key=_SAVE, icon=_SAVE_ICON, disabled=True, shortcut=SAVES)
        draw_next()


def _row_of(key: str) -> Any:
    """The line of a button, with what stands beside it."""
    return st.container(horizontal=True, vertical_alignment="center", key=f"{key}_row")


def _draw_reopen(names: Sequence[str], count: int, reopen: Callable[[Sequence[str]], None]) -> None:
    """Where sentences of rules would stop the save: the button that opens these changes again and keeps the others."""
    if not names:
        return
    others = f". The other {count - len(names):,} can be saved" if count > len(names) else ""
    st.button(
        f"Leave out {first_quoted(names, _QUOTED)}".replace("_", "\\_"),
        key="compare_leave_out",
        icon=":material/remove_done:",
        help=f"Test sentences of these rules fail with the changes{others}.",
        on_click=reopen,
        args=(names,),
    )


def ask_reason(given: str, key: str) -> str:
    """Why a change is accepted."""
    return st.text_input("Reason", given, key=key, help="Stored with the new version under your name.") or ""


@dataclass(frozen=True)
class Failing:
    """Sentences that are known to fail, the number of the newest version, and what draws a button that takes out of the
    way what makes them fail."""

    found: Failures
    newest: int
    draw_way_out: Callable[[], None]

    @property
    def in_words(self) -> tuple[str, ...]:
        """Each in a sentence, those in front that do not fail yet."""
        return tuple(map(str, (*self.found.fresh, *self.found.already)))

    @property
    def begin(self) -> str:
        """What stands in the way, as HTML."""
        count = len(self.found.already)
        already = f"{counted(count, 'sentence')} {'fails' if count == 1 else 'fail'} in v{self.newest} already"
        if not self.found.fresh:
            return (
                f"<b>{already}</b>, and the selected changes do not fix that. Correct the rules or the "
                f"sentences on the page {RULES.title}, or enter a reason to save anyway."
            )
        more = f" {already}." if count else ""
        return f"<b>Cannot be saved as it is.</b> Leave out the change, or enter a reason to save it.{more}"


@dataclass(frozen=True)
class Saving:
    """A button that saves; `shortcut`: the letter that leads to it, or the keys that press it, `beside`: HTML that
    stands beside it, and `draw_details` draws what is in between. `then`: where the focus goes from it."""

    title: str
    key: str
    icon: str = ":material/add_task:"
    primary: bool = False
    shortcut: str | None = None
    beside: str = ""
    draw_details: Callable[[], None] | None = None
    then: str = SAVED

    @property
    def stopped(self) -> str:
        """What holds the message of what stopped it."""
        return f"{self.key}_stopped"


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
    with st.container(key=button.stopped):
        blocked, although = draw_although(key, failing)
    if not _pressed(button, access.why_not("reviewer") or (_BLOCKED if blocked else None)):
        return
    rules_text, logic_text = accepted.rules_text, accepted.logic_text
    save_as_next(project, newest, rules_text, logic_text, message or "", key, although, button)


def _pressed(button: Saving, why_not: str | None) -> bool:
    """The button, with what its letter does beside it: a note that opened above it would hide what is to be read
    before."""
    kind: Literal["primary", "secondary"] = "primary" if button.primary else "secondary"
    with _row_of(button.key):
        pressed = st.button(
            button.title,
            key=button.key,
            type=kind,
            icon=button.icon,
            disabled=why_not is not None,
            help=why_not,
            shortcut=button.shortcut,
        )
        if button.draw_details is not None:
            button.draw_details()
        message = button.beside or (_GOES_THERE.format(button.shortcut) if button.shortcut else "")
        if message:
            html(f'<div class="re2-muted">{message}</div>')
    return pressed


def _draw_comments(accepted: Acceptance) -> None:
    """What people wrote about the rules that change: it stays, and may not fit them any more."""
    if not accepted.comments:
        return
    shown = "".join(f"<div><b>{escape(name)}</b>: {escape(' '.join(lines))}</div>" for name, lines in accepted.comments)
    count = sum(len(lines) for _, lines in accepted.comments)
    of = accepted.comments[0][0] if len(accepted.comments) == 1 else counted(len(accepted.comments), "rule")
    summary = escape(f"Keeps {counted(count, 'comment')} of {of}")
    html(f'<details class="re2-muted"><summary>{summary}</summary>{shown}</details>')


def draw_although(key: str, known: Failing | None = None) -> tuple[bool, str]:
    """Where sentences of the rules stopped a save, or would (`known`): which, and a reason to save all the same.
    Whether there is none yet, and the reason."""
    failures = st.session_state.get(f"_stopped_{key}")
    ahead: Sequence[str] = () if known is None else known.in_words
    if not failures and not ahead:
        return False, ""
    reported = [f'<div><b class="re2-down">✗</b> {escape(failure)}</div>' for failure in failures or ahead]
    rows, behind = "".join(reported[:_LISTED]), reported[_LISTED:]
    more = f"<details><summary>and {len(behind):,} more</summary>{''.join(behind)}</details>" if behind else ""
    begin = known.begin if known is not None and not failures else _NOT_SAVED
    html(jumps.landing(f"{begin}{rows}{more}", "re2-fault" if failures else "re2-warn"))
    if known is not None:
        known.draw_way_out()
    message = st.text_input(
        "Reason to save anyway", key=f"_although_{key}", max_chars=200, help="Stored with the new version."
    )
    return not (message or "").strip(), message or ""


def save_as_next(
    project: ProjectRecord,
    newest: RuleVersion,
    rules_text: str,
    logic_text: str,
    message: str,
    key: str,
    although: str,
    button: Saving,
) -> None:
    """Save the next version and begin the page anew, with the focus where it goes from the button; what stops it is
    shown, sentences by `draw_although`, and has the focus then."""
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
            jumps.land(button.stopped)
            st.rerun(scope="app")
    if outcome.ok:
        st.session_state.pop(f"_stopped_{key}", None)
        state.choose_version(None)
        chosen_rule.remember_saved(project, newest, saved)
        forget_drawn()
        jumps.land(button.then)
        messages.remember(f"Saved as rules v{saved.number}. Open them on the page {RULES.title}.")
        st.rerun(scope="app")
