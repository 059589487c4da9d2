"""What a new rule overrides of the label logic: the vetoes of its label and, where it predicts before all others, the
priorities against it; and a text for which that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.first import first_apart, negated_rules, predicts_first
from re2nn_core.rules.logic.formulas import Fact, Formula, evaluate_formula
from re2nn_core.rules.logic.label_logic import LabelLogic
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.rule_review.patterns import OverriddenLogic
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis

Bools = NDArray[np.bool_]
_TRIED = 5  # texts on each side of one that is made up


def overridden_logic(rule: Rule, before: Analysis, now: Analysis, texts: Sequence[str]) -> OverriddenLogic:
    """What a rule of `now` overrides of the logic of `before`, which has it not; both are of these texts."""
    _, logic = first_apart(before.system.logic)
    place = logic.labels.index(rule.label) if rule.label in logic.labels else None
    formula = None if place is None else logic.formulas[place]
    vetoes = () if formula is None else tuple(dict.fromkeys(negated_rules(formula)))
    first = predicts_first(now.system.logic, rule.name, rule.label)
    stronger = tuple(strong for strong, weak in logic.priorities if first and weak == rule.label)
    found = OverriddenLogic(vetoes, stronger, first=first)
    if not (vetoes or stronger) or rule.name not in now.rule_index:
        return found
    against = [_holding(before, one, before.matched) for one in _opponents(found, before.system.logic)]
    matched = now.matched[:, now.rule_index[rule.name]]
    own = np.flatnonzero(matched & np.logical_or.reduce(against))
    moved = [one for one in own.tolist() if now.prediction(one) == rule.label != before.prediction(one)]
    if moved:
        place = min(moved, key=lambda one: len(texts[one]))
        return replace(found, example=texts[place], before=before.prediction(place))
    return _with_made_up(found, rule.label, (before, now), matched, against, texts) or found


def _opponents(found: OverriddenLogic, logic: LabelLogic) -> list[Formula]:
    """What stands against a label, each as a formula: a veto, and the formula of a stronger label."""
    return [*map(Fact, found.vetoes), *(logic.formulas[logic.labels.index(one)] for one in found.stronger)]


def _holding(before: Analysis, opponent: Formula, matched: Bools) -> Bools:
    """[texts]: where it holds, of texts that rules match so [texts, rules]."""

    def column_of(name: str) -> Bools:
        return matched[:, before.rule_index[name]]

    never = np.zeros(len(matched), dtype=np.bool_)
    return np.asarray(evaluate_formula(opponent, column_of, never=never, negate=np.logical_not))


def _with_made_up(
    found: OverriddenLogic,
    label: str,
    analyses: tuple[Analysis, Analysis],
    matched: Bools,
    against: Sequence[Bools],
    texts: Sequence[str],
) -> OverriddenLogic | None:
    """A text that something holds against, and behind it one that the rule matches, where it still does."""
    before, now = (one.system for one in analyses)
    for opponent, stopped in zip(_opponents(found, before.logic), against, strict=True):
        sides = (_shortest(places, texts) for places in (stopped & ~matched, matched & ~stopped))
        made = [" ".join(pair) for pair in product(*sides)]
        still = _holding(analyses[0], opponent, before.matched(made))
        for text, holds, after, former in zip(
            made, still, now.predictions(made), before.predictions(made), strict=True
        ):
            if holds and after == label != former:
                return replace(found, example=text, before=former, made_up=True)
    return None


def _shortest(places: Bools, texts: Sequence[str]) -> list[str]:
    return sorted((texts[one] for one in np.flatnonzero(places).tolist()), key=len)[:_TRIED]
