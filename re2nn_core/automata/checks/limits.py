"""Rules whose machines would pass the limits: what no command can use is a fault, what only some can a warning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from re2nn_core.automata.determinize import pseudo_from_positions
from re2nn_core.automata.positions import PositionAutomaton, bits, build_positions
from re2nn_core.automata.symbols import Symbol
from re2nn_core.errors import Fault, StateBudgetError
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.source import Problem
from re2nn_core.rules.tree import Node, Repeat, walk

_FEW = 14  # so many places make at most 2 ** 14 states, which are below the limit


def rules_past_limits(rules: Sequence[Rule], *, file: str = "<rules>") -> tuple[list[Fault], list[Fault]]:
    """(faults, warnings): rules with too many places for any use, and rules whose automaton cannot be drawn or
    compared."""
    faults: list[Fault] = []
    warnings: list[Fault] = []
    for rule in rules:
        if not _may_be_large(rule.expanded):
            continue
        try:
            automaton = build_positions(rule.expanded, rule.name)
        except StateBudgetError as error:
            faults.append(_fault(rule, file, str(error), "no command can use it"))
            continue
        if repeats_itself(automaton):
            try:
                pseudo_from_positions(automaton, tree=rule.expanded, rule=rule.name)
            except StateBudgetError as error:
                use = "it predicts, but compile, draw, compare and diff refuse it"
                warnings.append(_fault(rule, file, str(error), use))
    return faults, warnings


def _may_be_large(tree: Node) -> bool:
    """False for nearly every rule: it has few places where a word is read."""
    return any(
        number > _FEW or (isinstance(node, Repeat) and max(node.least, node.most or 0) > 1)
        for number, node in enumerate(walk(tree), start=1)
    )


def repeats_itself(automaton: PositionAutomaton) -> bool:
    """Whether one word may lead to two places at once: without that there are no more states than places."""
    several = {symbol: places for symbol, places in automaton.positions_of.items() if places & (places - 1)}
    at_place: dict[int, list[Symbol]] = {}
    for symbol, places in several.items():
        for place in bits(places):
            at_place.setdefault(place, []).append(symbol)
    of_several = reduce(or_, several.values(), 0)
    # A list of 100,000 names has thousands of words at several places, and nearly no state leads to two of one word.
    seen = {near for follow in automaton.follow if (near := follow & of_several) & (near - 1)}
    return any(_twice(symbol for place in bits(near) for symbol in at_place[place]) for near in seen)


def _twice(symbols: Iterable[Symbol]) -> bool:
    met: set[Symbol] = set()
    for symbol in symbols:
        if symbol in met:
            return True
        met.add(symbol)
    return False


def _fault(rule: Rule, file: str, reported: str, use: str) -> Fault:
    """The refusal at the place of the rule: its first line says what is wrong, the second what to write."""
    message, _, advice = reported.removeprefix(f"rule '{rule.name}' ").partition("\n")
    where = f"rule '{rule.name}'"
    message = f"{message}; {use}"
    if rule.written is None:
        return Fault(message, max(1, rule.line), 1, "", advice, file=file, where=where)
    text = rule.written.line.text
    start = len(text) - len(text[rule.written.body :].lstrip())
    return rule.written.line.fault(Problem(start, len(text.rstrip()) - start, message, advice), file=file, where=where)
