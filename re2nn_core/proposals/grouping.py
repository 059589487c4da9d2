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
    """A rule for a label, by its number: any of the phrases, anywhere in the text. `fixed` and `broken`: texts
    out-of-fold, those with a guessed label (`guessed_fixed`, `guessed_broken`) among them."""

    label: int
    phrases: tuple[Phrase, ...]
    fixed: int
    broken: int
    guessed_fixed: int = 0
    guessed_broken: int = 0

    @classmethod
    def of(cls, found: Sequence[FoundPhrase]) -> ProposedRule:
        """Phrases of one label, with what they fix and break together."""
        sums = (
            sum(getattr(one, name) for one in found) for name in ("fixed", "broken", "guessed_fixed", "guessed_broken")
        )
        return cls(found[0].label, tuple(one.phrase for one in found), *sums)

    @property
    def gain(self) -> int:
        """Texts fixed out-of-fold, less those broken."""
        return self.fixed - self.broken

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
    return tuple(sorted(map(ProposedRule.of, groups), key=lambda rule: -rule.gain))
