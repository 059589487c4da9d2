"""Taking rules over that were read back: which ones, what that does to the answers, and the button that saves a new
rule version."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._compare.measured import draw_advice, draw_moves
from pages._compare.newest import Newest
from pages._compare.saving import draw_left_out, draw_save, draw_take_switch
from pages._compare.settled import slot_analysis
from pages._compare.slots.read import Compared
from pages._compare.slots.rule_list import Entry
from pages._compare.split_names import dev_name
from pages._rules.slot_effect import draw_slot_effect
from pages._shared.labels import Palette
from pages._shared.markup import escape, html
from pages._shared.measures import F1
from pages._shared.resources import store
from pages._shared.systems import known_slots
from re2nn_core.services.rule_changes import Acceptance
from re2nn_core.services.slot_hits import SlotAnalysis, SlotEffect, slot_effect
from re2nn_core.services.slot_reconstruction import SlotRuleChange
from re2nn_core.services.slot_rule_changes import accept_slots
from re2nn_core.store import ProjectRecord, RuleVersion, TextRecord, latest_version


def taken_rules(compared: Compared) -> frozenset[str]:
    """The changed and new rules that are to be taken over: all, less those that were left out by hand."""
    return frozenset(
        rule.name for rule in compared.entries if _moved(rule) and st.session_state.get(_key(compared, rule.name), True)
    )


def draw_taking(compared: Compared, rule: Entry, refused: Collection[str]) -> None:
    """Whether this rule is taken over."""
    if not _moved(rule):
        return
    draw_take_switch("Take it over", _key(compared, rule.name), refused=rule.name in refused)


def _moved(rule: Entry) -> bool:
    return not (isinstance(rule, SlotRuleChange) and rule.kept_original)


def _key(compared: Compared, name: str) -> str:
    return f"_take_slots_{compared.run.id}_{name}"


@dataclass(frozen=True)
class Taken:
    """The rules as they would be, and what they do on all texts, against the newest version."""

    accepted: Acceptance
    newest: RuleVersion
    before: SlotAnalysis
    now: SlotAnalysis
    effect: SlotEffect


def measure(project: ProjectRecord, compared: Compared, taken: frozenset[str]) -> Taken:
    """Take the rules over on trial. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    accepted = accept_slots(
        compared.found,
        taken,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        tokenization=project.tokenization,
        known_slots=known_slots(project),
    )
    before = slot_analysis(project, newest.rules_text, newest.logic_text)
    now = slot_analysis(project, accepted.rules_text, accepted.logic_text)
    return Taken(accepted, newest, before, now, slot_effect(now, before))


def draw_accept(project: ProjectRecord, compared: Compared, found: Taken, newest: Newest) -> None:
    """What the changes do together, and the button that saves them."""
    draw_left_out(found.accepted, newest)
    if not found.accepted.accepted:
        return
    html(f'<div class="re2-muted">Effect of the changes taken over into rules v{found.newest.number}:</div>')
    measured = f1_of_splits(found.before, found.now, compared.records)
    draw_moves(measured, found.effect, F1, dev_name(compared.run, compared.records))
    if compared.found.new_priorities:
        html(f'<div class="re2-muted">New priorities: {escape(", ".join(compared.found.new_priorities))}.</div>')
    draw_save(project, compared.run, found.accepted, found.newest, lambda name: _key(compared, name))
    draw_advice(measured, F1)


def draw_figures(
    before: SlotAnalysis, now: SlotAnalysis, compared: Compared, *, where_test_alone: bool = False
) -> None:
    """What a version would do to the spans, and what test texts say of that; with `where_test_alone` nothing is said
    where there are none."""
    measured = f1_of_splits(before, now, compared.records)
    draw_moves(measured, slot_effect(now, before), F1, dev_name(compared.run, compared.records))
    draw_advice(measured, F1, where_test_alone=where_test_alone)


def draw_texts(compared: Compared, found: Taken, palette: Palette) -> None:
    """The texts whose spans the changes move."""
    if found.accepted.accepted:
        number = found.newest.number
        draw_slot_effect(found.now, found.before, compared.records, palette, number, "the changes taken over")


def f1_of_splits(
    before: SlotAnalysis, now: SlotAnalysis, records: Sequence[TextRecord]
) -> list[tuple[str, float, float]]:
    """(split, F1 before, F1 now) of dev and test where they have marked texts."""
    shown = []
    for split in ("dev", "test"):
        places = [place for place, record in enumerate(records) if record.label is not None and record.split == split]
        if places:
            was, will = (side.counts_on(places).f1 or 0.0 for side in (before, now))
            shown.append((split, was, will))
    return shown
