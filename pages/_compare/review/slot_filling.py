"""The cards of changes of rules for slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.review.cards import Card, Held, Records, evidence_of, split_of
from pages._compare.review.conditions import conditions_of, refused_by_learning
from pages._compare.review.drawings import drawing_of
from pages._compare.review.learned_marks import fixing_first, marks_of_learned, matches_of_letters, wrong_first
from pages._rules.slot_filling.effect import moved_spans
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.cached.word_counts import counts_of, seen_words
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.spans import SpanText, span_html, span_row
from re2nn_core.plots.review.change_html import rule_as_html, with_rewritten
from re2nn_core.plots.review.condition_lines import conditions_as_html
from re2nn_core.plots.review.learned_words import WordFacts, learned_as_html, learned_in_brief
from re2nn_core.plots.scene_geometry import by_weight_and_count
from re2nn_core.services.rule_difference.slot_filling.weighted_differences import word_weights
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.dropped_words import leaves_something
from re2nn_core.services.rule_review.learned_words import Characters
from re2nn_core.services.rule_review.slot_places import words_around
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.rules import slots_of
from re2nn_core.services.values.stored import RunRecord
from re2nn_core.text.spans import Span

_TITLES, _EDITED = ("Original", "Reconstructed"), ("Original", "Edited")


def slot_card(
    compared: SlotComparison, name: str, effect: ChangeEffect, held: Held, palette: Palette, *, edited: bool = False
) -> Card:
    """The card of a changed or new rule of a reconstruction, which somebody may have `edited`."""
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, name)
    systems = compared.original, compared.reconstructed
    weights = _weights(str(compared.run.folder), compared.run).get(name, {})
    titles, verb = (_EDITED, "Added") if edited else (_TITLES, "Learned")
    drawn = Drawn(stamp, titles, verb, weights, droppable=True)
    return _card(systems, name, effect, compared.records, held, palette, drawn)


@st.cache_resource(show_spinner=False, max_entries=4)
def _weights(folder: str, _run: RunRecord) -> Mapping[str, Mapping[str, float]]:
    return word_weights(tagger_of_run(_run))


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
    return _card(systems, name, effect, records, held, palette, Drawn(stamp, titles, "Added", {}))


@dataclass(frozen=True)
class Drawn:
    """How a change is drawn: `stamp` names it, `titles` its sides; `verb` says what became of new words, and `weights`
    are what words weigh in the network. `droppable`: words that were learned can be dropped."""

    stamp: str
    titles: tuple[str, str]
    verb: str
    weights: Mapping[str, float]
    droppable: bool = False


def _card(
    systems: tuple[SlotSystem, SlotSystem],
    name: str,
    effect: ChangeEffect,
    records: Records,
    held: Held,
    palette: Palette,
    drawn: Drawn,
) -> Card:
    rule = ChangedRule(
        name,
        (systems[0].ruleset, systems[1].ruleset),
        learned=drawn.verb == "Learned",
        lowercase=systems[1].tokenization.lowercase,
        known_slots=tuple(systems[1].known_slots),
    )
    before, after = (dict(system.trees).get(name) for system in systems)
    in_texts = counts_of(records, systems[1].tokenization)
    counts = by_weight_and_count(drawn.weights, in_texts)
    drawing = drawing_of(drawn.stamp, name, before, after, tagging=True, titles=drawn.titles, _counts=counts)
    pieces = with_rewritten(rule.pieces, drawing.difference)
    trees = [tree for tree in (after, before) if tree is not None]
    seen = seen_words(records, held.places, systems[1].tokenization, spans=True)
    conditions = conditions_of(drawn.stamp, rule, effect, records, systems[1].tokenization)
    known = WordFacts(
        seen=seen,
        in_texts=None if seen is None else in_texts.keys(),
        elsewhere=rule.words_elsewhere,
        matches=matches_of_letters(drawn.stamp, rule, records, systems[1].tokenization),
        around=words_around(rule.newest.expanded, None if rule.before is None else rule.before.expanded),
        conditions=conditions,
        leaves=partial(leaves_something, rule),
    )
    fixing = fixing_first(drawn.stamp, rule, effect, records, systems[1].tokenization, counts)
    # What breaks texts is to be seen, and can be dropped.
    listed = wrong_first(drawn.stamp, rule, effect, records, systems[1].tokenization, fixing)
    return Card(
        name=name,
        chips=" ".join(palette.chip(slot) for slot in slots_of(trees[:1])),
        new=before is None,
        effect=effect,
        learned=learned_as_html(pieces, listed, known, verb=drawn.verb, droppable=drawn.droppable)
        + conditions_as_html(conditions, refused_by_learning(rule) if drawn.droppable else ()),
        brief=learned_in_brief(pieces, fixing, known),
        rule=rule_as_html(pieces, counts) + drawing.remark,
        measure="F1",
        evidence=_evidence(effect, records, held, palette, _marker(drawn.stamp, rule, systems[1])),
        text=rule.text,
        drawing=drawing.data,
        refusal=drawing.refusal,
    )


Marker = Callable[[Sequence[str]], Sequence[Characters]]


def _marker(stamp: str, rule: ChangedRule, system: SlotSystem) -> Marker:
    """Where the words that the rule has learned are in texts."""
    return lambda texts: marks_of_learned(stamp, rule, tuple(texts), system.tokenization)


def _evidence(effect: ChangeEffect, records: Records, held: Held, palette: Palette, mark: Marker) -> str:
    moved = effect.moved
    sections = (
        ("More errors", "re2-down", moved.broken),
        ("Fewer errors", "re2-up", moved.fixed),
        ("Other changed spans", "", moved.changed),
    )
    return evidence_of(sections, held, lambda places: _rows(places, effect, records, palette, mark))


def _rows(places: Sequence[int], effect: ChangeEffect, records: Records, palette: Palette, mark: Marker) -> list[str]:
    rows = []
    for place, learned in zip(places, mark([records[place].text for place in places]), strict=True):
        moved = moved_spans(effect.now, effect.before, records[place].text, place, palette, learned)
        notes = _notes(effect, records[place].text, place, palette)
        rows.append(span_row(SpanText(moved.body, split_of(records[place]), notes)))
    return rows


def _notes(effect: ChangeEffect, text: str, place: int, palette: Palette) -> tuple[str, ...]:
    """The spans that came and those that went, each with whether it is correct, in words."""
    gold, new, old = effect.now.gold[place], effect.now.predictions[place], effect.before.predictions[place]

    def noted(title: str, span: Span, was: str) -> str:
        correct = "" if gold is None else f", {was}{'correct' if span in gold else 'incorrect'}"
        return f'<span class="re2-muted">{title}</span> {span_html(text, span, palette)}{correct}'

    came = (noted("new:", span, "") for span in new if span not in old)
    return (*came, *(noted("no longer:", span, "was ") for span in old if span not in new))
