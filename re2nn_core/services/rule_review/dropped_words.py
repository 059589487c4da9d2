"""A reconstructed rule without some of the words that it has learned.

A word is dropped with all that needs it: of `( refund | money back )` without `money` the word `refund` is left, as of
an automaton whose transition by `money` is taken away. Where the written rule has the word too, it goes from the places
at which no text of the written rule needs it. An alternative of several words, or the start of a text, is named as it
is written and goes alone: other alternatives keep its words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from re2nn_core.automata.inclusion import shortest_common_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, expand
from re2nn_core.rules.tagging import has_slots, slot_of, tagged, without_slots
from re2nn_core.rules.tree import (
    ButNot,
    Capture,
    CaseWord,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Lemma,
    Node,
    Repeat,
    Tagged,
    Word,
    WordPattern,
    choice,
    concat,
    named_words,
    walk,
)
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_review.changed_rule import ChangedRule, with_own_classes
from re2nn_core.services.rule_review.edited_rules import with_edited_rules
from re2nn_core.services.rule_review.matched_again import matching_again
from re2nn_core.services.rule_review.patterns import in_words, without_pattern
from re2nn_core.text.joined_names import join_names


def expression_without(
    rules_text: str, trained_on: str, name: str, words: Collection[str], *, edited: str = "", lowercase: bool
) -> str | None:
    """The expression of a reconstructed rule, in the form of the written one, without some words; None where no change
    of the written rule is left.
    `edited` is the rule as somebody edited it, `trained_on` are the written rules. RuleError and InputError as
    `with_edited_rules`; InputError where the written rule needs the words everywhere, LookupError for a rule that there
    is not."""
    written, now = _as_reviewed(rules_text, trained_on, name, edited, lowercase=lowercase)
    old, new = _rule(written, name), next(rule for rule in now.rules if rule.name == name)
    classes = classes_for(now, new)
    of_author = {} if old is None else classes_for(written, old)
    own = {known: tree for known, tree in of_author.items() if classes.get(known) == tree}
    words = _as_written(words, new.tree, classes)
    known = frozenset() if old is None else words & (named_words(old.expanded) | _alternatives(old.expanded, {}))
    tree = _Without(words - known, classes, own).of(new.tree)
    if tree is None:
        return None

    if old is not None and known:
        needed = _needed(old.expanded, new.expanded)
        for word in sorted(known):
            tree = _without_learned_places(
                tree, word, classes, own, lambda one: needed(expand(one, classes, lowercase=lowercase))
            )
    if tree == new.tree:
        named = join_names([f"“{word}”" for word in sorted(known or words)])
        if not known:
            raise InputError(f"{name} has no {named}, so nothing can be dropped. Load the page again.")
        raise InputError(
            f"The written rule needs {named} wherever {name} has it, so nothing can be dropped. Edit the rule instead."
        )
    expanded = expand(tree, classes, lowercase=lowercase)
    if old is not None and language_verdict(name, old.expanded, expanded).verdict is Verdict.SAME:
        return None
    return print_expression(tree)


def expression_without_pattern(
    rules_text: str, trained_on: str, name: str, pattern: str, *, edited: str = "", lowercase: bool
) -> tuple[str | None, str]:
    """The same for a new rule without one of its patterns, which its text names (`Pattern.text`); and how people read
    that one. InputError where the rule has no such pattern."""
    _, now = _as_reviewed(rules_text, trained_on, name, edited, lowercase=lowercase)
    new = next(rule for rule in now.rules if rule.name == name)
    tree = without_pattern(new.tree, pattern, classes_for(now, new), lowercase=lowercase)
    return None if tree is None else print_expression(tree), in_words(parse_expression(pattern))


def leaves_something(rule: ChangedRule, words: Collection[str]) -> bool:
    """Whether anything is left of a change without words that it has learned: of a new rule any text, of another one
    a difference to the written rule."""
    new, old = rule.newest, rule.before
    known = frozenset() if old is None else named_words(old.expanded)
    tree = _Without(frozenset(words) - known, {}, {}).of(new.expanded)
    if tree is None or old is None:
        return tree is not None
    if known.intersection(words) or not named_words(tree) <= known:
        return True
    return language_verdict(rule.name, old.expanded, tree).verdict is not Verdict.SAME


def expression_matching_again(
    rules_text: str, trained_on: str, name: str, words: Collection[str], *, edited: str = "", lowercase: bool
) -> str | None:
    """The same for a rule that matches some words again which it has come to refuse; None where no change of the
    written rule is left. InputError where it refuses none of them, or the written rule does so too."""
    written, now = _as_reviewed(rules_text, trained_on, name, edited, lowercase=lowercase)
    old, new = _rule(written, name), next(rule for rule in now.rules if rule.name == name)
    classes = classes_for(now, new)
    tree = new.tree if old is None else matching_again(new.tree, old.tree, words, classes)
    if old is None or tree == new.tree:
        named = join_names([f"“{word}”" for word in sorted(words)])
        raise InputError(f"{name} does not refuse {named}, so nothing can be dropped. Load the page again.")
    expanded = expand(tree, classes, lowercase=lowercase)
    same = language_verdict(name, old.expanded, expanded).verdict is Verdict.SAME
    return None if same else print_expression(tree)


def _as_reviewed(
    rules_text: str, trained_on: str, name: str, edited: str, *, lowercase: bool
) -> tuple[RuleSet, RuleSet]:
    """The written rules, and the reconstructed ones where a rule is as somebody edited it, else in the form of the
    written one. LookupError where they have it not."""
    written, now = (read_rules(one, lowercase=lowercase).ruleset for one in (trained_on, rules_text))
    if _rule(now, name) is None:
        raise LookupError(name)
    edited = edited or ChangedRule(name, (written, now), learned=True, lowercase=lowercase).text
    text = with_edited_rules(rules_text, {name: edited}, lowercase=lowercase, shorten_classes=False)
    return written, read_rules(text, lowercase=lowercase).ruleset


def _texts_of(option: Node, classes: Mapping[str, Node]) -> tuple[str, str]:
    """An alternative as it is written, and with its classes put in."""
    return print_expression(option), print_expression(expand(option, dict(classes), lowercase=False))


def _alternatives(tree: Node, classes: Mapping[str, Node]) -> frozenset[str]:
    """What `_texts_of` gives for all alternatives of a tree, those of its classes among them."""
    trees = [tree, *(classes[part.name] for part in walk(tree) if isinstance(part, ClassReference))]
    choices = (part for one in trees for part in walk(one) if isinstance(part, Choice))
    return frozenset(text for one in choices for option in one.options for text in _texts_of(option, classes))


def _as_written(words: Collection[str], tree: Node, classes: Mapping[str, Node]) -> frozenset[str]:
    """Words and alternatives to drop; of what is no alternative of the tree its words."""
    phrases = frozenset(word for word in words if " " in word) - _alternatives(tree, classes)
    return frozenset(words).difference(phrases).union(*(named_words(parse_expression(one)) for one in phrases))


def _needed(old: Node, new: Node) -> Callable[[Node], bool]:
    """Whether a shorter form of a rule loses a text that both the written and the reconstructed one match; true where
    that is too large to be searched."""
    read = _with_tags_read if has_slots(new) and ButNot not in map(type, (old, new)) else without_slots
    before, after = (build_positions(read(tree)) for tree in (old, new))

    def needed(shorter: Node) -> bool:
        try:
            return shortest_common_escape(before, after, build_positions(read(shorter))) is not None
        except StateBudgetError:
            return True

    return needed


def _with_tags_read(tree: Node) -> Node:
    """A tree for slots as one that reads the tag of each word in front of it: forms that tag otherwise differ."""

    def with_tag(node: Node) -> Node:
        if isinstance(node, Tagged):
            tag = node.tag if slot_of(node.tag) else ""
            return concat([Word(f"\x1e{tag}"), node.inner])
        if isinstance(node, Concat):
            return concat(list(map(with_tag, node.parts)))
        if isinstance(node, Choice):
            return choice(list(map(with_tag, node.options)))
        return Repeat(with_tag(node.inner), node.least, node.most) if isinstance(node, Repeat) else node

    return with_tag(tagged(tree))


def _without_learned_places(
    tree: Node, word: str, classes: Mapping[str, Node], own: Mapping[str, Node], needed: Callable[[Node], bool]
) -> Node:
    """The tree without a word at those of its places where what goes with it is not `needed`."""
    place = 0
    while True:
        without = _Without(frozenset({word}), classes, own, place)
        shorter = without.of(tree)
        if without.passed <= place:
            return tree
        if shorter is not None and not needed(shorter):
            tree = shorter
        else:
            place += 1


def _rule(rules: RuleSet, name: str) -> Rule | None:
    return next((rule for rule in rules.rules if rule.name == name), None)


@dataclass
class _Without:
    """`classes` are in force where the rule stands; those of the author, `own`, are written by their names again. With
    an `only` one place, by its number among those of the words, is dropped; `passed` counts them."""

    dropped: frozenset[str]
    classes: Mapping[str, Node]
    own: Mapping[str, Node]
    only: int | None = None
    passed: int = 0

    def of(self, node: Node) -> Node | None:
        """What is left; None for nothing."""
        if isinstance(node, Word | WordPattern | Lemma | CaseWord):
            return self._of_word(node)
        if isinstance(node, ClassReference):
            return self._of_class(node)
        if isinstance(node, Concat):
            parts = [self.of(part) for part in node.parts]
            kept: list[Node] = [part for part in parts if part is not None and part != Empty()]
            return None if None in parts else concat(kept)
        if isinstance(node, Choice):
            options = [left for option in node.options if (left := self._of_option(option)) is not None]
            return choice(options) if options else None
        if isinstance(node, Repeat):
            inner = self.of(node.inner)
            if inner is None:
                return None if node.least else Empty()
            return Repeat(inner, node.least, node.most)
        return self._of_marked(node)

    def _of_option(self, option: Node) -> Node | None:
        """An alternative, which may be dropped as a whole, by its text."""
        if isinstance(option, Word) or self.dropped.isdisjoint(_texts_of(option, self.classes)):
            return self.of(option)
        self.passed += 1
        return self.of(option) if self.only not in (None, self.passed - 1) else None

    def _of_word(self, node: Word | WordPattern | Lemma | CaseWord) -> Node | None:
        if node.text not in self.dropped:
            return node
        self.passed += 1
        return node if self.only not in (None, self.passed - 1) else None

    def _of_marked(self, node: Node) -> Node | None:
        if isinstance(node, Capture):
            inner = self.of(node.inner)
            return None if inner is None else Capture(inner, node.slot)
        if isinstance(node, Tagged):
            inner = self.of(node.inner)
            return None if inner is None else Tagged(inner, node.tag)
        if isinstance(node, ButNot):
            inner = self.of(node.inner)
            return None if inner is None else ButNot(inner, node.excluded)
        return node

    def _of_class(self, node: ClassReference) -> Node | None:
        """The class where it keeps all of its words, else those that it keeps."""
        tree = self.classes.get(node.name)
        if tree is None:
            return node
        left = self.of(tree)
        return node if left == tree else None if left is None else with_own_classes(left, self.own)
