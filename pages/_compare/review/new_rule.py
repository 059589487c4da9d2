"""What a card says of a rule that nobody has written: its patterns, what each does alone, and what the network predicts
beyond the texts that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._compare.drawing.union import stamp_of
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.review.cards import Held
from pages._rules.analysis import bench_of
from pages._shared.cached.models import network_of
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.review.pattern_table import PatternRow, patterns_as_html
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.new_rule_check import (
    NewRuleCheck,
    ProjectTexts,
    check_pattern,
    shortest_places,
)
from re2nn_core.services.rule_review.classification.pattern_figures import PatternFigures, pattern_figures
from re2nn_core.services.rule_review.letter_matches import example_of
from re2nn_core.services.rule_review.patterns import patterns_of
from re2nn_core.services.values.rules import Rule
from re2nn_core.text.counting import counted

FIRST = (
    "It <b>overrides your label logic</b>: where it matches, no priority and no other formula counts "
    "(<i>first</i> in <i>Label logic</i>)."
)
_NOT_OF_OTHERS = "the network does not predict this for other words"
_OTHERWISE = "the network predicts another label for most texts outside of train"
_ASKED = 20  # patterns of which the network is asked


@dataclass(frozen=True)
class NewRulePatterns:
    """The patterns of a new rule, those that gain most in front."""

    rows: Sequence[PatternRow]
    base: str

    def as_html(self, *, droppable: bool = False, unfolded: bool = False) -> str:
        """A table; `unfolded`: every row is seen at once."""
        return patterns_as_html(self.rows, self.base, droppable=droppable, most=None if unfolded else 6)

    @property
    def brief(self) -> str:
        """The first ones, for the queue."""
        more = " …" if len(self.rows) > 3 else ""
        return ", ".join(row.shown for row in self.rows[:3]) + more


def patterns_of_new(
    compared: LabelComparison, rule: ChangedRule, effect: ChangeEffect, held: Held
) -> NewRulePatterns | None:
    """Those of a rule whose effect was measured; None where they could not be, as of a rule that is too large."""
    now = effect.now
    known = compared.trained_on, compared.found.rules_text, now.system.rules_text, now.system.logic_text
    stamp = stamp_of(*map(str, known), rule.name, str(sorted(held.places)), str(hash(now.gold.tobytes())))
    rows = _rows(stamp, len(compared.records), str(compared.run.folder), compared, rule, effect, held)
    return NewRulePatterns(rows, held.base) if rows else None


@st.cache_data(show_spinner=False, max_entries=100)
def _rows(
    stamp: str,
    texts: int,
    folder: str,
    _compared: LabelComparison,
    _rule: ChangedRule,
    _effect: ChangeEffect,
    _held: Held,
) -> list[PatternRow]:
    tokenization = _compared.reconstructed.tokenization
    bench = bench_of(_compared.run.project_id, _compared.records, tokenization)
    newest = _rule.newest
    try:
        own = patterns_of(newest.tree, _rule.newest_classes, tokenization)
        found = pattern_figures(newest, own, _effect.now, bench, _held.places)
    except (Re2nnError, LookupError):
        return []
    order = shortest_places(_compared.records)
    return [_row(one, newest, bench, _compared, order if number < _ASKED else None) for number, one in enumerate(found)]


def _row(
    one: PatternFigures, rule: Rule, bench: Any, compared: LabelComparison, order: Sequence[int] | None
) -> PatternRow:
    check = NewRuleCheck(0) if order is None else _check(one, rule, bench, compared, order)
    pattern = one.pattern
    note = "" if not check.most else _NOT_OF_OTHERS if check.made_up else _OTHERWISE
    return PatternRow(
        pattern.text,
        pattern.shown,
        one.texts,
        one.alone,
        one.without,
        example=example_of(pattern.tree, bench.sentences),
        note=note,
        why=_why(check) if note else "",
    )


def _check(
    one: PatternFigures, rule: Rule, bench: Any, compared: LabelComparison, order: Sequence[int]
) -> NewRuleCheck:
    matched = bench.matched([Rule(rule.name, rule.label, one.pattern.tree, one.pattern.tree)])[:, 0].tolist()
    known = ProjectTexts(compared.records, bench.sentences, matched, order)
    try:
        return check_pattern(
            one.pattern,
            rule.label,
            known,
            lambda texts: predict(network_of(compared.run), texts).predictions,
            compared.reconstructed.tokenization,
        )
    except Re2nnError:  # no network, or none that can be read: the page says so where it is needed
        return NewRuleCheck(0)


def _why(found: NewRuleCheck) -> str:
    """Which texts the network predicts otherwise."""
    texts = counted(found.texts, "made-up text" if found.made_up else "text")
    return f"Another label for {found.others:,} of {texts}, e.g. {found.label} for “{found.example}”"
