"""The machines of a rule set that the network runs side by side, and the label logic over them.

mode "label"  one machine for all rules of a label, as published; only where the label's formula is a plain
              disjunction, otherwise one for each rule of the formula.
mode "rule"   one machine a rule: a little larger, and each rule can be read back by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from re2nn_core.automata.determinize import STATE_BUDGET, pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.reverse import reverse_tree
from re2nn_core.rules.logic.label_logic import And, Fact, Formula, LabelLogic, Not, Or
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tree import Node, choice

MachineMode = Literal["label", "rule"]


@dataclass(frozen=True)
class Machine:
    """One machine: the rules it stands for, their joined tree, and its minimal pseudo automaton."""

    name: str
    rules: tuple[str, ...]
    tree: Node
    dfa: PseudoDfa


@dataclass(frozen=True)
class Machines:
    """Machines in order, and label logic whose facts are machine names instead of rule names."""

    machines: tuple[Machine, ...]
    logic: LabelLogic

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(machine.name for machine in self.machines)

    @property
    def states(self) -> int:
        """The machines' states; each machine has its own start."""
        return sum(len(machine.dfa) for machine in self.machines)

    @property
    def joint_states(self) -> int:
        """K as the paper counts it (table 3 and footnote 2): the machines' states and one start in front of all."""
        return self.states + 1

    @property
    def arcs(self) -> int:
        return sum(machine.dfa.arc_count for machine in self.machines)


def build_machines(
    ruleset: RuleSet, logic: LabelLogic, mode: MachineMode = "label", *, budget: int = STATE_BUDGET
) -> Machines:
    """The machines of a rule set. StateBudgetError names the rule and the part that is too large."""
    trees = {rule.name: rule.expanded for rule in ruleset.rules}
    machines: dict[str, Machine] = {}
    formulas: list[Formula] = []
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        joined = _disjuncts(formula) if mode == "label" else None
        if joined is not None and len(joined) > 0:
            formulas.append(_add(machines, f"[{label}]", joined, trees, budget))
        else:
            formulas.append(_over_machines(formula, machines, trees, budget))
    over = LabelLogic(logic.labels, tuple(formulas), logic.priorities, logic.default)
    return Machines(tuple(machines.values()), over)


def reversed_machines(machines: Machines, *, budget: int = STATE_BUDGET) -> Machines:
    """The machines of the reversed rules (section 3.4), with the same names and logic."""
    backwards = []
    for machine in machines.machines:
        tree = reverse_tree(machine.tree)
        backwards.append(replace(machine, tree=tree, dfa=pseudo_dfa(tree, budget=budget, rule=machine.name)))
    return Machines(tuple(backwards), machines.logic)


def _disjuncts(formula: Formula) -> tuple[str, ...] | None:
    """The rule names of a plain disjunction; None for any other formula."""
    if isinstance(formula, Fact):
        return (formula.rule,)
    if isinstance(formula, Or) and all(isinstance(part, Fact) for part in formula.parts):
        return tuple(part.rule for part in formula.parts if isinstance(part, Fact))
    return None


def _add(machines: dict[str, Machine], name: str, rules: tuple[str, ...], trees: dict[str, Node], budget: int) -> Fact:
    if name not in machines:
        tree = choice([trees[rule] for rule in rules])
        machines[name] = Machine(name, rules, tree, pseudo_dfa(tree, budget=budget, rule=name))
    return Fact(name)


def _over_machines(formula: Formula, machines: dict[str, Machine], trees: dict[str, Node], budget: int) -> Formula:
    if isinstance(formula, Fact):
        return _add(machines, formula.rule, (formula.rule,), trees, budget)
    if isinstance(formula, Not):
        return Not(_over_machines(formula.inner, machines, trees, budget))
    parts = tuple(_over_machines(part, machines, trees, budget) for part in formula.parts)
    return And(parts) if isinstance(formula, And) else Or(parts)
