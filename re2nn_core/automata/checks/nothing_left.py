"""Rules whose `but not ( ... )` leaves none of their texts, or leaves out none."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.inclusion import shortest_common, shortest_sentence
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import Fault, SearchBudgetError, StateBudgetError
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.source import Problem
from re2nn_core.rules.tree import ButNot

PAIRS = 20_000  # of states that are looked at for one rule
NOTHING_LEFT = (
    "the rule can never match: 'but not ( ... )' leaves out every text that it matches",
    "Leave out less, or remove the rule.",
)
NOTHING_OUT = (
    "'but not ( ... )' leaves out no text that the rule matches",
    "Remove it, or compare its words with those of the rule: it has to match the whole text, as in ( $* back $* ).",
)


def but_not_without_effect(rules: Sequence[Rule], *, file: str = "<rules>") -> list[Fault]:
    """A warning for each rule that matches nothing, or as much as without its `but not ( ... )`. A rule that is too
    large for this is passed over."""
    found = []
    for rule in rules:
        tree = rule.expanded
        if not isinstance(tree, ButNot):
            continue
        try:
            odd = _odd(tree)
        except (StateBudgetError, SearchBudgetError):
            continue
        if odd is not None:
            found.append(_warning(rule, file, *odd))
    return found


def _odd(tree: ButNot) -> tuple[str, str] | None:
    inner, excluded = build_positions(tree.inner), build_positions(tree.excluded)
    if shortest_common(inner, excluded, budget=PAIRS) is None:
        return NOTHING_OUT
    return NOTHING_LEFT if shortest_sentence(build_positions(tree)) is None else None


def _warning(rule: Rule, file: str, message: str, advice: str) -> Fault:
    where = f"rule '{rule.name}'"
    if rule.written is None:
        return Fault(message, max(1, rule.line), 1, "", advice, file=file, where=where)
    text = rule.written.line.text
    start = len(text) - len(text[rule.written.body :].lstrip())
    return rule.written.line.fault(Problem(start, len(text.rstrip()) - start, message, advice), file=file, where=where)
