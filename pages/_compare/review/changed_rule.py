"""A rule in its two forms, from which a card is made: of a reconstruction, or of two versions."""

from __future__ import annotations

from dataclasses import dataclass

from pages._compare.review.cards import rule_as_html
from re2nn_core.services.rule_systems.inline_difference import inline_difference, whole
from re2nn_core.services.values.rules import Rule, RuleSet, classes_for, print_expression


@dataclass(frozen=True)
class ChangedRule:
    """One of the forms may be missing. `stamp` names both rule sets, `titles` are what their sides are called."""

    name: str
    sets: tuple[RuleSet, RuleSet]
    stamp: str
    titles: tuple[str, str]

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
    def as_html(self) -> str:
        """Both forms as one text, what came and went marked."""
        before, after = self.before, self.after
        if before is None or after is None:
            side, own = ("added", self.sets[1]) if before is None else ("removed", self.sets[0])
            rule = self.newest
            return rule_as_html(whole(rule.tree, classes_for(own, rule), "added" if side == "added" else "removed"))
        classes = (classes_for(own, rule) for own, rule in zip(self.sets, (before, after), strict=True))
        return rule_as_html(inline_difference(before.tree, after.tree, *classes))


def _rule(ruleset: RuleSet, name: str) -> Rule | None:
    return next((rule for rule in ruleset.rules if rule.name == name), None)
