"""Taking changes over: which ones, what that does to the answers, and the button that saves a new rule
version."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages._compare.conflicts import Conflicts, conflicts_of, draw_conflicts
from pages._compare.measured import draw_advice, draw_moves, moves_of
from pages._compare.newest import Newest
from pages._compare.read import Compared
from pages._compare.saving import can_be_alone, draw_alone, draw_left_out, draw_save, together
from pages._compare.settled import analysis
from pages._compare.split_names import dev_name
from pages._compare.switches import draw_take_switch, is_taken, left_alone
from pages._rules.effect import draw_effect
from pages._shared.labels import Palette
from pages._shared.markup import escape, html
from pages._shared.measures import ACCURACY
from pages._shared.resources import store
from re2nn_core.services.hits import Analysis, Effect, effect
from re2nn_core.services.reconstruction import RuleChange
from re2nn_core.services.rule_changes import Acceptance, accept, accept_all, is_merged
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version


def draw_taking(compared: Compared, change: RuleChange, found: Taken | None) -> None:
    """Whether this change is taken over."""
    if change.kept_original or _merged(compared):
        return
    name = change.name
    if found is not None and name in found.accepted.there:
        return
    refused, conflict = (found is not None and name in side for side in _sides(found))
    draw_take_switch("Take this change over", _key(compared, name), refused=refused, conflict=conflict)


def _sides(found: Taken | None) -> tuple[Collection[str], Collection[str]]:
    """The rules that cannot be taken over, and those that sentences stand against."""
    return ((), ()) if found is None else (left_alone(found.accepted), found.conflicts)


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


@dataclass(frozen=True)
class Taken:
    """The rules as they would be with the changes `taken` over, and what they do on all texts, against the newest
    version; `conflicts` are the changes that sentences of the rules stand against."""

    taken: frozenset[str]
    conflicts: Conflicts
    accepted: Acceptance
    newest: RuleVersion
    before: Analysis
    now: Analysis
    effect: Effect

    @property
    def left_out(self) -> Conflicts:
        """The conflicts that are not taken over."""
        return {name: told for name, told in self.conflicts.items() if name not in self.taken}


def measure(project: ProjectRecord, compared: Compared) -> Taken:
    """Take over on trial the changed rules, less those that were left out by hand, and those that sentences stand
    against and nobody has chosen. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    changed = frozenset(rule.name for rule in compared.found.rules if not rule.kept_original)
    accepted = _accepted(compared, changed, newest)
    conflicts: Conflicts = {} if _merged(compared) else conflicts_of(project, newest, accepted)
    taken = frozenset(name for name in changed if is_taken(_key(compared, name), conflict=name in conflicts))
    if taken != changed:
        accepted = _accepted(compared, taken, newest)
    before = analysis(project, newest.rules_text, newest.logic_text)
    now = analysis(project, accepted.rules_text, accepted.logic_text)
    return Taken(taken, conflicts, accepted, newest, before, now, effect(now, before))


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
