"""The reconstructed rule set as text: changed rules in the place of the written ones, long word sets as classes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import ANY, Complement, Symbol, symbol_order
from re2nn_core.automata.word_sets import united
from re2nn_core.errors import TooLongError
from re2nn_core.reconstruction.expressions.expression import depth, expression_of, node_of_symbol, size, symbols_node
from re2nn_core.reconstruction.expressions.shortest import shortest_expression_of
from re2nn_core.reconstruction.expressions.simplify import BUDGET, simplified
from re2nn_core.reconstruction.weights.class_names import DescribeWords, class_name, class_note, no_class_words
from re2nn_core.rules.logic.decisions import LabelLogic
from re2nn_core.rules.logic.formulas import And, Fact, Formula, Not, conjunction, disjunction
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import ClassReference, Node, choice, class_names, except_of, into_exceptions, rebuild
from re2nn_core.tensors.machines import Machines

LONG = 8  # an alternative of more words becomes a named class
READABLE_LEAVES = 200
READABLE_DEPTH = 20  # the parser refuses expressions nested deeper than MAX_NESTING


class NamedClasses:
    """The long word sets of one rule, under keys that no rule file can hold."""

    def __init__(self) -> None:
        self.sets: dict[str, frozenset[Symbol]] = {}
        self._keys: dict[frozenset[Symbol], str] = {}

    def node(self, symbols: frozenset[Symbol]) -> Node:
        """The alternatives, or a reference to a class of them where they are many."""
        if ANY in symbols:
            return symbols_node(symbols)
        symbols = united(symbols)
        left_out = next((s for s in symbols if isinstance(s, Complement) and s.base is ANY and len(s.but) > LONG), None)
        if left_out is not None:
            signs = sorted((s for s in left_out.but if not isinstance(s, str)), key=symbol_order)
            but = [self._reference(left_out.but.difference(signs)), *map(node_of_symbol, signs)]
            rest = symbols - {left_out}
            return choice([except_of(but), *([self.node(rest)] if rest else [])])
        return symbols_node(symbols) if len(symbols) <= LONG else self._reference(symbols)

    def _reference(self, symbols: frozenset[Symbol]) -> Node:
        key = self._keys.setdefault(symbols, f"#{len(self._keys)}")
        self.sets[key] = symbols
        return ClassReference(key)

    def named(
        self, tree: Node, stem: str, taken: set[str], describe_words: DescribeWords
    ) -> tuple[Node, list[WordClass]]:
        """The tree with names in the place of keys, and the classes of these names; `taken` names grow by them."""
        references: dict[Node, Node] = {}
        made: dict[str, frozenset[Symbol]] = {}
        classes = []
        for key in class_names(tree):
            symbols = self.sets[key]
            words = describe_words(symbols)
            name = class_name(stem, symbols, words, taken)
            classes.append(WordClass(name, symbols_node(symbols), note=class_note(symbols, words, made)))
            made[name] = symbols
            taken.add(name)
            references[ClassReference(key)] = ClassReference(name)
        return rebuild(tree, into_exceptions(lambda node: references.get(node, node))), classes


def can_be_written(dfa: PseudoDfa) -> bool:
    """Whether the machine accepts anything and its expression is short enough to read and to parse."""
    try:
        tree = expression_of(dfa, NamedClasses().node)
    except TooLongError:
        return False
    return tree is not None and size(tree) <= READABLE_LEAVES and depth(tree) <= READABLE_DEPTH


def rebuilt(
    ruleset: RuleSet,
    machines: Machines,
    changed: Mapping[str, PseudoDfa],
    describe_words: Mapping[str, DescribeWords] | None = None,
    *,
    effort: int = BUDGET,
) -> tuple[RuleSet, LabelLogic]:
    """Rules and logic in which the machines named in `changed` stand in their new form.

    Each must accept something. TooLongError names a rule that cannot be written. A machine that stood for several rules
    is written as one rule in the place of the first. `describe_words`: for such a machine, what to say of its word
    classes. `effort`: how long to look, in each rule, for parts that say nothing more (`budget` of `simplified`); 0:
    not at all.
    """
    describe_words = describe_words or {}
    removed = {rule for machine in machines.machines if machine.name in changed for rule in machine.rules}
    ruleset = _without_classes_of(ruleset, removed)
    taken = {entry.name for entry in ruleset.entries if isinstance(entry, WordClass)}
    replacement: dict[str, list[Rule | WordClass]] = {}
    new_name = {machine.name: machine.rules[0] for machine in machines.machines}
    for machine in machines.machines:
        if machine.name in changed:
            first = next(rule for rule in ruleset.rules if rule.name == machine.rules[0])
            replacement.update({rule: [] for rule in machine.rules})
            replacement[machine.rules[0]] = _entries(
                first, changed[machine.name], taken, describe_words.get(machine.name, no_class_words), effort=effort
            )
    kept = RuleSet(tuple(_replaced(ruleset.entries, replacement)))
    unchanged = {m.name: m.rules for m in machines.machines if m.name not in changed}
    return kept, _logic(machines.logic, new_name, unchanged)


def _without_classes_of(ruleset: RuleSet, removed: Collection[str]) -> RuleSet:
    """The rule set without the classes that are named after rules that go, where nothing else needs them."""
    kept = [entry.tree for entry in ruleset.entries if isinstance(entry, WordClass) or entry.name not in removed]
    used = {name for tree in kept for name in class_names(tree)}
    stems = tuple(f"{stem_of(rule)}." for rule in removed)
    return RuleSet(
        tuple(
            entry
            for entry in ruleset.entries
            if isinstance(entry, Rule) or entry.name in used or not entry.name.startswith(stems)
        )
    )


def stem_of(rule: str) -> str:
    """A rule's name as the beginning of a class name."""
    return re.sub(r"[^\w.\-]", "_", rule)


