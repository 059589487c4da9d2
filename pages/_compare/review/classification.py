"""The cards of changes of rules for labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages._compare.drawing.long_texts import folded
from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.review.cards import Card, Held, Records, evidence_of, split_of
from pages._compare.review.conditions import conditions_of, refused_by_learning
from pages._compare.review.drawings import Drawing, drawing_of
from pages._compare.review.learned_marks import fixing_first, matches_of_letters
from pages._compare.review.new_rule import overridden_by, with_patterns
from pages._shared.cached.word_counts import ShortestFirst, counts_of, seen_words, shortest_first
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.tables import MarkedText, text_row
from re2nn_core.plots.review.change_html import rule_as_html, with_rewritten
from re2nn_core.plots.review.condition_lines import conditions_as_html
from re2nn_core.plots.review.learned_words import WordFacts, learned_as_html, learned_in_brief
from re2nn_core.plots.scene_geometry import by_weight_and_count
from re2nn_core.services.rule_difference.known_texts import sentences_of_one_side
from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, language_verdict
from re2nn_core.services.rule_reconstruction.classification.reconstruction import strongest_weights
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.deciding_words import DecidingWord, deciding_words
from re2nn_core.services.rule_review.dropped_words import leaves_something
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.values.rules import Node
from re2nn_core.services.values.stored import TextRecord

# Words that came and went look in a text as they do in the rule.
_MATCHED, _ALONE = "hit", ("new", "gone")
_TITLES, _EDITED = ("Original", "Reconstructed"), ("Original", "Edited")


@dataclass(frozen=True)
class _Drawn:
    """A change as it is drawn; what words are ordered by, and what became of those that came. `droppable`: they can be
    dropped."""

    stamp: str
    drawing: Drawing
    weights: Mapping[str, float] = field(default_factory=dict)
    verb: str = "Learned"
    droppable: bool = False


def label_card(
    compared: LabelComparison, name: str, effect: ChangeEffect, held: Held, palette: Palette, *, edited: bool = False
) -> Card:
    """The card of a changed or new rule of a reconstruction, which somebody may have `edited`."""
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, name)
    systems = compared.original, compared.reconstructed
    change = next((rule for rule in compared.found.rules if rule.name == name), None)
    known = counts_of(compared.records, compared.reconstructed.tokenization)
    counts = by_weight_and_count({} if change is None else strongest_weights(change.learned), known)
    drawing = _drawing(_changed(systems, name), stamp, _EDITED if edited else _TITLES, counts)
    drawn = replace(drawing, weights=counts, verb="Added" if edited else "Learned", droppable=True)
    card = _card(systems, name, effect, compared.records, held, palette, drawn)
    if card.new:
        rule = _changed(systems, name)
        overridden = overridden_by(rule, effect, compared.records, held)
        card = with_patterns(card, rule, compared.records, held, overridden=overridden, droppable=True)
    return _with_sentences(card, stamp, _changed(systems, name), compared.records, ("the original", "the new rule"))


def label_rule_card(
    systems: tuple[RuleSystem, RuleSystem],
    name: str,
    effect: ChangeEffect,
    records: Records,
    held: Held,
    palette: Palette,
    stamp: str,
    titles: tuple[str, str],
) -> Card:
    """The card of a rule that two systems have in different forms, or one of them has not."""
    counts = counts_of(records, systems[1].tokenization)
    drawing = _drawing(_changed(systems, name), stamp, titles, counts)
    card = _card(systems, name, effect, records, held, palette, replace(drawing, verb="Added"))
    rule = _changed(systems, name)
    card = with_patterns(card, rule, records, held) if card.new else card
    return _with_sentences(card, stamp, rule, records, titles)


def _changed(systems: tuple[RuleSystem, RuleSystem], name: str, *, learned: bool = False) -> ChangedRule:
    lowercase = systems[1].tokenization.lowercase
    return ChangedRule(name, (systems[0].ruleset, systems[1].ruleset), learned=learned, lowercase=lowercase)


def _drawing(rule: ChangedRule, stamp: str, titles: tuple[str, str], counts: Mapping[str, int]) -> _Drawn:
    before, after = (None if form is None else form.expanded for form in (rule.before, rule.after))
    return _Drawn(stamp, drawing_of(stamp, rule.name, before, after, tagging=False, titles=titles, _counts=counts))


def _card(
    systems: tuple[RuleSystem, RuleSystem],
    name: str,
    effect: ChangeEffect,
    records: Records,
    held: Held,
    palette: Palette,
    drawn: _Drawn,
) -> Card:
    rule = _changed(systems, name, learned=drawn.verb == "Learned")
    pieces = with_rewritten(rule.pieces, drawn.drawing.difference)
    seen = seen_words(records, held.places, systems[1].tokenization)
    conditions = conditions_of(drawn.stamp, rule, effect, records, systems[1].tokenization)
    known = WordFacts(
        seen=seen,
        in_texts=None if seen is None else counts_of(records, systems[1].tokenization).keys(),
        elsewhere=rule.words_elsewhere,
        matches=matches_of_letters(drawn.stamp, rule, records, systems[1].tokenization),
        conditions=conditions,
        leaves=partial(leaves_something, rule),
    )
    fixing = fixing_first(drawn.stamp, rule, effect, records, systems[1].tokenization, drawn.weights)
    return Card(
        name=name,
        chips=palette.chip(rule.newest.label),
        new=rule.before is None,
        effect=effect,
        learned=learned_as_html(pieces, fixing, known, verb=drawn.verb, droppable=drawn.droppable)
        + conditions_as_html(conditions, refused_by_learning(rule) if drawn.droppable else ()),
        brief=learned_in_brief(pieces, fixing, known),
        rule=rule_as_html(pieces, drawn.weights) + drawn.drawing.remark,
        evidence=_evidence(rule, effect, records, held, palette, systems[1], drawn.stamp),
        text=rule.text,
        drawing=drawn.drawing.data,
        refusal=drawn.drawing.refusal,
    )


def _evidence(
    rule: ChangedRule,
    effect: ChangeEffect,
    records: Records,
    held: Held,
    palette: Palette,
    system: RuleSystem,
    stamp: str,
) -> str:
    moved = effect.moved
    sections = (
        ("Broken", "re2-down", moved.broken),
        ("Fixed", "re2-up", moved.fixed),
        ("Other changed predictions", "", moved.changed),
    )
    return evidence_of(sections, held, lambda places: _rows(places, rule, effect, records, palette, system, stamp))


def _rows(
    places: Sequence[int],
    rule: ChangedRule,
    effect: ChangeEffect,
    records: Records,
    palette: Palette,
    system: RuleSystem,
    stamp: str,
) -> list[str]:
    shown, newest = [records[place] for place in places], rule.newest
    texts = tuple(record.text for record in shown)
    marks = _deciding(f"{stamp} {rule.name}", texts, rule, system)
    return [
        text_row(
            MarkedText(
                record.text,
                tuple((start, end, f"{_MATCHED} re2-{kind}" if kind in _ALONE else kind) for start, end, kind in mark),
                f"{_predicted(record, place, effect, palette)} {split_of(record)}",
                palette.colour(newest.label),
            )
        )
        for place, record, mark in zip(places, shown, marks, strict=True)
    ]


@st.cache_data(show_spinner=False, max_entries=400)
def _deciding(
    stamp: str, texts: tuple[str, ...], _rule: ChangedRule, _system: RuleSystem
) -> list[tuple[DecidingWord, ...]]:
    before, after = (None if form is None else form.expanded for form in (_rule.before, _rule.after))
    return deciding_words(before, after, texts, _system.tokenization)


def _predicted(record: TextRecord, place: int, effect: ChangeEffect, palette: Palette) -> str:
    """What was predicted for a text and what is now, as HTML; and its label, where neither is that one."""
    before, now, label = effect.before.prediction(place), effect.now.prediction(place), record.label
    parts = [("was", before), ("now", now), *([] if label is None or label in (before, now) else [("correct", label)])]
    chips = ((word, palette.chip(name, missing=NO_PREDICTION)) for word, name in parts)
    return " ".join(
        f'<span class="re2-predicted"><span class="re2-muted">{word}</span> {chip}</span>' for word, chip in chips
    )


@st.cache_data(show_spinner=False, max_entries=200)
def _verdict(stamp: str, name: str, _before: Node | None, _after: Node | None) -> LanguageVerdict:
    return language_verdict(name, _before, _after)


def _with_sentences(card: Card, stamp: str, rule: ChangedRule, records: Records, titles: tuple[str, str]) -> Card:
    """The card of a change that moves no prediction with sentences that only one of both forms matches: texts of the
    project where one exists."""
    moved = card.effect.moved
    if any(map(len, (moved.fixed, moved.broken, moved.changed))):
        return card
    own = shortest_first(records, card.effect.now.system.tokenization)
    trees = [None if form is None else form.expanded for form in (rule.before, rule.after)]
    places, verdict = sentences_of_one_side(trees[0], trees[1], own.words), _verdict(stamp, rule.name, *trees)
    only = (None if witness is None else witness.words for witness in (verdict.only_left, verdict.only_right))
    rows = zip(titles, only, places, strict=True)
    reported = "".join(
        f'<div class="re2-head">Only {escape(title)} matches ({"made up" if place is None else "one of your texts"})'
        f'</div><div class="re2-witness">{folded(_example(made_up, place, own))}</div>'
        for title, made_up, place in rows
        if made_up is not None
    )
    examples = f"<h4>No prediction of your texts changes. Examples of the difference:</h4>{reported}"
    return card.with_evidence(examples) if reported else card


def _example(made_up: Sequence[str], place: int | None, own: ShortestFirst) -> str:
    return " ".join(made_up) or "(the empty text)" if place is None else own.texts[place]
