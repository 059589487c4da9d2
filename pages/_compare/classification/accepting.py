"""How changed and new rules for labels are accepted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pages._compare.accepting.accepted_changes import Accepting
from pages._compare.accepting.evaluation import LABELS
from pages._compare.reconstructed.shared import LabelComparison
from pages._compare.review.cards import Held
from pages._compare.review.new_rule import measured_of_new
from pages._shared.cached.systems import system_of_texts
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, is_merged
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.classification.accepted_changes import accept_labels, changed_labels
from re2nn_core.services.rule_review.decisions import LearnedChange, learned_change
from re2nn_core.services.rule_review.patterns import BetterWithout
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def merged(compared: LabelComparison) -> bool:
    """Whether several written rules came back as one, so that changes can be accepted only all at once."""
    return is_merged(compared.found, compared.trained_on, lowercase=compared.original.tokenization.lowercase)


def _accept(_: ProjectRecord, compared: LabelComparison, names: Collection[str], newest: RuleVersion) -> Acceptance:
    return accept_labels(
        compared.found,
        names,
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        lowercase=compared.original.tokenization.lowercase,
        edited=compared.edited,
    )


def _changed(compared: LabelComparison) -> frozenset[str]:
    lowercase = compared.original.tokenization.lowercase
    return changed_labels(compared.found, compared.trained_on, lowercase=lowercase)


def _learned(compared: LabelComparison, name: str) -> LearnedChange:
    sides = compared.original, compared.reconstructed
    before, after = ({rule.name: rule.expanded for rule in side.ruleset.rules} for side in sides)
    return learned_change(name, before.get(name), after[name])


def _with_texts(compared: LabelComparison, rules_text: str, edited: Collection[str]) -> LabelComparison:
    found = replace(compared.found, rules_text=rules_text)
    system = system_of_texts(rules_text, found.logic_text, compared.original.tokenization)
    return replace(compared, found=found, reconstructed=system, edited=frozenset(edited))


def _better(compared: LabelComparison, name: str, effect: ChangeEffect, places: frozenset[int]) -> BetterWithout | None:
    """Without which patterns a rule is better that nobody has written; None for others."""
    written = {rule.name for rule in compared.original.ruleset.rules}
    if name in written:
        return None
    systems, lowercase = (compared.original, compared.reconstructed), compared.original.tokenization.lowercase
    rule = ChangedRule(name, (systems[0].ruleset, systems[1].ruleset), lowercase=lowercase)
    found = measured_of_new(rule, effect, compared.records, Held(None, places))
    return None if found is None else found.better


ACCEPTING = Accepting(LABELS, _changed, _accept, _learned, _with_texts, _better, whole=merged)
