"""How changed and new rules for labels are accepted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pages._compare.accepting.accepted_changes import Accepting
from pages._compare.accepting.evaluation import LABELS
from pages._compare.reconstructed.shared import LabelComparison
from pages._shared.cached.systems import system_of_texts
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    accept,
    accept_all,
    is_merged,
)
from re2nn_core.services.rule_review.classification.new_rules import accept_new
from re2nn_core.services.rule_review.decisions import LearnedChange, learned_change
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def merged(compared: LabelComparison) -> bool:
    """Whether several written rules came back as one, so that changes can be accepted only all at once."""
    return is_merged(compared.found, compared.trained_on, lowercase=compared.original.tokenization.lowercase)


def _accept(_: ProjectRecord, compared: LabelComparison, names: Collection[str], newest: RuleVersion) -> Acceptance:
    lowercase = compared.original.tokenization.lowercase
    if merged(compared):
        return accept_all(compared.found, compared.trained_on, lowercase=lowercase)
    fresh = [rule.name for rule in compared.found.new_rules if rule.name in names]
    done = accept(
        compared.found,
        set(names) - set(fresh),
        trained_on=compared.trained_on,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        lowercase=lowercase,
    )
    if not fresh:
        return done
    new = accept_new(
        compared.found.rules_text, fresh, rules_text=done.rules_text, logic_text=done.logic_text, lowercase=lowercase
    )
    accepted, left_out = (*done.accepted, *new.accepted), (*done.left_out, *new.left_out)
    return Acceptance(new.rules_text, new.logic_text, accepted, left_out, done.comments, done.begun)


def _changed(compared: LabelComparison) -> frozenset[str]:
    found = compared.found
    changed = [rule.name for rule in found.rules if not rule.kept_original]
    return frozenset((*changed, *(() if merged(compared) else (rule.name for rule in found.new_rules))))


def _learned(compared: LabelComparison, name: str) -> LearnedChange:
    sides = compared.original, compared.reconstructed
    before, after = ({rule.name: rule.expanded for rule in side.ruleset.rules} for side in sides)
    return learned_change(name, before.get(name), after[name])


def _with_texts(compared: LabelComparison, rules_text: str) -> LabelComparison:
    found = replace(compared.found, rules_text=rules_text)
    system = system_of_texts(rules_text, found.logic_text, compared.original.tokenization)
    return replace(compared, found=found, reconstructed=system)


ACCEPTING = Accepting(LABELS, _changed, _accept, _learned, _with_texts, whole=merged)