def _replaced(
    entries: Sequence[Rule | WordClass], replacement: Mapping[str, list[Rule | WordClass]]
) -> Iterator[Rule | WordClass]:
    for entry in entries:
        if isinstance(entry, Rule) and entry.name in replacement:
            yield from replacement[entry.name]
        else:
            yield entry


def _entries(
    rule: Rule, dfa: PseudoDfa, taken: set[str], describe_words: DescribeWords, *, effort: int
) -> list[Rule | WordClass]:
    classes = NamedClasses()
    try:
        tree = shortest_expression_of(dfa, classes.node)
    except TooLongError as error:
        raise TooLongError(error.states, error.why, rule.name) from None
    if tree is None:
        raise ValueError(f"the automaton of rule {rule.name!r} accepts nothing; keep the written rule instead")
    if effort:
        tree = simplified(tree, classes.sets, budget=effort)
    tree, made = classes.named(tree, stem_of(rule.name), taken, describe_words)
    # `expanded` is made anew when the text is read; the tree stands in for it here.
    return [*made, Rule(rule.name, rule.label, tree, tree, note=rule.note)]


def _logic(logic: LabelLogic, new_name: Mapping[str, str], unchanged: Mapping[str, tuple[str, ...]]) -> LabelLogic:
    """Label logic over rule names again."""

    def over_rules(formula: Formula) -> Formula:
        if isinstance(formula, Fact):
            if formula.rule in unchanged and len(unchanged[formula.rule]) > 1:
                return disjunction([Fact(rule) for rule in unchanged[formula.rule]])
            return Fact(new_name[formula.rule])
        if isinstance(formula, Not):
            return Not(over_rules(formula.inner))
        parts = [over_rules(part) for part in formula.parts]
        if isinstance(formula, And):
            return conjunction(parts)
        return disjunction(parts)

    formulas = tuple(over_rules(formula) for formula in logic.formulas)
    return LabelLogic(logic.labels, formulas, logic.priorities, logic.default)
