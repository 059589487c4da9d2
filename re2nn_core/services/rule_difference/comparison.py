"""Do two rule sets accept the same sentences? Label by label, with a shortest sentence of each side alone.

What is compared is the rules' languages: the union of all rules of a label. Label logic (vetoes, priorities,
the default) is left out, since it decides between labels and not what a rule reads. A label that one side
lacks is the empty language there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from re2nn_core.automata.inclusion import shortest_escape, shortest_sentence
from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.errors import NotFoundError
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import Node, choice
from re2nn_core.text.joined_names import first_names

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class LanguageDifference:
    """A shortest sentence that only the left side accepts, and one for the right side; None: no such."""

    only_left: Sentence | None
    only_right: Sentence | None

    @property
    def equivalent(self) -> bool:
        return self.only_left is None and self.only_right is None


@dataclass(frozen=True)
class RuleSetComparison:
    """The difference of each label; the witnesses of the whole are the shortest of any label."""

    labels: Mapping[str, LanguageDifference]

    @property
    def equivalent(self) -> bool:
        return all(difference.equivalent for difference in self.labels.values())

    @property
    def only_left(self) -> Sentence | None:
        return _shortest(difference.only_left for difference in self.labels.values())

    @property
    def only_right(self) -> Sentence | None:
        return _shortest(difference.only_right for difference in self.labels.values())


def _shortest(witnesses: Iterable[Sentence | None]) -> Sentence | None:
    return min((witness for witness in witnesses if witness is not None), key=len, default=None)


def compare_rulesets(left: RuleSet, right: RuleSet) -> RuleSetComparison:
    """Label by label: the left one's labels in their order, then those that only the right one has.

    StateBudgetError where a comparison would take too long.
    """
    labels = dict.fromkeys((*left.labels, *right.labels))
    return RuleSetComparison({label: compare_trees(_union(left, label), _union(right, label)) for label in labels})


def compare_rules(left: Rule, right: Rule) -> LanguageDifference:
    """Two single rules, whatever their labels."""
    return compare_trees(left.expanded, right.expanded)


def find_rule(ruleset: RuleSet, name: str, file: str) -> Rule:
    """The rule of a name; NotFoundError lists the names that there are."""
    for rule in ruleset.rules:
        if rule.name == name:
            return rule
    raise NotFoundError(
        f"{file} has no rule '{name}'. Its rules are: {first_names([r.name for r in ruleset.rules], 20)}."
    )


def compare_trees(left: Node | None, right: Node | None) -> LanguageDifference:
    """Two expanded trees; None is the language without any sentence."""
    if left == right:
        return LanguageDifference(None, None)
    first, second = _positions(left), _positions(right)
    return LanguageDifference(_escape(first, second), _escape(second, first))


def _union(ruleset: RuleSet, label: str) -> Node | None:
    """The rules of a label as one tree; None where it has none."""
    trees = [rule.expanded for rule in ruleset.of_label(label)]
    return choice(trees) if trees else None


def _positions(tree: Node | None) -> PositionAutomaton | None:
    return None if tree is None else build_positions(tree)


def _escape(left: PositionAutomaton | None, right: PositionAutomaton | None) -> Sentence | None:
    if left is None:
        return None
    return shortest_sentence(left) if right is None else shortest_escape(left, right)
