"""Which rules for labels a reconstruction changed or made, and how some of them are accepted into a version."""

from __future__ import annotations

from collections.abc import Collection

from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    Acceptance,
    accept,
    accept_all,
    is_merged,
)
from re2nn_core.services.rule_review.classification.new_rules import accept_new


def changed_labels(found: Reconstruction, trained_on: str, *, lowercase: bool) -> frozenset[str]:
    """The names of the rules that changed or are new; where rules were merged, of those that changed alone."""
    changed = frozenset(rule.name for rule in found.rules if not rule.kept_original)
    merged = is_merged(found, trained_on, lowercase=lowercase)
    return changed if merged else changed.union(rule.name for rule in found.new_rules)


def accept_labels(
    found: Reconstruction,
    names: Collection[str],
    *,
    trained_on: str,
    rules_text: str,
    logic_text: str,
    lowercase: bool,
    edited: Collection[str] = (),
) -> Acceptance:
    """Accept the named changed and new rules into `rules_text`; all of them where rules were merged. `trained_on` are
    the rules the network was made from; `edited` rules are taken as somebody wrote them. RuleError and LogicError where
    the rules cannot be read."""
    if is_merged(found, trained_on, lowercase=lowercase):
        return accept_all(found, trained_on, lowercase=lowercase)
    fresh = [rule.name for rule in found.new_rules if rule.name in names]
    done = accept(
        found,
        set(names) - set(fresh),
        trained_on=trained_on,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
        edited=edited,
    )
    if not fresh:
        return done
    source = found.rules_text, found.logic_text
    new = accept_new(source, fresh, rules_text=done.rules_text, logic_text=done.logic_text, lowercase=lowercase)
    accepted, left_out = (*done.accepted, *new.accepted), (*done.left_out, *new.left_out)
    return Acceptance(new.rules_text, new.logic_text, accepted, left_out, done.comments, done.begun)
