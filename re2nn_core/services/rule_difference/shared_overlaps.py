"""Overlaps that are on both sides: a sentence that holds on both of them, in the place of one for each.

Two labels may speak for one sentence in A, and for another one in B, which in A only one of them reads. A sentence that
is shown for both sides has to be true on both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from re2nn_core.automata.inclusion import shortest_common_of
from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import choice
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings, Overlap, accepting
from re2nn_core.services.rule_difference.language_difference import RuleSide, positions_of

MOST_SETS = 500  # looked at in search of a shared sentence; what is longer is put together from those of the sides
Words = tuple[str, ...]
Sides = tuple[RuleSide, RuleSide]


def with_shared_sentences(sides: Sides, findings: tuple[Findings, Findings]) -> tuple[Findings, Findings]:
    """The findings of both sides; for what overlaps on both, both have one sentence where one was found that holds on
    both, else each keeps its own."""
    left, right = ({frozenset(one.groups): one for one in found.overlaps} for found in findings)
    for groups in left.keys() & right.keys():
        if left[groups].sentence != right[groups].sentence:
            found = _shared(sides, left[groups], right[groups])
            if found is not None:
                left[groups], right[groups] = found
    return _with(findings[0], left), _with(findings[1], right)


def _with(findings: Findings, overlaps: Mapping[frozenset[str], Overlap]) -> Findings:
    return replace(findings, overlaps=tuple(sorted(overlaps.values(), key=lambda overlap: len(overlap.sentence))))


def _shared(sides: Sides, left: Overlap, right: Overlap) -> tuple[Overlap, Overlap] | None:
    """Both overlaps with one sentence."""
    holds = _claimed if sides[0].tagging else _decided
    for words in _candidates(sides, left, right):
        first, second = holds(sides[0], left, words), holds(sides[1], right, words)
        if first is not None and second is not None:
            return first, second
    return None


def _candidates(sides: Sides, left: Overlap, right: Overlap) -> Iterator[Words]:
    """Sentences that may hold on both sides, the short ones first."""
    yield right.sentence
    yield left.sentence
    if not sides[0].tagging:
        machines = [_machine(side, group) for side in sides for group in left.groups]
        try:
            found = shortest_common_of(machines, budget=MOST_SETS)
        except StateBudgetError:
            pass
        else:
            yield from () if found is None else (found,)
            return
    yield right.sentence + left.sentence
    yield left.sentence + right.sentence


def _machine(side: RuleSide, group: str) -> PositionAutomaton:
    return positions_of(choice([side.rules[name] for name in side.groups[group]])).automaton


def _decided(side: RuleSide, overlap: Overlap, words: Words) -> Overlap | None:
    """The overlap of two labels with another sentence; None where one of them does not predict it."""
    one, other = (accepting(side, group, words) for group in overlap.groups)
    return replace(overlap, sentence=words, rules=(one, other)) if one and other else None


def _claimed(side: RuleSide, overlap: Overlap, words: Words) -> Overlap | None:
    """The same of two slots that claim a word of it."""
    sets = {name: tag_sets(side.machines[name], words) for group in overlap.groups for name in side.groups[group]}
    for rules in product(*(side.groups[group] for group in overlap.groups)):
        claims = [sets[name] for name in rules]
        if rules[0] == rules[1] or claims[0] is None or claims[1] is None:
            continue
        for tags in (tags for both in zip(*claims, strict=True) for tags in product(*map(sorted, both))):
            if tags[0] != tags[1] and tuple(map(slot_of, tags)) == overlap.groups:
                return replace(overlap, sentence=words, rules=((rules[0],), (rules[1],)), tags=(tags[0], tags[1]))
    return None
