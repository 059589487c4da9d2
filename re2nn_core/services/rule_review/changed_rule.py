"""A rule in its two forms: of a reconstruction, or of two versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Choice, ClassReference, Node, choice, named_words, rebuild
from re2nn_core.services.rule_reconstruction.written_form import in_written_form
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, inline_difference, whole

WRITTEN_OUT = 24  # words of a class that are edited one by one


def with_own_classes(words: Node, own: Mapping[str, Node]) -> Node:
    """Alternatives with those that are a class of the author's `own` as its name."""
    for name, tree in own.items():
        members = tree.options if isinstance(tree, Choice) else ()
        if len(members) > 1 and isinstance(words, Choice) and set(members) <= set(words.options):
            words = choice([ClassReference(name), *(one for one in words.options if one not in members)])
    return words


@dataclass(frozen=True)
class ChangedRule:
    """One of the forms may be missing. `sets` are the rules before and after. `learned`: the second form is one that
    nobody has written, and stands in the form of the first; `known_slots`: how the data spell slots."""

    name: str
    sets: tuple[RuleSet, RuleSet]
    learned: bool = False
    lowercase: bool = True
    known_slots: tuple[str, ...] = ()

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
    def newest_classes(self) -> dict[str, Node]:
        """The classes in force where the newest form stands."""
        return classes_for(self.sets[1] if self.after is not None else self.sets[0], self.newest)

    @property
    def _written(self) -> tuple[Rule, dict[str, Node]]:
        """The newest form as it is written into the rules, and the classes in force there."""
        newest, classes = self.newest, self.newest_classes
        if not self.learned or self.before is None or self.after is None:
            return newest, classes
        form = in_written_form(*self.sets, self.name, lowercase=self.lowercase, known_slots=self.known_slots)
        own = classes_for(self.sets[0], self.before)
        return replace(newest, tree=form.tree), {**classes, **own, **{one.name: one.tree for one in form.classes}}

    @property
    def text(self) -> str:
        """The second form, printed; words of small classes that the first form does not know stand in their place, so
        that they can be edited, and those of a class that no rule set has yet."""
        before, (newest, classes) = self.before, self._written
        of_author = {} if before is None else classes_for(self.sets[0], before)
        given = {entry.name for entry in self.sets[1].entries if isinstance(entry, WordClass)}
        own = {name: tree for name, tree in of_author.items() if classes.get(name) == tree}

        def written_out(leaf: Node) -> Node:
            if not isinstance(leaf, ClassReference) or leaf.name in of_author:
                return leaf
            tree = classes.get(leaf.name)
            small = isinstance(tree, Choice) and (len(tree.options) <= WRITTEN_OUT or leaf.name not in given)
            return with_own_classes(tree, own) if tree is not None and small else leaf

        return print_expression(rebuild(newest.tree, written_out))

    @property
    def words_elsewhere(self) -> frozenset[str]:
        """Of a new rule the words that the rules before name; of others none."""
        if self.before is not None:
            return frozenset()
        return frozenset[str]().union(*(named_words(rule.expanded) for rule in self.sets[0].rules))

    @property
    def pieces(self) -> tuple[InlinePiece, ...]:
        """Both forms as one text, what came and went marked."""
        before = self.before
        if before is not None and self.after is not None:
            after, classes = self._written
            return inline_difference(before.tree, after.tree, classes_for(self.sets[0], before), classes)
        rule = self.newest
        if before is None:
            return whole(rule.tree, classes_for(self.sets[1], rule), "added")
        return whole(rule.tree, classes_for(self.sets[0], rule), "removed")


def _rule(ruleset: RuleSet, name: str) -> Rule | None:
    return next((rule for rule in ruleset.rules if rule.name == name), None)
