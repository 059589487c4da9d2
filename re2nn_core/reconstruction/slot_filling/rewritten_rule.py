"""A changed machine as a rule that is read back as exactly this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import PositionTransducer, minimal_of_positions, position_transducer
from re2nn_core.errors import StateBudgetError, TooLongError
from re2nn_core.reconstruction.classification.rule_text import READABLE_DEPTH, READABLE_LEAVES
from re2nn_core.reconstruction.expressions.expression import depth, size
from re2nn_core.reconstruction.expressions.same_tagged import WithTags, say_the_same
from re2nn_core.reconstruction.expressions.simplify import simplified_as
from re2nn_core.reconstruction.slot_filling.notation import Notation, Style, style_of
from re2nn_core.reconstruction.slot_filling.tagged_tree import SetKeys, eliminated, with_other_leaves
from re2nn_core.reconstruction.weights.class_names import DescribeWords, no_class_words
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.tagging import slots_of, tagged, tags_of_tree, with_slot_case
from re2nn_core.rules.tree import Capture, ClassReference, Node, Tagged, class_names, walk

STATES = 2_000  # of the minimal transducers that are compared


@dataclass(frozen=True)
class Rewritten:
    """A rule's new expression, and the classes that it needs in front of it."""

    tree: Node
    classes: tuple[WordClass, ...]

    @property
    def length(self) -> int:
        """How much there is to read."""
        return sum(len(print_expression(node)) for node in (self.tree, *(entry.tree for entry in self.classes)))


class Rewriter:
    """Writes the rules of a rule set anew. `known_slots`: how the data spell slots."""

    def __init__(self, ruleset: RuleSet, known_slots: Sequence[str], *, lowercase: bool) -> None:
        self.ruleset, self.known_slots, self.lowercase = ruleset, tuple(known_slots), lowercase
        self.taken = {entry.name for entry in ruleset.entries if isinstance(entry, WordClass)}
        self.in_force = dict(_classes_in_force(ruleset))

    def rewritten(
        self,
        rule: Rule,
        machine: PositionTransducer,
        describe_words: DescribeWords = no_class_words,
        *,
        effort: int = 0,
    ) -> Rewritten | None:
        """The rule in the form of a machine; None where that cannot be written for people to read. `describe_words`:
        what is known of the words of its classes; `effort`: how long to look for a shorter form (`budget` of
        `simplified`)."""
        try:
            wanted = minimal_of_positions(_plain(machine), STATES)
            for tree, style, keys in self._forms(rule, machine):
                found = self._noted(rule, tree, style, keys, describe_words)
                if readable(found) and minimal_of_positions(_plain(self._compiled(rule, found)), STATES) == wanted:
                    return self._shorter(rule, found, tree, style, keys, describe_words, effort) if effort else found
        except (StateBudgetError, TooLongError):
            pass
        return None

    def _shorter(
        self,
        rule: Rule,
        found: Rewritten,
        tree: Node,
        style: Style,
        keys: SetKeys,
        describe_words: DescribeWords,
        effort: int,
    ) -> Rewritten:
        """A shorter form of the same tagged language, proved on what it is read back as; else the one that there is."""
        notation = Notation(style, keys, slot_class_stem(rule.name), ())
        opened = {reference: meaning for meaning, reference in style.references.items()}
        gathered = notation.gathered(tree)
        for begun in dict.fromkeys((notation.parted(gathered), gathered)):
            less = simplified_as(begun, keys.sets, WithTags(begun, keys.sets, opened), budget=effort)
            shorter = self._noted(rule, less, style, keys, describe_words)
            if shorter.length >= found.length or not readable(shorter):
                continue
            if say_the_same(self.tagged_tree(rule, found), self.tagged_tree(rule, shorter)):
                return shorter
        return found

    def tagged_tree(self, rule: Rule, found: Rewritten) -> Node:
        """The parsed new expression, tagged."""
        classes = {**self.in_force[rule.name], **{entry.name: entry.tree for entry in found.classes}}
        return tagged(with_slot_case(expand(found.tree, classes, self.lowercase), self.known_slots))

    def _compiled(self, rule: Rule, found: Rewritten) -> PositionTransducer:
        return position_transducer(self.tagged_tree(rule, found), rule.name)

    def _forms(self, rule: Rule, machine: PositionTransducer) -> Iterable[tuple[Node, Style, SetKeys]]:
        """The written tree with other leaves, or what state elimination gives, tagged."""
        written = tagged(with_slot_case(rule.expanded, self.known_slots))
        style = self._style(rule, written)
        keys = SetKeys()
        compiled = position_transducer(written, rule.name)
        edited = with_other_leaves(written, compiled, machine, keys)
        if edited is not None:
            yield edited, style, keys
        keys = SetKeys()
        tree = eliminated(machine, keys)
        if tree is not None:
            yield tree, style, keys

    def _noted(self, rule: Rule, tree: Node, style: Style, keys: SetKeys, describe_words: DescribeWords) -> Rewritten:
        notation = Notation(style, keys, slot_class_stem(rule.name), sorted(self.taken), describe_words)
        written = notation.written(tree)
        named = class_names(written)
        return Rewritten(written, tuple(entry for entry in notation.made.values() if entry.name in named))

    def _style(self, rule: Rule, written: Node) -> Style:
        spelt = with_slot_case(rule.tree, self.known_slots)
        in_force = self.in_force[rule.name]
        classes = {name: expand(in_force[name], in_force, self.lowercase) for name in class_names(rule.tree)}
        captures = any(isinstance(node, Capture) for node in walk(spelt))
        return style_of(spelt, classes, _references(classes, written, captures))


