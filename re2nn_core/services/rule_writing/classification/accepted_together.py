"""All that is proposed at once, accepted together: rules first, then what still gains with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.rule_writing.classification.exclusions import Exclusion, with_exclusion
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material
from re2nn_core.services.rule_writing.classification.proposals import (
    DefaultLabel,
    NewRule,
    Priority,
    add_priorities,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.proposed_changes import ProposedChanges
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse

Further = Priority | DefaultLabel | Exclusion


@dataclass(frozen=True)
class AcceptedTogether:
    """Rules and label logic with what was accepted: the `rules`, and what is `further` proposed; `left_out`: what gains
    nothing with the others."""

    rules_text: str
    logic_text: str
    rules: tuple[NewRule, ...] = ()
    further: tuple[Further, ...] = ()
    left_out: tuple[Further | NewRule, ...] = ()

    @property
    def nothing(self) -> bool:
        return not (self.rules or self.further)


def accept_together(
    bench: TextBench, analysis: Analysis, material: Material, found: ProposedChanges
) -> AcceptedTogether:
    """All proposed rules; of priorities, the default label and conditions, in this order, those by which more texts of
    the material get their label, or by which fewer get an incorrect one. Rules of the default label are left out where
    texts get it as well without them. `analysis`: of the rules without all this."""
    rules: tuple[NewRule, ...] = (*found.rules, *found.new_labels)
    rules_text, logic_text = with_proposals(analysis.system, rules)
    default = () if found.default is None else (found.default,)
    further: tuple[Further, ...] = (*found.priorities, *default, *found.exclusions)
    if not (rules or analysis.system.ruleset.rules):  # label logic alone predicts nothing
        return AcceptedTogether(rules_text, logic_text, left_out=further)
    gold = [None if number < 0 else analysis.labels[number] for number in analysis.gold]
    now = analyse(bench, gold, rules_text, logic_text)
    accepted: list[Further] = []
    left_out: list[Further | NewRule] = []
    for change in further:
        then = analyse(bench, gold, *_with(now, change))
        if _figures(then, material) > _figures(now, material):
            now = then
            accepted.append(change)
        else:
            left_out.append(change)
    kept = rules
    by_default = [one.label for one in accepted if isinstance(one, DefaultLabel)]
    for rule in (one for one in reversed(rules) if one.label in by_default):
        fewer = tuple(one for one in kept if one is not rule)
        if fewer or analysis.system.ruleset.rules:
            then = _together(bench, gold, analysis, fewer, accepted)
            if _figures(then, material) >= _figures(now, material):
                now, kept = then, fewer
                left_out.append(rule)
    return AcceptedTogether(now.system.rules_text, now.system.logic_text, kept, tuple(accepted), tuple(left_out))


def _together(
    bench: TextBench,
    gold: Sequence[str | None],
    analysis: Analysis,
    rules: Sequence[NewRule],
    further: Sequence[Further],
) -> Analysis:
    """The figures of all these at once."""
    now = analyse(bench, gold, *with_proposals(analysis.system, rules))
    for change in further:
        now = analyse(bench, gold, *_with(now, change))
    return now


def _with(now: Analysis, change: Further) -> tuple[str, str]:
    rules_text, logic_text = now.system.rules_text, now.system.logic_text
    if isinstance(change, Exclusion):
        return with_exclusion(now.system, change), logic_text
    if isinstance(change, DefaultLabel):
        return rules_text, with_default_label(logic_text, change.label)
    return rules_text, add_priorities(logic_text, [change])


def _figures(now: Analysis, material: Material) -> tuple[int, int]:
    """Correct predictions for texts of the material, and then as few incorrect ones as can be."""
    own = material.places
    correct = int(now.correct[own].sum())
    return correct, correct - int((now.predictions[own] >= 0).sum())
