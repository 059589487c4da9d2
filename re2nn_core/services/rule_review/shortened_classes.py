"""An edited rule with the words that it keeps of a learned class as a class: a rule without one of 180 words does not
list the other 179."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from re2nn_core.rules.names import name_with_number
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Choice, ClassReference, Node, Word, choice, class_names
from re2nn_core.services.rule_reconstruction.written_form import with_parts_changed
from re2nn_core.services.rule_review.changed_rule import WRITTEN_OUT
from re2nn_core.text.joined_names import first_names

_NAMED = 3  # words that a comment lists
_COUNT = re.compile(r"_\d+$")


def with_shortened_classes(source: RuleSet, rule: Rule, edited: Node) -> tuple[Node, tuple[WordClass, ...]]:
    """The expression of an edited rule, and the classes that it needs besides those in force at `rule` of `source`: of
    each class of many words that this one names, many words that the edited one has as alternatives."""
    in_force = classes_for(source, rule)
    named = {entry.name: entry for entry in source.entries if isinstance(entry, WordClass)}
    many = [
        named[name]
        for name in class_names(rule.tree)
        if isinstance(tree := in_force.get(name), Choice) and len(tree.options) > WRITTEN_OUT
    ]
    made: dict[str, WordClass] = {}

    def gathered(node: Node) -> Node:
        if isinstance(node, Choice):
            for one in many:
                node = _gathered(node, one, in_force, made)
        return node

    return with_parts_changed(edited, gathered), tuple(made.values())


def _gathered(node: Node, whole: WordClass, in_force: Mapping[str, Node], made: dict[str, WordClass]) -> Node:
    """Alternatives with those of a class as one; `made` gets it where some of its words are not among them."""
    options = node.options if isinstance(node, Choice) else ()
    own = whole.tree.options if isinstance(whole.tree, Choice) else ()
    kept = [option for option in own if option in options]
    if len(kept) <= WRITTEN_OUT:
        return node
    name = whole.name
    if len(kept) < len(own):
        tree = choice(kept)
        known = {one.name for one in made.values() if one.tree == tree}
        name = next(iter(known), "") or name_with_number(_name(whole.name, own, kept), {*in_force, *made})
        made[name] = WordClass(name, tree, note=_note(whole, own, kept))
    first = min(options.index(option) for option in kept)
    before, behind = options[:first], [option for option in options[first:] if option not in kept]
    return choice([*before, ClassReference(name), *behind])


def _name(name: str, own: Collection[Node], kept: Sequence[Node]) -> str:
    """`city.bangkok_170` of `city.bangkok_171`; named after a word that is kept where that one is not."""
    stem = _COUNT.sub("", name)
    lead, dot, word = stem.rpartition(".")
    if Word(word) in own and Word(word) not in kept:
        words = (option.text for option in kept if isinstance(option, Word) and option.text.isalnum())
        stem = f"{lead}{dot}{next(words, word)}"
    return f"{stem}_{len(kept)}"


def _note(whole: WordClass, own: Sequence[Node], kept: Collection[Node]) -> str:
    """The comment of the class, with the words that it lacks."""
    removed = first_names([print_expression(option) for option in own if option not in kept], _NAMED)
    note = re.sub(rf"^{len(own)}\b", str(len(kept)), whole.note)
    return f"{note}; without {removed}" if note else f"without {removed}"
