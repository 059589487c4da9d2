"""Taking changes over: which ones, what that does to the answers, and the button that saves a new rule
version."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import streamlit as st

from pages._compare.measured import draw_advice, draw_moves
from pages._compare.newest import Newest
from pages._compare.read import Compared
from pages._compare.saving import draw_left_out, draw_save, draw_take_switch
from pages._compare.settled import analysis
from pages._compare.split_names import dev_name
from pages._rules.effect import draw_effect
from pages._shared.labels import Palette
from pages._shared.markup import escape, html
from pages._shared.measures import ACCURACY
from pages._shared.resources import store
from re2nn_core.services.hits import Analysis, Effect, effect
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import Acceptance, accept, accept_all, is_merged
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version


def taken_rules(compared: Compared) -> frozenset[str]:
    """The changed rules that are to be taken over: all, less those that were left out by hand."""
    return frozenset(
        rule.name
        for rule in compared.found.rules
        if not rule.kept_original and st.session_state.get(_key(compared, rule.name), True)
    )


def draw_taking(compared: Compared, change: RuleChange, refused: Collection[str]) -> None:
    """Whether this change is taken over."""
    if change.kept_original or is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase):
        return
    key = _key(compared, change.name)
    draw_take_switch("Take this change over", key, refused=change.name in refused)


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


def draw_accept(project: ProjectRecord, compared: Compared, found: Taken, newest: Newest) -> None:
    """What the changes do together, and the button that saves them."""
    draw_left_out(found.accepted, newest)
    if not found.accepted.accepted:
        return
    html(f'<div class="re2-muted">Effect of the changes taken over into rules v{found.newest.number}:</div>')
    measured = accuracies(found.before, found.now, compared.records)
    draw_moves(measured, found.effect, ACCURACY, dev_name(compared.run, compared.records))
    draw_save(project, compared.run, found.accepted, found.newest, lambda name: _key(compared, name))
    draw_advice(measured, ACCURACY)


def draw_figures(before: Analysis, now: Analysis, compared: Compared, *, where_test_alone: bool = False) -> None:
    """What a version would do to the answers, and what test texts say of that; with `where_test_alone` nothing is said
    where there are none."""
    measured = accuracies(before, now, compared.records)
    draw_moves(measured, effect(now, before), ACCURACY, dev_name(compared.run, compared.records))
    draw_advice(measured, ACCURACY, where_test_alone=where_test_alone)


def draw_texts(compared: Compared, found: Taken, palette: Palette) -> None:
    """The texts whose answer the changes move."""
    if found.accepted.accepted:
        draw_effect(found.now, found.before, compared.records, palette, found.newest.number, "the changes taken over")


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


def accuracies(before: Analysis, now: Analysis, records: tuple[TextRecord, ...]) -> list[tuple[str, float, float]]:
    """(split, accuracy before, accuracy now) of dev and test where they have labelled texts."""
    shown = []
    for split in ("dev", "test"):
        places = [place for place, record in enumerate(records) if record.label is not None and record.split == split]
        if places:
            was, will = (int(side.correct[places].sum()) / len(places) for side in (before, now))
            shown.append((split, was, will))
    return shown


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
