"""The cards of changes of rules for labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.held_out import ChangeEffect
from pages._compare.drawing.long_texts import folded
from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.review.cards import (
    Card,
    Held,
    held_first,
    rule_as_html,
    split_of,
    text_section,
)
from pages._compare.review.drawings import drawing_of
from pages._rules.effect import answer_change
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.tables import MarkedText, text_row
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_systems.inline_difference import inline_difference, whole
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.services.values.rules import Rule, classes_for, print_expression
from re2nn_core.text.tokenization import Tokenization

_TITLES = "Original", "Reconstructed"


def label_card(
    trial: AcceptedChanges[Any, Any, Any, Any], compared: LabelComparison, name: str, held: Held, palette: Palette
) -> Card:
    """The card of a changed or new rule."""
    before = next((rule for rule in compared.original.ruleset.rules if rule.name == name), None)
    after = next(rule for rule in compared.reconstructed.ruleset.rules if rule.name == name)
    effect = trial.held_out.effects[name]
    drawing, refusal = drawing_of(
        stamp_of(compared.trained_on, compared.found.rules_text, name, compared.run.folder.as_posix()),
        name,
        None if before is None else before.expanded,
        after.expanded,
        tagging=False,
        titles=_TITLES,
    )
    change = next((rule for rule in compared.found.rules if rule.name == name), None)
    return Card(
        name=name,
        chips=palette.chip(after.label),
        new=before is None,
        effect=effect,
        rule=rule_as_html(_pieces(compared, before, after)),
        evidence=_evidence(effect, compared, after, held, palette) + _sentences(change),
        text=print_expression(after.tree),
        drawing=drawing,
        refusal=refusal,
    )


def _pieces(compared: LabelComparison, before: Rule | None, after: Rule) -> tuple[Any, ...]:
    new = classes_for(compared.reconstructed.ruleset, after)
    if before is None:
        return whole(after.tree, new, "added")
    return inline_difference(before.tree, after.tree, classes_for(compared.original.ruleset, before), new)


def _evidence(effect: ChangeEffect, compared: LabelComparison, after: Rule, held: Held, palette: Palette) -> str:
    moved = effect.moved
    parts = []
    for title, tone, places in (
        ("Fixed", "re2-up", moved.won),
        ("Broken", "re2-down", moved.lost),
        ("Other changed predictions", "", moved.changed),
    ):
        if len(places) or tone:
            shown = held_first(places, held)
            parts.append(text_section(title, tone, _rows(shown, effect, compared, after, palette), len(places)))
    return "".join(parts)


def _rows(
    places: Sequence[int], effect: ChangeEffect, compared: LabelComparison, after: Rule, palette: Palette
) -> list[str]:
    records = [compared.records[place] for place in places]
    tokenization: Tokenization = compared.original.tokenization
    marks = matched_words(after.expanded, [record.text for record in records], tokenization)
    return [
        text_row(
            MarkedText(
                record.text,
                mark,
                f"{answer_change(place, effect.now, effect.before, palette)} {split_of(record)}",
                palette.colour(after.label),
            )
        )
        for place, record, mark in zip(places, records, marks, strict=True)
    ]


def _sentences(change: RuleChange | None) -> str:
    """Sentences that only one of the two rules matches."""
    if change is None:
        return ""
    rows = [
        (title, sentence)
        for title, sentence in (
            ("Only the original matches", change.witness_only_original),
            ("Only the reconstructed rule matches", change.witness_only_reconstructed),
        )
        if sentence is not None
    ]
    told = "".join(
        f'<div class="re2-head">{escape(title)}</div><div class="re2-witness">'
        f"{folded(' '.join(sentence) or '(the empty text)')}</div>"
        for title, sentence in rows
    )
    return f"<h4>Shortest sentences</h4>{told}" if told else ""
