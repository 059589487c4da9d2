"""A rule in its two forms: of a reconstruction, or of two versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import Choice, ClassReference, Node, choice, rebuild
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, inline_difference, whole

_WRITTEN_OUT = 24  # words of a class that are edited one by one


def with_own_classes(words: Node, own: Mapping[str, Node]) -> Node:
    """Alternatives with those that are a class of the author's `own` as its name."""
    for name, tree in own.items():
        members = tree.options if isinstance(tree, Choice) else ()
        if len(members) > 1 and isinstance(words, Choice) and set(members) <= set(words.options):
            words = choice([ClassReference(name), *(one for one in words.options if one not in members)])
    return words


@dataclass(frozen=True)
class ChangedRule:
    """One of the forms may be missing. `sets` are the rules before and after."""

    name: str
    sets: tuple[RuleSet, RuleSet]

    @property
    def before(self) -> Rule | None:
        """The first form."""
        return _rule(self.sets[0], self.name)

    @property
    def after(self) -> Rule | None:
        """The second form."""
        return _rule(self.sets[1], self.name)

    @property
    def newest(self) -> Rule:
        """The second form, or the first where the rule went; LookupError where there is neither."""
        found = self.after or self.before
        if found is None:
            raise LookupError(self.name)
        return found

    @property
    def text(self) -> str:
        """The second form, printed; words of small classes that the first form does not know stand in their place, so
        that they can be edited."""
        before, newest = self.before, self.newest
        of_author = {} if before is None else classes_for(self.sets[0], before)
        classes = classes_for(self.sets[1], newest)
        own = {name: tree for name, tree in of_author.items() if classes.get(name) == tree}

        def written_out(leaf: Node) -> Node:
            tree = classes.get(leaf.name) if isinstance(leaf, ClassReference) and leaf.name not in of_author else None
            small = isinstance(tree, Choice) and len(tree.options) <= _WRITTEN_OUT
            return with_own_classes(tree, own) if tree is not None and small else leaf

        return print_expression(rebuild(newest.tree, written_out))

    @property
    def pieces(self) -> tuple[InlinePiece, ...]:
        """Both forms as one text, what came and went marked."""
        before, after = self.before, self.after
        if before is not None and after is not None:
            classes = (classes_for(own, rule) for own, rule in zip(self.sets, (before, after), strict=True))
            return inline_difference(before.tree, after.tree, *classes)
        rule = self.newest
        if before is None:
            return whole(rule.tree, classes_for(self.sets[1], rule), "added")
        return whole(rule.tree, classes_for(self.sets[0], rule), "removed")


def _rule(ruleset: RuleSet, name: str) -> Rule | None:
    return next((rule for rule in ruleset.rules if rule.name == name), None)
