"""Captures with borders that can be read in two ways: some word both begins a span of a slot and continues one.

`[ $? b ]<x>` gives `a b` and `b` alone in the text `a b`. Which of such spans a rule system takes is said in
services/rule_systems/slot_filling/reading_choice.py. Found on pairs of runs over the same words.
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.determinize import exact_columns
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.errors import Fault, StateBudgetError
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.source import Problem
from re2nn_core.rules.tagging import has_slots, slots_of, tagged, tags_of_tree

MOST_POSITIONS = 300  # pairs of them are looked at
_ADVICE = (
    "Name the words at the borders of the capture, as in $* to [ $ ]<city> $*, or check the spans with a "
    "sentence. Of overlapping spans those that cover most words are predicted; with longest = true in the label "
    "logic the "
    "longest first."
)


def ambiguous_captures(rules: Sequence[Rule], *, file: str = "<rules>") -> list[Fault]:
    """A warning for each rule with such a capture."""
    found = []
    for rule in rules:
        if rule.written is None or not has_slots(rule.expanded):
            continue
        tree = tagged(rule.expanded)
        tags = tags_of_tree(tree)
        slots = [slot for slot in slots_of([tree]) if f"B-{slot}" in tags and f"I-{slot}" in tags]
        if not slots:
            continue
        try:
            machine = position_transducer(tree, rule.name)
        except StateBudgetError:
            continue
        for slot in slots if len(machine) <= MOST_POSITIONS else ():
            if _is_ambiguous(machine, slot):
                message = f"the borders of the capture of '{slot}' can be read in two ways"
                line = rule.written.line
                start = len(line.text) - len(line.text[rule.written.body :].lstrip())
                problem = Problem(start, len(line.text.rstrip()) - start, message, _ADVICE)
                found.append(line.fault(problem, file=file, where=f"rule '{rule.name}'"))
    return found


def _is_ambiguous(machine: PositionTransducer, slot: str) -> bool:
    """Whether two runs over one accepted sentence give some word B and I of the slot."""
    automaton = machine.automaton
    columns = [mask for mask in set(exact_columns(automaton)[0]) if mask]
    partners = [0] * len(machine)  # states that some word enters together with this one
    for mask in columns:
        for state in bits(mask):
            partners[state] |= mask
    begins, goes_on = (
        [state for state, output in enumerate(machine.outputs) if output == f"{prefix}-{slot}"] for prefix in "BI"
    )
    before: dict[tuple[int, int], list[tuple[int, int]]] = {}
    waiting = [(one, other) for one in bits(machine.sentence_start) for other in bits(machine.sentence_start)]
    known = set(waiting)
    for pair in waiting:
        for one in bits(automaton.follow[pair[0]]):
            for other in bits(automaton.follow[pair[1]] & partners[one]):
                before.setdefault((one, other), []).append(pair)
                if (one, other) not in known:
                    known.add((one, other))
                    waiting.append((one, other))
    final = frozenset(bits(machine.sentence_final))
    useful = [pair for pair in known if pair[0] in final and pair[1] in final]
    ends = set(useful)
    for pair in useful:
        for earlier in before.get(pair, ()):
            if earlier not in ends:
                ends.add(earlier)
                useful.append(earlier)
    return any((one, other) in ends for one in begins for other in goes_on)
