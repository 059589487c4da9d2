"""A rule in its two forms: of a reconstruction, or of two versions."""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, inline_difference, whole


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
        """The second form, printed."""
        return print_expression(self.newest.tree)

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
