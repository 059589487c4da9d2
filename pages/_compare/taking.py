"""Taking changes over: which ones, what that does to the answers, and the button that saves a new rule
version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages._compare.read import Compared
from pages._rules.analysis import analysis
from pages._rules.effect import draw_effect
from pages._shared import messages, state
from pages._shared.catalog import RULES
from pages._shared.labels import Palette
from pages._shared.markup import difference, escape, figures, html
from pages._shared.resources import store
from re2nn_core.services.hits import Analysis, Effect, effect
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import Acceptance, accept, accept_all, is_merged
from re2nn_core.services.runs import number_of
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version, save_version

# A smaller change would be shown as none.
_NOTHING = 0.0005


def taken_rules(compared: Compared) -> frozenset[str]:
    """The changed rules that are to be taken over: all, less those that were left out by hand."""
    return frozenset(
        rule.name
        for rule in compared.found.rules
        if not rule.kept_original and st.session_state.get(_key(compared, rule.name), True)
    )


def draw_taking(compared: Compared, change: RuleChange) -> None:
    """Whether this change is taken over."""
    if change.kept_original or is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return
    key = _key(compared, change.name)
    # The switch is drawn for the chosen rule alone, and would be forgotten with it; so its value is kept apart.
    switch = f"{key}_switch"
    st.toggle(
        "Take this change over",
        value=st.session_state.get(key, True),
        key=switch,
        on_change=_take,
        args=(key, switch),
    )


def _take(key: str, switch: str) -> None:
    st.session_state[key] = st.session_state.get(switch, True)


def _key(compared: Compared, name: str) -> str:
    return f"_take_{compared.run.id}_{name}"


@dataclass(frozen=True)
class Taken:
    """The rules as they would be, and what they do on all texts, against the newest version."""

    accepted: Acceptance
    newest: RuleVersion
    before: Analysis
    now: Analysis
    effect: Effect


def measure(project: ProjectRecord, compared: Compared, taken: frozenset[str]) -> Taken:
    """Take the changes over on trial. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    accepted = _accepted(compared, taken, newest)
    before = analysis(project, newest.rules_text, newest.logic_text)
    now = analysis(project, accepted.rules_text, accepted.logic_text)
    return Taken(accepted, newest, before, now, effect(now, before))


def draw_accept(project: ProjectRecord, compared: Compared, found: Taken) -> None:
    """What the changes do together, and the button that saves them."""
    for name, why in found.accepted.left_out:
        html(f'<div class="re2-warn"><b>{escape(name)}</b> is left as it is: {escape(why)}.</div>')
    if not found.accepted.accepted:
        html('<div class="re2-muted">There is no change to take over.</div>')
        return
    html(f'<div class="re2-muted">With the changes taken over into rules v{found.newest.number}:</div>')
    measured = _accuracies(found, compared.records)
    shown = [(f"{will:.1%}", split, difference(will - was, percent=True)) for split, was, will in measured]
    html(figures([*shown, *_moved(found.effect)]))
    _save(project, found, compared)
    html(_advice({split: will - was for split, was, will in measured}))


def draw_texts(compared: Compared, found: Taken, palette: Palette) -> None:
    """The texts whose answer the changes move."""
    if found.accepted.accepted:
        draw_effect(found.now, found.before, found.effect, compared.records, palette, found.newest.number)


def _accepted(compared: Compared, taken: frozenset[str], newest: RuleVersion) -> Acceptance:
    if is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return accept_all(compared.found, compared.trained_on, lowercase=compared.lowercase)
    return accept(
        compared.found,
        taken,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        lowercase=compared.lowercase,
    )


def _advice(gains: Mapping[str, float]) -> str:
    """What the texts say that had no part in choosing the changes, as HTML."""
    if "test" not in gains:
        return (
            '<div class="re2-muted">There are no test texts, so nothing tells whether this holds for texts that chose '
            "nothing.</div>"
        )
    test = gains["test"]
    amount = f"{test:+.1%}" if abs(test) >= _NOTHING else "±0.0%"
    said = f'<div class="re2-muted">On test: {amount}; these texts chose nothing.</div>'
    if gains.get("dev", 0.0) >= _NOTHING and test < _NOTHING:
        said += (
            '<div class="re2-warn">Dev gains and test does not: the changes were chosen on dev and train and may fit '
            "their texts alone. Read the texts won and lost before you save.</div>"
        )
    return said


def _accuracies(found: Taken, records: tuple[TextRecord, ...]) -> list[tuple[str, float, float]]:
    """(split, accuracy before, accuracy with the changes) of the splits that have labelled texts."""
    shown = []
    for split in ("dev", "test"):
        places = [place for place, record in enumerate(records) if record.label is not None and record.split == split]
        if places:
            was, will = (int(side.correct[places].sum()) / len(places) for side in (found.before, found.now))
            shown.append((split, was, will))
    return shown


def _moved(change: Effect) -> list[tuple[str, str, str]]:
    return [(f"{len(change.won):,}", "texts won", ""), (f"{len(change.lost):,}", "lost", "")]


def _save(project: ProjectRecord, found: Taken, compared: Compared) -> None:
    accepted, newest = found.accepted, found.newest
    count = len(accepted.accepted)
    named = ", ".join(accepted.accepted[:4]) + (" …" if count > 4 else "")
    message = st.text_input(
        "What changed",
        f"Run {number_of(store(), compared.run)} read back: {named}",
        key=f"compare_message_{compared.run.id}_{named}",
        label_visibility="collapsed",
        placeholder="What changed",
    )
    title = f"Save {count} change{'' if count == 1 else 's'} as rules v{newest.number + 1}"
    if not st.button(title, key="compare_save", type="primary", icon=":material/save:"):
        return
    with messages.guard("Saving the rules") as outcome:
        saved = save_version(
            store(),
            project.id,
            rules_text=accepted.rules_text,
            logic_text=accepted.logic_text,
            author=state.person(),
            message=message or "",
            expected_number=newest.number,
        )
    if outcome.ok:
        state.choose_version(None)
        messages.remember(f"Saved as rules v{saved.number}. Open them on the page {RULES.title}.")
        st.rerun()


def draw_downloads(compared: Compared) -> None:
    """The rules that were read back, and their label logic, as files; saving changes takes over rules alone."""
    if compared.found.logic_in_words:
        html(f'<div class="re2-muted">{escape(compared.found.logic_in_words)}</div>')
    with st.container(horizontal=True, gap="small"):
        for title, text, name in (
            ("Rules read back", compared.found.rules_text, f"run_{compared.run.id}_rules.txt"),
            ("Their label logic", compared.found.logic_text, f"run_{compared.run.id}_logic.toml"),
        ):
            st.download_button(
                title, text, name, "text/plain", key=f"get_{name}", icon=":material/download:", on_click="ignore"
            )
