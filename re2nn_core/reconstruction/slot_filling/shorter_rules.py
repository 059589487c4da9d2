"""Rules that nobody has written, made as short as their tagged language allows.

A capture tags its words by their places alone, the first B and the others I, so that phrases which are captured may be
written in any form that reads the same words: `11 march | 11 september` as `11 ( march | september )`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from re2nn_core.reconstruction.expressions.factors import factored
from re2nn_core.reconstruction.expressions.repeats import fold_repeats
from re2nn_core.reconstruction.expressions.same_tagged import say_the_same
from re2nn_core.reconstruction.expressions.simplify import simplified
from re2nn_core.reconstruction.slot_filling.new_rules import GrownRule
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Any, Capture, Choice, Concat, Node, Number, Punctuation, class_names, concat, walk

EFFORT = 3_000  # pairs of states, for making one class, or the phrases of one rule, shorter


def shorter_rules(rules: Sequence[GrownRule], *, lowercase: bool) -> list[GrownRule]:
    """The same rules in the same order, each with its classes and its phrases as short as they can be; a form is taken
    where all rules that need it are proved to say what they said."""
    before = {entry.name: entry.tree for rule in rules for entry in rule.classes}
    now = dict(before)
    for name, tree in before.items():
        tried = {**now, name: shorter(tree)}
        users = [rule for rule in rules if name in class_names(rule.tree)]
        if tried[name] != tree and all(
            say_the_same(_tagged(r.tree, before, lowercase), _tagged(r.tree, tried, lowercase)) for r in users
        ):
            now = tried
    return [_shorter_rule(rule, now, lowercase=lowercase) for rule in rules]


def _shorter_rule(rule: GrownRule, classes: Mapping[str, Node], *, lowercase: bool) -> GrownRule:
    """The rule with the phrases that it captures in another form, and its classes as they are now."""
    rule = replace(rule, classes=tuple(replace(entry, tree=classes[entry.name]) for entry in rule.classes))
    parts = rule.tree.parts if isinstance(rule.tree, Concat) else (rule.tree,)
    tree = concat([Capture(shorter(part.inner), part.slot) if isinstance(part, Capture) else part for part in parts])
    same = tree == rule.tree or not say_the_same(
        _tagged(rule.tree, classes, lowercase), _tagged(tree, classes, lowercase)
    )
    return rule if same else replace(rule, tree=tree)


def shorter(tree: Node) -> Node:
    """Phrases without classes as short as their language allows."""
    if not isinstance(tree, Choice):
        return tree
    # Of phrases of words alone each is needed; what they share is found without a proof.
    signs = any(isinstance(node, Number | Punctuation | Any) for node in walk(tree))
    found = simplified(tree, {}, budget=EFFORT) if signs else fold_repeats(factored(tree))
    return found if len(print_expression(found)) < len(print_expression(tree)) else tree


def _tagged(tree: Node, classes: Mapping[str, Node], lowercase: bool) -> Node:
    return tagged(expand(tree, dict(classes), lowercase))