def _plain(machine: PositionTransducer) -> PositionTransducer:
    """The machine without words at places that read any word."""
    symbols = tuple(frozenset({ANY}) if ANY in read else read for read in machine.automaton.symbols)
    return replace(machine, automaton=replace(machine.automaton, symbols=symbols))


def _references(classes: Mapping[str, Node], written: Node, captures: bool) -> dict[Node, Node]:
    """For each class as a slot's words, and with each tag: its tagged tree, and the reference it stands for."""
    found: dict[Node, Node] = {}
    for name, tree in classes.items():
        reference = ClassReference(name)
        for tag in dict.fromkeys([*tags_of_tree(written), "OO"]):
            found.setdefault(tagged(Tagged(tree, tag)), Tagged(reference, tag))
        for slot in slots_of([written]):
            # In a capture a class that begins it stands as the capture's first words.
            begun = Tagged(reference, f"B-{slot}" if captures else slot)
            found[tagged(Capture(tree, slot))] = begun
    return found


def _classes_in_force(ruleset: RuleSet) -> Iterable[tuple[str, dict[str, Node]]]:
    """(rule, the classes that it may name)."""
    classes: dict[str, Node] = {}
    for entry in ruleset.entries:
        if isinstance(entry, WordClass):
            classes = {**classes, entry.name: entry.tree}
        else:
            yield entry.name, classes


def readable(rule: Rewritten) -> bool:
    """Whether a rule is short enough to read and to parse."""
    return size(rule.tree) <= READABLE_LEAVES and depth(rule.tree) <= READABLE_DEPTH


def slot_class_stem(name: str) -> str:
    """A rule's name as the beginning of a class name."""
    return re.sub(r"[^\w.\-]", "_", name)


def with_rewritten_rules(ruleset: RuleSet, rewritten: Mapping[str, Rewritten]) -> RuleSet:
    """The rule set with some rules in their new form, each behind its classes."""
    entries: list[Rule | WordClass] = []
    for entry in ruleset.entries:
        if isinstance(entry, Rule) and entry.name in rewritten:
            new = rewritten[entry.name]
            # `expanded` is made anew when the text is read; the tree stands in for it here.
            entries += [*new.classes, Rule(entry.name, entry.label, new.tree, new.tree, note=entry.note)]
        else:
            entries.append(entry)
    return RuleSet(tuple(entries))
