"""Conditions proposed for rules that predict texts incorrectly: phrases that a rule should leave out, written behind it
as `but not ( ... )`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.exclusion_search import (
    Effects,
    FoundExclusion,
    effects_on_labels,
    rules_with_errors,
    search_phrases_to_exclude,
)
from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.label_order import label_order
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import with_expression
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node, with_excluded
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis

MOST = 10
MOST_RULES = 40  # that are looked at, those with most incorrect predictions
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Exclusion:
    """A rule with what it should leave out. Among labelled texts that it was not made from, so many are `fixed_unseen`
    and `broken_unseen` by it; `fixed` and `broken` are the places of all labelled texts whose label becomes right or
    wrong, `removed` of those that get no prediction in place of an incorrect one."""

    rule: str
    label: str
    tree: Node  # of the rule, with what is left out
    excluded: Node  # what is left out anew
    fixed_unseen: int
    broken_unseen: int
    removed_unseen: int
    fixed: Integers
    broken: Integers
    removed: Integers

    @property
    def gain(self) -> int:
        """Texts fixed out-of-fold, less those broken."""
        return self.fixed_unseen - self.broken_unseen

    @property
    def condition(self) -> str:
        return f"but not ( {print_expression(self.excluded)} )"


def propose_exclusions(
    bench: TextBench,
    analysis: Analysis,
    material: Material,
    *,
    label: str | None = None,
    rule: str | None = None,
    most: int = MOST,
) -> tuple[Exclusion, ...]:
    """At most so many, the one that gains most on unseen texts first; for the rules of one label or one rule, if it is
    given. None that breaks as many texts as it fixes, unless it breaks none and takes incorrect predictions away. Empty
    where no phrase holds on texts that it was not made from."""
    rules = analysis.system.ruleset.rules
    order = label_order(analysis.system.logic, (*analysis.labels, *material.labels))
    places, texts = material.without_guesses().texts(order, analysis.label_holds)
    if not len(places):
        return ()
    labels = np.asarray([order.number(one.label) if one.label in order.labels else -1 for one in rules], dtype=np.int64)
    asked = [
        (number, alone)
        for number, alone in rules_with_errors(analysis.matched[places], labels, texts)
        if label in (None, rules[number].label) and rule in (None, rules[number].name)
    ]
    if not asked:
        return ()
    table = find_phrase_table([bench.sentences[place] for place in places])
    found = []
    for number, alone in asked[:MOST_RULES]:
        effects = effects_on_labels(texts, int(labels[number]), alone)
        exclusion = search_phrases_to_exclude(table, texts.folds, effects)
        if exclusion is not None:
            found.append(_exclusion(bench, analysis, number, exclusion, effects))
    found.sort(key=lambda one: (-one.gain, -one.removed_unseen))
    return tuple(one for one in found if _gains(one, places))[:most]


def _gains(one: Exclusion, places: Integers) -> bool:
    """Whether it is worth having on texts that it was not made from, and loses nothing on all that it was made from,
    at these places."""
    unseen = one.gain > 0 or (one.broken_unseen == 0 and one.removed_unseen > 0)
    fixed, broken = (int(np.isin(part, places).sum()) for part in (one.fixed, one.broken))
    return unseen and fixed >= broken


def _exclusion(bench: TextBench, analysis: Analysis, number: int, found: FoundExclusion, effects: Effects) -> Exclusion:
    rule, excluded = analysis.system.ruleset.rules[number], anywhere(found.phrases)
    matched = analysis.matched.copy()
    matched[:, number] &= ~bench.matched([Rule(rule.name, rule.label, excluded, excluded)])[:, 0]
    then = np.asarray(decide_all(analysis.system.logic, analysis.system.rule_names, matched), dtype=np.int64)
    now, gold = analysis.predictions, analysis.gold
    fixed_unseen, broken_unseen, removed_unseen = effects.of(found.rows)
    return Exclusion(
        rule=rule.name,
        label=rule.label,
        tree=with_excluded(rule.tree, excluded),
        excluded=excluded,
        fixed_unseen=fixed_unseen,
        broken_unseen=broken_unseen,
        removed_unseen=removed_unseen,
        fixed=np.flatnonzero((gold >= 0) & (now != gold) & (then == gold)),
        broken=np.flatnonzero(analysis.correct & (then != gold)),
        removed=np.flatnonzero((gold >= 0) & (now >= 0) & (now != gold) & (then < 0)),
    )


def with_exclusion(system: RuleSystem, exclusion: Exclusion) -> str:
    """The rules with the condition behind its rule."""
    rule = next(one for one in system.ruleset.rules if one.name == exclusion.rule)
    return with_expression(system.rules_text, rule, exclusion.tree)
