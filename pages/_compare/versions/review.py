"""What changed between two versions, rule by rule: the same screen as the review of a training, without decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from pages._compare.accepting.evaluation import EVALUATIONS
from pages._compare.language import verdict_in_words
from pages._compare.review.cards import Card, Held, held_places, shown_card
from pages._compare.review.classification import label_rule_card
from pages._compare.review.component import COUNTED, draw_review
from pages._compare.review.slot_filling import slot_rule_card
from pages._compare.split_names import ALL
from pages._shared.cached.models import all_records_of
from pages._shared.cached.systems import system_for
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import html
from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, Verdict
from re2nn_core.services.rule_review.version_effects import effect_of_rule
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, TextRecord
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

CHOSEN_RULE = "_compare_version_rule"  # the rule that the review was at last


_CARDS: Mapping[Task, Callable[..., Card]] = {
    Task.CLASSIFICATION: label_rule_card,
    Task.SLOT_FILLING: slot_rule_card,
}


def draw_version_review(
    project: ProjectRecord,
    versions: tuple[RuleVersion, RuleVersion],
    verdicts: Sequence[LanguageVerdict],
    titles: tuple[str, str],
    stamp: str,
) -> None:
    """The rules that differ, each with its forms, automata, and the texts whose predictions change by it."""
    changed = [verdict for verdict in verdicts if verdict.verdict is not Verdict.SAME]
    if not changed:
        html('<div class="re2-muted">Every rule matches the same in both versions.</div>')
        return
    evaluation, records = EVALUATIONS[project.task], all_records_of(project)
    before, now = (evaluation.of(project, version) for version in versions)
    moved = evaluation.effect(now, before)
    held = _measured_on(records)
    palette = palette_of(project.id)
    systems = system_for(project, versions[0]), system_for(project, versions[1])
    cards = []
    for verdict in changed:
        effect = effect_of_rule(project.task, verdict.name, before, now, moved, held.places)
        card = _CARDS[project.task](
            systems, verdict.name, effect, records, held, palette, f"{stamp}_{verdict.name}", titles
        )
        cards.append(shown_card(card, held, verdict_in_words(verdict), advice=False))
    key = f"compare_versions_{stamp}"
    measured = f"Measured on {held.base}" if held.base else ""
    data = {
        "cards": cards,
        "at": st.session_state.get(CHOSEN_RULE),
        "held": held.base,
        "counts": COUNTED if evaluation.of_spans else "",
        "measured": measured,
        "stamp": key,
    }
    chosen = draw_review(data, key=key)
    if chosen is not None:
        st.session_state[CHOSEN_RULE] = chosen


def _measured_on(records: Sequence[TextRecord]) -> Held:
    """The texts that the changes are counted on: of test, else of dev, else all that are labelled."""
    splits = {record.split for record in records if record.label is not None}
    split = next((one for one in ("test", "dev") if one in splits), None)
    labelled = frozenset(place for place, record in enumerate(records) if record.label is not None)
    if split is None:
        return Held(ALL, labelled, counted(len(labelled), "labelled text"))
    held = held_places(split, records)
    return replace(held, base=counted(len(held.places), f"{split} text"))
