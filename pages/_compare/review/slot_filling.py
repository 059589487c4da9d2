"""The cards of changes of rules for slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.review.cards import Card, Held, Records, evidence_of, split_of
from pages._compare.review.drawings import drawing_of
from pages._rules.slot_filling.effect import moved_spans
from pages._shared.cached.word_counts import counts_of
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.spans import SpanText, span_row
from re2nn_core.plots.change_html import rule_as_html
from re2nn_core.plots.learned_words import learned_as_html
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.rules import slots_of

_TITLES = "Original", "Reconstructed"


def slot_card(
    trial: AcceptedChanges[Any, Any, Any, Any], compared: SlotComparison, name: str, held: Held, palette: Palette
) -> Card:
    """The card of a changed or new rule of a reconstruction."""
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, name)
    systems = compared.original, compared.reconstructed
    return slot_rule_card(systems, name, trial.held_out.effects[name], compared.records, held, palette, stamp, _TITLES)


def slot_rule_card(
    systems: tuple[SlotSystem, SlotSystem],
    name: str,
    effect: ChangeEffect,
    records: Records,
    held: Held,
    palette: Palette,
    stamp: str,
    titles: tuple[str, str],
) -> Card:
    """The card of a rule that two systems have in different forms, or one of them has not."""
    rule = ChangedRule(name, (systems[0].ruleset, systems[1].ruleset))
    before, after = (dict(system.trees).get(name) for system in systems)
    counts = counts_of(records, systems[1].tokenization)
    drawing, refusal = drawing_of(stamp, name, before, after, tagging=True, titles=titles, _counts=counts)
    trees = [tree for tree in (after, before) if tree is not None]
    return Card(
        name=name,
        chips=" ".join(palette.chip(slot) for slot in slots_of(trees[:1])),
        new=before is None,
        effect=effect,
        learned=learned_as_html(rule.pieces, counts, verb="Learned" if titles == _TITLES else "Added"),
        rule=rule_as_html(rule.pieces, counts),
        measure="F1",
        evidence=_evidence(effect, records, held, palette),
        text=rule.text,
        drawing=drawing,
        refusal=refusal,
    )


def _evidence(effect: ChangeEffect, records: Records, held: Held, palette: Palette) -> str:
    moved = effect.moved
    sections = (
        ("Broken", "re2-down", moved.broken),
        ("Fixed", "re2-up", moved.fixed),
        ("Other changed spans", "", moved.changed),
    )
    return evidence_of(sections, held, lambda places: _rows(places, effect, records, palette))


def _rows(places: Sequence[int], effect: ChangeEffect, records: Records, palette: Palette) -> list[str]:
    rows = []
    for place in places:
        moved = moved_spans(effect.now, effect.before, records[place].text, place, palette)
        rows.append(span_row(SpanText(moved.body, split_of(records[place]), moved.notes)))
    return rows
