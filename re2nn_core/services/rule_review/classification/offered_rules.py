"""Rules that nobody has written, offered one by one: what each does to the answers beside the rules as they are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.reconstruction.classification.report import NewRule
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.classification.new_rules import accept_new
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Effect, analyse, effect


@dataclass(frozen=True)
class OfferedRule:
    """A new rule, and the version with it. `hits` are the texts that it accepts; `right` counts the labelled texts that
    are no test texts whose answer it puts right, less those that it spoils."""

    name: str
    label: str
    text: str
    hits: int
    right: int
    accepted: Acceptance
    now: Analysis
    effect: Effect


def offered_rules(
    found_rules: str,
    new: Sequence[NewRule],
    before: Analysis,
    bench: TextBench,
    labels: Sequence[str | None],
    splits: Sequence[str | None],
) -> tuple[OfferedRule, ...]:
    """The new rules that are not in the rules of `before`, those that put most texts right first. `labels` and
    `splits`: of each text of the bench. RuleError, LogicError, StateBudgetError."""
    chosen = np.asarray([split != "test" for split in splits], dtype=np.bool_)
    offered = []
    for rule in new:
        accepted = _accepted(found_rules, [rule.name], before)
        if accepted.accepted:
            now = analyse(bench, labels, accepted.rules_text, accepted.logic_text)
            moved = effect(now, before)
            right = int(chosen[moved.won].sum()) - int(chosen[moved.lost].sum())
            offered.append(OfferedRule(rule.name, rule.label, rule.text, len(rule.texts), right, accepted, now, moved))
    return tuple(sorted(offered, key=lambda one: (-one.right, -one.hits)))


def all_together(found_rules: str, offered: Sequence[OfferedRule], before: Analysis) -> Acceptance:
    """All of them in one version. Where two accept a text, what is right for one may be wrong for both."""
    return _accepted(found_rules, [one.name for one in offered], before)


def _accepted(found_rules: str, names: Sequence[str], before: Analysis) -> Acceptance:
    system = before.system
    return accept_new(
        found_rules,
        names,
        rules_text=system.rules_text,
        logic_text=system.logic_text,
        lowercase=system.tokenization.lowercase,
    )
