"""What two rule sets accept, rule by rule and label by label: the same, more, less, or other sentences, with witnesses.

A side is the rules of one file or version. For rules with captures a sentence is compared together with the tags of
its words, so that two rules which accept the same and mark other words are different. Label logic plays no part: it
decides between rules, not what a rule reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from re2nn_core.automata.inclusion import PAIR_BUDGET
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.errors import SEARCH_STOPPED, InputError, NotFoundError, StateBudgetError
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tagging import slots_of, tagged, with_slot_alone
from re2nn_core.rules.tree import Node, choice
from re2nn_core.services.rule_difference.witnesses import Witness, find_witness
from re2nn_core.services.rule_systems.progress_steps import OnStep, not_reported, stepped
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem

NAMED = 20  # names that a message lists


class Verdict(Enum):
    """How the sentences of A and of B relate."""

    SAME = "equivalent"
    MORE = "contained"  # A is contained in B, which accepts more
    LESS = "contains"  # A contains B, which accepts less
    OTHER = "different"
    UNKNOWN = "unknown"

    @property
    def in_words(self) -> str:
        return {
            Verdict.SAME: "the same sentences",
            Verdict.MORE: "B accepts more: all of A's sentences, and others",
            Verdict.LESS: "B accepts fewer: some of A's sentences, and no others",
            Verdict.OTHER: "each accepts sentences that the other does not",
            Verdict.UNKNOWN: "too large to decide",
        }[self]


@dataclass(frozen=True)
class LanguageVerdict:
    """A rule, or the rules of a label or slot, on both sides. `left` and `right` say whether the side has it at all.
    Witnesses are shortest sentences that only one side accepts; None where there is none or where `refusal` says why
    none was found."""

    name: str
    verdict: Verdict
    only_left: Witness | None = None
    only_right: Witness | None = None
    left: bool = True
    right: bool = True
    refusal: str = ""

    @property
    def stopped(self) -> bool:
        """Whether a search came to its budget."""
        return SEARCH_STOPPED in self.refusal


@dataclass(frozen=True)
class RuleSide:
    """The rules of one side as expanded trees (tagged ones where rules tag words), and its labels or slots with the
    names of their rules. `title` is what messages call the side."""

    title: str
    rules: Mapping[str, Node]
    groups: Mapping[str, tuple[str, ...]]
    tagging: bool

    @property
    def kind(self) -> str:
        """What groups of rules are called."""
        return "slot" if self.tagging else "label"

    def tree_of(self, name: str) -> Node | None:
        """The tree of a rule; None where the side has none of this name."""
        return self.rules.get(name)

    def tree_of_group(self, name: str) -> Node | None:
        """All rules of a label or slot as one tree, of a slot with its tags alone; None where the side has none."""
        trees = [self.rules[rule] for rule in self.groups.get(name, ())]
        if self.tagging:
            trees = [with_slot_alone(tree, name) for tree in trees]
        return choice(trees) if trees else None

    @cached_property
    def machines(self) -> dict[str, PositionTransducer]:
        """The positions of each rule. StateBudgetError."""
        return {name: positions_of(tree, name) for name, tree in self.rules.items()}


def label_side(ruleset: RuleSet, title: str) -> RuleSide:
    """A side whose rules predict labels."""
    rules = {rule.name: rule.expanded for rule in ruleset.rules}
    groups = {label: tuple(rule.name for rule in ruleset.of_label(label)) for label in ruleset.labels}
    return RuleSide(title, rules, groups, tagging=False)


def slot_side(system: SlotSystem, title: str) -> RuleSide:
    """A side whose rules mark words; its groups are the slots, and a rule is in each that it names."""
    trees = dict(system.trees)
    groups = {slot: tuple(name for name, tree in trees.items() if slot in slots_of([tree])) for slot in system.slots}
    return RuleSide(title, trees, groups, tagging=True)


def positions_of(tree: Node, name: str = "") -> PositionTransducer:
    """The positions of a tree; of one without tags with an output that says nothing. StateBudgetError."""
    return position_transducer(tagged(tree), name)


def refuse_other_kind(left: RuleSide, right: RuleSide) -> None:
    """InputError for rules for labels beside rules for slots."""
    if left.tagging != right.tagging:
        kinds = ["words for slots" if side.tagging else "whole texts for labels" for side in (left, right)]
        raise InputError(
            f"{left.title} has rules that match {kinds[0]}, and {right.title} has rules that match {kinds[1]}. "
            "Give two rule files of one kind."
        )


def rule_names_of_sides(left: RuleSide, right: RuleSide) -> tuple[str, ...]:
    """The names of both sides' rules, those of the left in their order first."""
    return tuple(dict.fromkeys((*left.rules, *right.rules)))


def group_names(left: RuleSide, right: RuleSide) -> tuple[str, ...]:
    """The labels or slots of both sides."""
    return tuple(dict.fromkeys((*left.groups, *right.groups)))


def refuse_unknown_rule(names: Sequence[str], name: str, what: str, left: RuleSide, right: RuleSide) -> None:
    """NotFoundError for a rule, label or slot that neither side has."""
    if name not in names:
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        files = f"{left.title} has no" if left.title == right.title else f"Neither {left.title} nor {right.title} has a"
        raise NotFoundError(f"{files} {what} '{name}'. There are: {', '.join(names[:NAMED])}{more}.")


def rule_verdicts(
    left: RuleSide, right: RuleSide, *, budget: int = PAIR_BUDGET, on_step: OnStep = not_reported
) -> tuple[LanguageVerdict, ...]:
    """Every rule of either side. One that passes the budget is unknown, and the others are still told."""
    return tuple(
        language_verdict(name, left.tree_of(name), right.tree_of(name), budget=budget)
        for name in stepped(rule_names_of_sides(left, right), on_step)
    )


def group_verdicts(
    left: RuleSide, right: RuleSide, *, budget: int = PAIR_BUDGET, on_step: OnStep = not_reported
) -> tuple[LanguageVerdict, ...]:
    """Every label or slot of either side, all of its rules together; of a slot what is marked as it, and nothing
    else."""
    return tuple(
        language_verdict(name, left.tree_of_group(name), right.tree_of_group(name), marking=left.tagging, budget=budget)
        for name in stepped(group_names(left, right), on_step)
    )


def language_verdict(
    name: str, left: Node | None, right: Node | None, *, marking: bool = False, budget: int = PAIR_BUDGET
) -> LanguageVerdict:
    """Two trees; None is the language without a sentence. `marking`: only sentences in which a slot is filled count."""
    there = left is not None, right is not None
    if left == right:
        return LanguageVerdict(name, Verdict.SAME, left=there[0], right=there[1])
    try:
        first, second = (None if tree is None else positions_of(tree) for tree in (left, right))
        only_left = find_witness(first, second, marking=marking, budget=budget)
        only_right = find_witness(second, first, marking=marking, budget=budget)
    except StateBudgetError as error:
        return LanguageVerdict(name, Verdict.UNKNOWN, left=there[0], right=there[1], refusal=error.in_short)
    if only_left is None and only_right is None:
        verdict = Verdict.SAME
    elif only_left is None or only_right is None:
        verdict = Verdict.MORE if only_left is None else Verdict.LESS
    else:
        verdict = Verdict.OTHER
    return LanguageVerdict(name, verdict, only_left, only_right, *there)
