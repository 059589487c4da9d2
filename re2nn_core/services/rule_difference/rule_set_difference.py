"""The difference of two rule sets in whole: verdicts, sizes of what changed, dead and subsumed rules, overlaps, moved
texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from re2nn_core.automata.inclusion import PAIR_BUDGET
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings, find_dead_and_subsumed
from re2nn_core.services.rule_difference.drawn_differences import DRAWN_BUDGET, DrawnDifference, drawn_group, drawn_rule
from re2nn_core.services.rule_difference.language_difference import (
    LanguageVerdict,
    RuleSide,
    Verdict,
    group_verdicts,
    refuse_other_kind,
    rule_verdicts,
)
from re2nn_core.services.rule_difference.shared_overlaps import with_shared_sentences
from re2nn_core.services.rule_systems.progress_steps import OnStep, stepped
from re2nn_core.text.counting import counted

OnProgress = Callable[[str, int, int], None]  # what is looked at, how many are done, of how many


@dataclass(frozen=True, repr=False)
class RuleSetDifference:
    """`groups` are the labels or slots, `rules` the rules, by name; `machines` has the drawn difference of each rule
    that is not the same; `findings` are those of either side, an overlap that both have with a sentence that holds on
    both where there is one."""

    groups: tuple[LanguageVerdict, ...]
    rules: tuple[LanguageVerdict, ...]
    machines: dict[str, DrawnDifference]
    findings: tuple[Findings, Findings]

    def __repr__(self) -> str:
        return f"<RuleSetDifference: {len(self.differing)} of {counted(len(self.rules), 'rule')} not the same>"

    @property
    def same(self) -> bool:
        """Whether every rule and every label is proved to say the same on both sides."""
        return all(found.verdict is Verdict.SAME for found in (*self.groups, *self.rules))

    @property
    def differing(self) -> tuple[LanguageVerdict, ...]:
        """The rules that are not proved to be the same, in order."""
        return tuple(rule for rule in self.rules if rule.verdict is not Verdict.SAME)


def rule_set_difference(
    left: RuleSide,
    right: RuleSide,
    *,
    budget: int = PAIR_BUDGET,
    drawn_budget: int = DRAWN_BUDGET,
    on_progress: OnProgress = lambda what, done, total: None,
) -> RuleSetDifference:
    """Compare two sides. InputError for sides of different kinds; what passes a budget is reported where it belongs.
    `on_progress` hears how far each part of it is."""
    refuse_other_kind(left, right)

    def on(what: str) -> OnStep:
        return lambda done, total: on_progress(what, done, total)

    rules = rule_verdicts(left, right, budget=budget, on_step=on("rules"))
    groups = group_verdicts(left, right, budget=budget, on_step=on(f"{left.kind}s"))
    differing = [rule.name for rule in rules if rule.verdict is not Verdict.SAME]
    machines = {name: drawn_rule(left, right, name, budget=drawn_budget) for name in stepped(differing, on("machines"))}
    alone = tuple(
        find_dead_and_subsumed(
            side, budget=budget, on_rule=on(f"rules of {name} that do nothing"), on_pair=on(f"overlaps of {name}")
        )
        for name, side in (("A", left), ("B", right))
    )
    findings = with_shared_sentences((left, right), (alone[0], alone[1]))
    return RuleSetDifference(groups, rules, machines, findings)


def drawn_of(left: RuleSide, right: RuleSide, *, rule: str | None, group: str | None) -> DrawnDifference:
    """What is to be drawn: a rule, or the rules of a label or slot."""
    if group is not None:
        return drawn_group(left, right, group)
    return drawn_rule(left, right, rule or "")
