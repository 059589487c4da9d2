"""Taking rules over that were read back: which ones, what that does to the answers, and the button that saves a new
rule version."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from pages._compare.accepting.accepted_changes import TakenOver, choice_of, draw_choice
from pages._compare.accepting.conflicts import draw_conflicts
from pages._compare.accepting.measured import draw_advice, draw_moves, labelled_splits, moves_of
from pages._compare.accepting.saving import can_be_alone, draw_alone, draw_left_out, draw_save, together
from pages._compare.accepting.training_analysis import slot_analysis
from pages._compare.newest import Newest
from pages._compare.reconstructed.slot_filling import Compared
from pages._compare.slot_filling.rule_list import Entry, is_moved
from pages._compare.split_names import dev_name
from pages._rules.slot_filling.effect import draw_slot_effect
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.measures import F1
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, SlotEffect, slot_effect
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord


def draw_taking(compared: Compared, rule: Entry, found: Taken | None) -> None:
    """Whether this rule is taken over."""
    if is_moved(rule):
        draw_choice("Take it over", rule.name, _key(compared, rule.name), found)


def draw_this_alone(project: ProjectRecord, compared: Compared, rule: Entry, found: Taken) -> None:
    """The button that takes this change over and no other; nothing where that is what the button for all does, or
    nothing can be taken over. New rules have one of their own, below."""
    if isinstance(rule, LearnedRule) or not can_be_alone(rule.name, found.accepted, found.conflicts):
        return
    accepted = _accepted(project, compared, {rule.name}, found.newest)
    now = slot_analysis(project, accepted.rules_text, accepted.logic_text)
    measured = f1_of_splits(found.before, now, compared.records)
    dev = dev_name(compared.run, compared.records)

    def draw() -> None:
        draw_moves(measured, slot_effect(now, found.before), F1, dev)

    draw_alone(project, compared.run, rule.name, accepted, found.newest, draw)


def _key(compared: Compared, name: str) -> str:
    return f"_take_slots_{compared.run.id}_{name}"


Taken = TakenOver[SlotAnalysis, SlotEffect]


def measure(project: ProjectRecord, compared: Compared) -> Taken:
    """Take over on trial the changed and new rules, less those that were left out by hand, and those that sentences
    stand against and nobody has chosen. RuleError and LogicError where the newest version cannot be read."""
    newest = latest_version(store(), project.id)
    changed = frozenset(rule.name for rule in compared.entries if is_moved(rule))
    chosen = choice_of(
        project,
        newest,
        changed,
        lambda taken: _accepted(project, compared, taken, newest),
        partial(_key, compared),
    )
    before = slot_analysis(project, newest.rules_text, newest.logic_text)
    now = slot_analysis(project, chosen.accepted.rules_text, chosen.accepted.logic_text)
    return Taken(chosen.taken, chosen.conflicts, chosen.accepted, newest, before, now, slot_effect(now, before))


def _accepted(project: ProjectRecord, compared: Compared, taken: Collection[str], newest: RuleVersion) -> Acceptance:
    return accept_slots(
        compared.found,
        taken,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        tokenization=project.tokenization,
        known_slots=known_slots(project),
    )


def draw_accept(project: ProjectRecord, compared: Compared, found: Taken, newest: Newest) -> None:
    """What the changes do together, what is left out, and the button that saves them."""
    if found.accepted.accepted:
        html(f'<div class="re2-muted">{together(found.accepted, found.newest)}</div>')
        _draw_effect(found.before, found.now, found.effect, compared)
    draw_left_out(found.accepted, newest)
    draw_conflicts(found.left_out)
    if not found.accepted.accepted:
        return
    if compared.found.new_priorities:
        html(f'<div class="re2-muted">New priorities: {escape(", ".join(compared.found.new_priorities))}.</div>')
    draw_save(project, compared.run, found.accepted, found.newest, partial(_key, compared))


def _draw_effect(
    before: SlotAnalysis, now: SlotAnalysis, change: SlotEffect, compared: Compared, *, where_test_alone: bool = False
) -> None:
    measured, records = f1_of_splits(before, now, compared.records), compared.records
    draw_moves(measured, change, F1, dev_name(compared.run, records))
    draw_advice(measured, moves_of(change, records), F1, where_test_alone=where_test_alone)


def draw_figures(
    before: SlotAnalysis, now: SlotAnalysis, compared: Compared, *, where_test_alone: bool = False
) -> None:
    """What a version would do to the spans, and what test texts say of that; with `where_test_alone` nothing is said
    where there are none."""
    _draw_effect(before, now, slot_effect(now, before), compared, where_test_alone=where_test_alone)


def draw_texts(compared: Compared, found: Taken, palette: Palette) -> None:
    """The texts whose spans the changes move."""
    if found.accepted.accepted:
        number = found.newest.number
        draw_slot_effect(found.now, found.before, compared.records, palette, number, "the changes taken over")


def f1_of_splits(
    before: SlotAnalysis, now: SlotAnalysis, records: Sequence[TextRecord]
) -> list[tuple[str, float, float]]:
    """(split, F1 before, F1 now) of dev and test where they have marked texts."""
    return [
        (split, *(side.counts_on(places).f1 or 0.0 for side in (before, now)))
        for split, places in labelled_splits(records)
    ]
