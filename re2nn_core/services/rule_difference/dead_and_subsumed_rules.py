"""Rules of one side that do nothing or meet: dead ones, subsumed ones, rules of two labels that accept one sentence.

All of it is proved on the machines, so that it holds for sentences that no text contains, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from re2nn_core.automata.inclusion import PAIR_BUDGET, shortest_common, shortest_escape, shortest_sentence
from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.automata.positions import accepts
from re2nn_core.automata.tagged_inclusion import shortest_dispute, shortest_tagged_escape
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.errors import SEARCH_STOPPED, StateBudgetError
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import Node, choice
from re2nn_core.services.rule_difference.language_difference import RuleSide, positions_of
from re2nn_core.services.rule_systems.progress_steps import OnStep, not_reported, stepped

MOST_PAIRS = 4_000  # pairs of labels, or of rules for slots, that are looked at


@dataclass(frozen=True)
class DeadOrSubsumed:
    """A rule that changes nothing. `by` are the rules of its label that accept all that it accepts, the first that does
    alone where there is one; empty for a dead rule, which accepts no sentence at all. `same`: the one of `by` accepts
    nothing else, and so does nothing either, as long as this rule is there."""

    name: str
    group: str
    by: tuple[str, ...]
    same: bool = False

    @property
    def dead(self) -> bool:
        return not self.by

    @property
    def in_words(self) -> str:
        if self.dead:
            return "accepts no sentence"
        if self.same:
            return f"is equivalent to {self.by[0]}: one of the two is enough"
        return f"is subsumed by {' and '.join(self.by)}"


@dataclass(frozen=True)
class Overlap:
    """A shortest sentence for which two labels speak, or in which two slots claim a word, and the rules that do.
    `tags` are the two that the word gets; empty for labels."""

    groups: tuple[str, str]
    sentence: tuple[str, ...]
    rules: tuple[tuple[str, ...], tuple[str, ...]]
    tags: tuple[str, str] | None = None


@dataclass(frozen=True)
class Findings:
    """What was found on one side. `skipped` says what could not be looked at, and why; `all_pairs` whether no pair is
    among that, so that there are no other overlaps."""

    dead_or_subsumed: tuple[DeadOrSubsumed, ...]
    overlaps: tuple[Overlap, ...]
    skipped: tuple[str, ...]
    all_pairs: bool = True

    @property
    def stopped(self) -> bool:
        """Whether a search came to its budget."""
        return any(SEARCH_STOPPED in line for line in self.skipped)


_TWO_READINGS = (
    "'{}' may be a word with its case or any other. Write it as a test sentence to see what each of them tags."
)


def find_dead_and_subsumed(
    side: RuleSide,
    *,
    budget: int = PAIR_BUDGET,
    most_pairs: int = MOST_PAIRS,
    on_rule: OnStep = not_reported,
    on_pair: OnStep = not_reported,
) -> Findings:
    """Dead and subsumed rules, and overlaps, the shortest sentences first. What passes the budget is told apart.
    `on_rule` and `on_pair` hear how many rules, and then pairs, were looked at."""
    skipped: list[str] = []
    dead_or_subsumed = _dead_or_subsumed(side, budget, skipped, on_rule)
    before = len(skipped)
    find = _disputes if side.tagging else _overlaps
    overlaps = find(side, budget, most_pairs, skipped, on_pair)
    ordered = sorted(overlaps, key=lambda overlap: len(overlap.sentence))
    return Findings(tuple(dead_or_subsumed), tuple(ordered), tuple(skipped), all_pairs=len(skipped) == before)


def _dead_or_subsumed(side: RuleSide, budget: int, skipped: list[str], on_rule: OnStep) -> list[DeadOrSubsumed]:
    found: dict[str, DeadOrSubsumed] = {}
    every = [(group, name) for group, names in side.groups.items() for name in names]
    for group, name in stepped(every, on_rule):
        if name not in found:
            try:
                by = subsumed_by(side.rules, name, peers_of(side, group, name), budget=budget)
            except StateBudgetError as error:
                skipped.append(f"Whether rule '{name}' is needed: {error.in_short}")
                continue
            if by is not None:
                found[name] = DeadOrSubsumed(name, group, by)
    return [_beside(rule, found) for rule in found.values()]


def _beside(rule: DeadOrSubsumed, found: Mapping[str, DeadOrSubsumed]) -> DeadOrSubsumed:
    other = found.get(rule.by[0]) if len(rule.by) == 1 else None
    return replace(rule, same=other is not None and other.by == (rule.name,))


def peers_of(side: RuleSide, group: str, name: str) -> tuple[str, ...]:
    """The rules that could do what a rule does: those of its label; for slots all others."""
    return tuple(other for other in (side.rules if side.tagging else side.groups[group]) if other != name)


def subsumed_by(
    rules: Mapping[str, Node], name: str, peers: Sequence[str], *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """The peers that say all that a rule says: the first that does alone, else as few as are needed; nobody (an empty
    tuple) for a rule without a sentence, and None where the rule itself is needed. StateBudgetError."""
    machine = positions_of(rules[name], name)
    if shortest_sentence(machine.automaton) is None:
        return ()
    if not peers or _escapes(machine, positions_of(choice([rules[peer] for peer in peers])), budget):
        return None
    alone = (peer for peer in peers if not _escapes(machine, positions_of(rules[peer], peer), budget))
    one = next(alone, None)
    return _needed(machine, rules, peers, budget) if one is None else (one,)


def _needed(
    machine: PositionTransducer, rules: Mapping[str, Node], peers: Sequence[str], budget: int
) -> tuple[str, ...]:
    """Peers that together say all that a machine says, none of them too many."""
    kept = list(peers)
    for peer in peers:
        others = [other for other in kept if other != peer]
        if others and not _escapes(machine, positions_of(choice([rules[other] for other in others])), budget):
            kept = others
    return tuple(kept)


def _escapes(left: PositionTransducer, right: PositionTransducer, budget: int) -> bool:
    """Whether the left says something that the right does not. Words are compared first, which is quicker."""
    if shortest_escape(left.automaton, right.automaton, budget=budget) is not None:
        return True
    return shortest_tagged_escape(left, right, budget=budget) is not None


def _overlaps(side: RuleSide, budget: int, most: int, skipped: list[str], on_pair: OnStep) -> list[Overlap]:
    """Of rules for labels: for any two labels."""
    machines = {group: positions_of(choice([side.rules[n] for n in names])) for group, names in side.groups.items()}
    found = []
    for one, other in stepped(_pairs(list(side.groups), most, skipped, "labels"), on_pair):
        try:
            words = shortest_common(machines[one].automaton, machines[other].automaton, budget=budget)
        except StateBudgetError as error:
            skipped.append(f"Whether {one} and {other} meet: {error.in_short}")
            continue
        if words is not None:
            found.append(Overlap((one, other), words, (accepting(side, one, words), accepting(side, other, words))))
    return found


def accepting(side: RuleSide, group: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The rules of a label that accept a sentence."""
    return tuple(name for name in side.groups[group] if accepts(side.machines[name].automaton, words))


