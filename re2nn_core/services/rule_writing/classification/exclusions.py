"""Conditions proposed for rules that predict texts incorrectly: phrases that a rule should leave out, written behind it
as `but not ( ... )`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.exclusion_search import FoundExclusion, rules_with_errors, search_exclusion
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
    """A rule with what it should leave out. Among labelled texts that it was not made from, so many incorrect
    predictions are `removed_unseen`, `corrected_unseen` of these get their label from another rule, and so many correct
    ones are `lost_unseen`; `removed` and `lost` are the places of all such texts, `corrected` are how many of them."""

    rule: str
    label: str
    tree: Node  # of the rule, with what is left out
    excluded: Node  # what is left out anew
    removed_unseen: int
    corrected_unseen: int
    lost_unseen: int
    removed: Integers
    lost: Integers
    corrected: int

    @property
    def gain(self) -> int:
        """Texts that get their label out-of-fold, less those that lose it."""
        return self.corrected_unseen - self.lost_unseen

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
    given. Empty where no phrase holds on texts that it was not made from."""
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
        exclusion = search_exclusion(table, texts, int(labels[number]), alone)
        if exclusion is not None:
            found.append((exclusion, number))
    found.sort(key=lambda pair: -pair[0].gain)
    made = (_exclusion(bench, analysis, number, exclusion) for exclusion, number in found[:most])
    return tuple(one for one in made if len(one.removed))


def _exclusion(bench: TextBench, analysis: Analysis, number: int, found: FoundExclusion) -> Exclusion:
    rule, excluded = analysis.system.ruleset.rules[number], anywhere(found.phrases)
    matched = analysis.matched.copy()
    matched[:, number] &= ~bench.matched([Rule(rule.name, rule.label, excluded, excluded)])[:, 0]
    then = np.asarray(decide_all(analysis.system.logic, analysis.system.rule_names, matched), dtype=np.int64)
    now, gold = analysis.predictions, analysis.gold
    removed = (gold >= 0) & (now != gold) & (then != now)
    return Exclusion(
        rule=rule.name,
        label=rule.label,
        tree=with_excluded(rule.tree, excluded),
        excluded=excluded,
        removed_unseen=found.removed,
        corrected_unseen=found.corrected,
        lost_unseen=found.lost,
        removed=np.flatnonzero(removed),
        lost=np.flatnonzero(analysis.correct & (then != gold)),
        corrected=int((removed & (then == gold)).sum()),
    )


def with_exclusion(system: RuleSystem, exclusion: Exclusion) -> str:
    """The rules with the condition behind its rule."""
    rule = next(one for one in system.ruleset.rules if one.name == exclusion.rule)
    return with_expression(system.rules_text, rule, exclusion.tree)
