"""Word classes of the rules that a proposed rule uses again, and the classes that it needs besides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from re2nn_core.proposals.slot_filling.rule_tree import FEW_VALUES
from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.rules.tree import ClassReference, Node, Word, WordList, choice, concat, walk
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import alternatives_of, free_class_name

NEARLY = (
    0.95  # of the words of a class that the texts have, to be among those of a slot; 0.8 costs SNIPS 3 points on dev
)


@dataclass(eq=False)
class NamedClasses:
    """The classes of the rules, and those that proposals have named since. `taken`: names of rules and classes;
    `known` by name: what each class of the rules lists and the texts have, where that is more than a few words."""

    taken: set[str]
    classes: dict[str, Node]
    known: Mapping[str, frozenset[Node]] = field(default_factory=dict)

    def name(self, wanted: str, options: Sequence[Node], whole: bool) -> tuple[Node, Mapping[str, Node]]:
        """What names the options in a rule, and the class that this needs and that was not there. A class of the rules
        that has nearly no word beside the options is used, with the options that it does not have next to it, unless
        exactly the options are meant (`whole`)."""
        name = self._equal(options)
        if name is not None:
            return ClassReference(name), {}
        near = None if whole else self._within(frozenset(options))
        if near is None:
            return self._new(wanted, options)
        own = frozenset(_listed(self.classes[near]))
        rest = [option for option in options if option not in own]
        if len(rest) <= FEW_VALUES:
            return choice([ClassReference(near), *rest]), {}
        other, new = self.name(wanted, rest, True)
        return choice([ClassReference(near), other]), new

    def _equal(self, options: Sequence[Node]) -> str | None:
        own = frozenset(options)
        return next((name for name, tree in self.classes.items() if own == frozenset(_listed(tree))), None)

    def _within(self, options: frozenset[Node]) -> str | None:
        """The class of the rules with most words among the options, of those that have nearly no other."""
        shared = {name: len(own & options) for name, own in self.known.items()}
        near = [name for name, own in self.known.items() if shared[name] >= NEARLY * len(own)]
        return max(near, key=lambda name: shared[name], default=None)

    def _new(self, wanted: str, options: Sequence[Node]) -> tuple[Node, Mapping[str, Node]]:
        name = free_class_name(wanted, self.taken | self.classes.keys())
        self.classes[name] = choice(list(options))
        return ClassReference(name), {name: self.classes[name]}


def named_classes(ruleset: RuleSet, words: Collection[str]) -> NamedClasses:
    """Those of the rules; `words`: all that the texts have."""
    classes = {entry.name: entry.tree for entry in ruleset.entries if isinstance(entry, WordClass)}
    there = set(words)
    known = {}
    for name, tree in classes.items():
        own = frozenset(one for one in _listed(tree) if _words(one) <= there)
        if len(own) > FEW_VALUES:
            known[name] = own
    return NamedClasses({entry.name for entry in ruleset.entries}, classes, known)


def _listed(tree: Node) -> Sequence[Node]:
    """What a class lists, of a word list its entries."""
    if isinstance(tree, WordList):
        return [concat([Word(word) for word in entry.split()]) for entry in tree.entries]
    return alternatives_of(tree)


def _words(tree: Node) -> set[str]:
    return {part.text for part in walk(tree) if isinstance(part, Word)}
