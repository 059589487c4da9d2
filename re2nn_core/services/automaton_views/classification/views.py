"""One rule or label as a machine to look at: its sizes on the way from expression to network, and a
sentence in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.positions import build_positions
from re2nn_core.automata.simulate import Step, Trace, simulate
from re2nn_core.automata.symbols import show_symbols
from re2nn_core.automata.transducer import Transducer
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.explain.rule_paths import Move, rule_path
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node, choice, walk
from re2nn_core.services.automaton_views.positions import viewed_positions
from re2nn_core.tensors.factors import rank_one_blocks

VIEW_BUDGET = 5_000
M = TypeVar("M", PseudoDfa, ExactDfa)


@dataclass(frozen=True)
class StageSize:
    """How large one stage is; `meaning` says what was counted. None: past the budget."""

    stage: str
    count: int | None
    meaning: str


@dataclass(frozen=True)
class MachineView:
    """A rule or all rules of a label. A machine past the budget is None, and its refusal says why; `positions` are None
    where there are too many to draw."""

    name: str
    expression: str
    pseudo: PseudoDfa | None
    exact: ExactDfa | None
    pseudo_refusal: str
    exact_refusal: str
    sizes: tuple[StageSize, ...]
    positions: Transducer | None


def view_rule(ruleset: RuleSet, name: str) -> MachineView:
    """The machine of one rule. InputError names the rules there are."""
    for rule in ruleset.rules:
        if rule.name == name:
            return _view(name, rule.tree, rule.expanded)
    known = ", ".join(rule.name for rule in ruleset.rules)
    raise InputError(f"There is no rule {name!r}. The rules are: {known}.")


def automaton_of_tree(tree: Node, name: str) -> tuple[PseudoDfa | None, str]:
    """The automaton of an expanded rule alone, quick enough to follow a hand that writes; None, with why, where it is
    past the budget."""
    return _built(pseudo_dfa, tree, name)


def view_label(ruleset: RuleSet, label: str) -> MachineView:
    """The machine of all rules of a label together. InputError names the labels there are."""
    rules = ruleset.of_label(label)
    if not rules:
        raise InputError(f"No rule has the label {label!r}. The labels are: {', '.join(ruleset.labels)}.")
    return _view(label, choice([rule.tree for rule in rules]), choice([rule.expanded for rule in rules]))


def _view(name: str, written: Node, tree: Node) -> MachineView:
    positions = build_positions(tree, name)
    pseudo, pseudo_refusal = _built(pseudo_dfa, tree, name)
    exact, exact_refusal = _built(exact_dfa, tree, name)
    sizes = (
        StageSize("expression", sum(1 for _ in walk(written)), "words and signs of the rule as written"),
        StageSize("positions", len(positions) - 1, "word positions, with word classes expanded"),
        StageSize(
            "states",
            None if pseudo is None else len(pseudo),
            "states of the minimal automaton, with the wildcard as a symbol",
        ),
        StageSize("arcs", None if pseudo is None else pseudo.arc_count, "its transitions, one for each word"),
        StageSize(
            "exact states",
            None if exact is None else len(exact),
            "states of the exact automaton, without a wildcard symbol",
        ),
        StageSize(
            "rank",
            None if pseudo is None else len(rank_one_blocks(pseudo)),
            "columns of the network's factors, without the wildcard",
        ),
    )
    expression, drawable = print_expression(written), viewed_positions(tagged(tree), name)
    return MachineView(name, expression, pseudo, exact, pseudo_refusal, exact_refusal, sizes, drawable)


def _built(build: Callable[..., M], tree: Node, name: str) -> tuple[M | None, str]:
    try:
        return build(tree, budget=VIEW_BUDGET, rule=name), ""
    except StateBudgetError as error:
        return None, str(error)


def trace(machine: PseudoDfa | ExactDfa, sentence: Sequence[str]) -> Trace:
    """A sentence through either kind of machine."""
    return simulate(machine, sentence) if isinstance(machine, PseudoDfa) else _run_exact(machine, sentence)


def _run_exact(machine: ExactDfa, sentence: Sequence[str]) -> Trace:
    state = 0
    steps = [Step(None, (0,), ())]
    for number, word in enumerate(sentence):
        target = machine.step(state, word)
        if target == DEAD:
            steps.append(Step(word, (), ()))
            return Trace(tuple(steps), accepted=False, died_at=number)
        steps.append(Step(word, (target,), ((state, target),)))
        state = target
    return Trace(tuple(steps), accepted=state in machine.finals, died_at=None)


def whole_path(machine: PseudoDfa | ExactDfa, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """One way of an accepted sentence through either kind of machine, the one that names most words."""
    return rule_path(machine, sentence)


def expected_symbols(machine: PseudoDfa | ExactDfa, states: Sequence[int]) -> list[str]:
    """What some of these states can read next, as people read it."""
    alive = frozenset(states)
    readable = [symbols for source, _, symbols in machine.shown_arcs() if source in alive]
    return show_symbols(frozenset().union(*readable)) if readable else []
