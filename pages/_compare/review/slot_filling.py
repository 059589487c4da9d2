"""The cards of changes of rules for slots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.held_out import ChangeEffect
from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.review.cards import Card, Held, held_first, rule_as_html, split_of, text_section
from pages._compare.review.drawings import drawing_of
from pages._rules.slot_filling.effect import moved_spans
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.spans import SpanText, span_row
from re2nn_core.services.rule_systems.inline_difference import inline_difference, whole
from re2nn_core.services.values.rules import classes_for, print_expression, slots_of

_TITLES = "Original", "Reconstructed"


def slot_card(
    trial: AcceptedChanges[Any, Any, Any, Any], compared: SlotComparison, name: str, held: Held, palette: Palette
) -> Card:
    """The card of a changed or new rule."""
    before = next((rule for rule in compared.original.ruleset.rules if rule.name == name), None)
    after = next(rule for rule in compared.reconstructed.ruleset.rules if rule.name == name)
    old, new = dict(compared.original.trees).get(name), dict(compared.reconstructed.trees)[name]
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, name, compared.run.folder.as_posix())
    drawing, refusal = drawing_of(stamp, name, old, new, tagging=True, titles=_TITLES)
    classes = classes_for(compared.reconstructed.ruleset, after)
    pieces = (
        whole(after.tree, classes, "added")
        if before is None
        else inline_difference(before.tree, after.tree, classes_for(compared.original.ruleset, before), classes)
    )
    effect = trial.held_out.effects[name]
    return Card(
        name=name,
        chips=" ".join(palette.chip(slot) for slot in slots_of([new])),
        new=before is None,
        effect=effect,
        rule=rule_as_html(pieces),
        evidence=_evidence(effect, compared, held, palette),
        text=print_expression(after.tree),
        drawing=drawing,
        refusal=refusal,
    )


def _evidence(effect: ChangeEffect, compared: SlotComparison, held: Held, palette: Palette) -> str:
    moved = effect.moved
    parts = []
    for title, tone, places in (
        ("Fewer errors", "re2-up", moved.won),
        ("More errors", "re2-down", moved.lost),
        ("Other changed spans", "", moved.changed),
    ):
        if len(places) or tone:
            parts.append(
                text_section(title, tone, _rows(held_first(places, held), effect, compared, palette), len(places))
            )
    return "".join(parts)


def _rows(places: Sequence[int], effect: ChangeEffect, compared: SlotComparison, palette: Palette) -> list[str]:
    rows = []
    for place in places:
        record = compared.records[place]
        moved = moved_spans(effect.now, effect.before, record.text, place, palette)
        rows.append(span_row(SpanText(moved.body, split_of(record), moved.notes)))
    return rows
