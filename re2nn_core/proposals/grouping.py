"""Phrases of one label as the alternatives of one rule, few enough to be read at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.proposals.label_search import FoundPhrase
from re2nn_core.proposals.phrases import Phrase, phrase_node, without_covered
from re2nn_core.rules.tree import Any, Node, Repeat, choice, concat

MOST_ALTERNATIVES = 4
_ANYTHING = Repeat(Any(), 0, None)


@dataclass(frozen=True)
class ProposedRule:
    """A rule for a label, by its number: any of the phrases, anywhere in the text."""

    label: int
    found: tuple[FoundPhrase, ...]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return tuple(one.phrase for one in self.found)

    @property
    def fixed(self) -> int:
        """Texts fixed out-of-fold."""
        return sum(one.fixed for one in self.found)

    @property
    def broken(self) -> int:
        """Texts broken out-of-fold."""
        return sum(one.broken for one in self.found)

    @property
    def guessed_fixed(self) -> int:
        """Of the texts fixed, those with a guessed label."""
        return sum(one.guessed_fixed for one in self.found)

    @property
    def guessed_broken(self) -> int:
        """Of the texts broken, those with a guessed label."""
        return sum(one.guessed_broken for one in self.found)

    @property
    def tree(self) -> Node:
        """The expression, which matches the whole text."""
        return anywhere(self.phrases)


def anywhere(phrases: Sequence[Phrase]) -> Node:
    """Any of the phrases, anywhere in a text; one that adds no text to the others is not written."""
    return concat([_ANYTHING, choice([phrase_node(phrase) for phrase in without_covered(phrases)]), _ANYTHING])


def grouped(found: Sequence[FoundPhrase], *, alternatives: int = MOST_ALTERNATIVES) -> tuple[ProposedRule, ...]:
    """The phrases in rules of so many alternatives at most, the rule that gains most out-of-fold first."""
    groups: list[list[FoundPhrase]] = []
    for one in found:
        open_group = next((g for g in groups if g[0].label == one.label and len(g) < alternatives), None)
        if open_group is None:
            groups.append([one])
        else:
            open_group.append(one)
    rules = (ProposedRule(group[0].label, tuple(group)) for group in groups)
    return tuple(sorted(rules, key=lambda rule: rule.broken - rule.fixed))