def _disputes(side: RuleSide, budget: int, most: int, skipped: list[str], on_pair: OnStep) -> list[Overlap]:
    """Of rules for slots: for any two slots the shortest sentence of any two rules that claim a word for them."""
    best: dict[tuple[str, str], Overlap] = {}
    for one, other in stepped(_pairs(list(side.rules), most, skipped, "rules"), on_pair):
        try:
            words = shortest_dispute(side.machines[one], side.machines[other], budget=budget)
        except StateBudgetError as error:
            skipped.append(f"Whether {one} and {other} dispute a word: {error.in_short}")
            continue
        if words is not None:
            found = _dispute(side, (one, other), words)
            if found is None:
                skipped.append(f"Whether {one} and {other} dispute a word: {_TWO_READINGS.format(' '.join(words))}")
            elif found.groups not in best or len(words) < len(best[found.groups].sentence):
                best[found.groups] = found
    return list(best.values())


def _dispute(side: RuleSide, rules: tuple[str, str], words: tuple[str, ...]) -> Overlap | None:
    """The dispute of two rules in a sentence: the first word for which they name two slots, else two places in one.
    None where the sentence is read otherwise than it is shown: `polish` is shown for `case"polish"` too."""
    sets = [own for rule in rules if (own := tag_sets(side.machines[rule], words)) is not None]
    if len(sets) < len(rules):
        return None
    pairs = [
        pair for claims in zip(*sets, strict=True) for pair in product(*map(sorted, claims)) if all(map(slot_of, pair))
    ]
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    if not pairs:
        return None
    tags = min(pairs, key=lambda pair: slot_of(pair[0]) == slot_of(pair[1]))
    order = {slot: place for place, slot in enumerate(side.groups)}
    claimed = sorted(zip(tags, rules, strict=True), key=lambda claim: order.get(slot_of(claim[0]) or "", 0))
    (a, one), (b, other) = claimed
    return Overlap((slot_of(a) or a, slot_of(b) or b), words, ((one,), (other,)), (a, b))


def _pairs(names: list[str], most: int, skipped: list[str], what: str) -> list[tuple[str, str]]:
    pairs = list(combinations(names, 2))
    if len(pairs) > most:
        skipped.append(f"Of {len(pairs):,} pairs of {what} the first {most:,} were looked at for overlaps.")
    return pairs[:most]
