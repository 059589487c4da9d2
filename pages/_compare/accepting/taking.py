"""Taking changes over: which ones, what that does to the answers, and the button that saves a new rule
version."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import streamlit as st

from pages._compare.accepting.accepted_changes import TakenOver, choice_of, draw_choice
from pages._compare.accepting.conflicts import draw_conflicts
from pages._compare.accepting.measured import draw_advice, draw_moves, labelled_splits, moves_of
from pages._compare.accepting.saving import can_be_alone, draw_alone, draw_left_out, draw_save, together
from pages._compare.accepting.training_analysis import analysis
from pages._compare.newest import Newest
from pages._compare.reconstructed.classification import Compared
from pages._compare.split_names import dev_name
from pages._rules.effect import draw_effect
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.measures import ACCURACY
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    accept,
    accept_all,
    is_merged,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Effect, effect
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord


def draw_taking(compared: Compared, change: RuleChange, found: Taken | None) -> None:
    """Whether this change is taken over."""
    if change.kept_original or _merged(compared):
        return
    draw_choice("Take this change over", change.name, _key(compared, change.name), found)


def draw_this_alone(project: ProjectRecord, compared: Compared, change: RuleChange, found: Taken) -> None:
    """The button that takes this change over and no other; nothing where that is what the button for all does, or
    nothing can be taken over."""
    if _merged(compared) or not can_be_alone(change.name, found.accepted, found.conflicts):
        return
    accepted = _accepted(compared, {change.name}, found.newest)
    now = analysis(project, accepted.rules_text, accepted.logic_text)
    measured = accuracies(found.before, now, compared.records)
    dev = dev_name(compared.run, compared.records)

    def draw() -> None:
        draw_moves(measured, effect(now, found.before), ACCURACY, dev)

    draw_alone(project, compared.run, change.name, accepted, found.newest, draw)


def _merged(compared: Compared) -> bool:
    return is_merged(compared.found, compared.trained_on, lowercase=compared.lowercase)


def _key(compared: Compared, name: str) -> str:
    return f"_take_{compared.run.id}_{name}"


Taken = TakenOver[Analysis, Effect]


def measure(project: ProjectRecord, compared: Compared) -> Taken:
    """Take over on trial the changed rules, less those that were left out by hand, and those that sentences stand
    against and nobody has chosen. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    changed = frozenset(rule.name for rule in compared.found.rules if not rule.kept_original)
    chosen = choice_of(
        project,
        newest,
        changed,
        lambda taken: _accepted(compared, taken, newest),
        partial(_key, compared),
        whole=_merged(compared),
    )
    before = analysis(project, newest.rules_text, newest.logic_text)
    now = analysis(project, chosen.accepted.rules_text, chosen.accepted.logic_text)
    return Taken(chosen.taken, chosen.conflicts, chosen.accepted, newest, before, now, effect(now, before))


def draw_accept(project: ProjectRecord, compared: Compared, found: Taken, newest: Newest) -> None:
    """What the changes do together, what is left out, and the button that saves them."""
    if found.accepted.accepted:
        html(f'<div class="re2-muted">{together(found.accepted, found.newest)}</div>')
        _draw_effect(found.before, found.now, found.effect, compared)
    draw_left_out(found.accepted, newest)
    draw_conflicts(found.left_out)
    if found.accepted.accepted:
        key_of = None if _merged(compared) else partial(_key, compared)
        draw_save(project, compared.run, found.accepted, found.newest, key_of)


def _draw_effect(
    before: Analysis, now: Analysis, change: Effect, compared: Compared, *, where_test_alone: bool = False
) -> None:
    measured, records = accuracies(before, now, compared.records), compared.records
    draw_moves(measured, change, ACCURACY, dev_name(compared.run, records))
    draw_advice(measured, moves_of(change, records), ACCURACY, where_test_alone=where_test_alone)


def draw_figures(before: Analysis, now: Analysis, compared: Compared, *, where_test_alone: bool = False) -> None:
    """What a version would do to the answers, and what test texts say of that; with `where_test_alone` nothing is said
    where there are none."""
    _draw_effect(before, now, effect(now, before), compared, where_test_alone=where_test_alone)


def draw_texts(compared: Compared, found: Taken, palette: Palette) -> None:
    """The texts whose answer the changes move."""
    if found.accepted.accepted:
        draw_effect(found.now, found.before, compared.records, palette, found.newest.number, "the changes taken over")


def _accepted(compared: Compared, taken: Collection[str], newest: RuleVersion) -> Acceptance:
    if _merged(compared):
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
    return [
        (split, *(int(side.correct[places].sum()) / len(places) for side in (before, now)))
        for split, places in labelled_splits(records)
    ]


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
