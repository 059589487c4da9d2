"""A rule that is proposed for a slot, or values for a word class that a rule for it has, and rules with it in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import wrapped
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Choice,
    ClassReference,
    Except,
    Node,
    Repeat,
    Word,
    WordList,
    choice,
    concat,
    walk,
)
from re2nn_core.text.spans import Span

Located = tuple[int, Span]  # a span, behind the place of its text
_NO_NAME = re.compile(r"[^\w\-]+")
_ANYTHING = Repeat(Any(), 0, None)


@dataclass(frozen=True, eq=False)
class SlotProposal:
    """A rule that could be added, with the word classes that it needs; or, where it `extends` a class, values that
    could be `added` to it, and the rule that has it. `fixed_unseen` and `broken_unseen` are spans that it was not made
    from: annotated ones that are given, and annotated ones that are lost or incorrect ones that are given;
    `fixed_guessed` and `broken_guessed` the same for texts with guessed spans. `fixed` and `broken` are all of them, by
    the place of their text, where the rule runs with those of the project; of the spans that it gives alone in
    annotated texts, `correct` of `matches` are annotated."""

    name: str
    slot: str
    tree: Node
    classes: Mapping[str, Node]
    fixed_unseen: int
    broken_unseen: int
    fixed_guessed: int = 0
    broken_guessed: int = 0
    fixed: tuple[Located, ...] = ()
    broken: tuple[Located, ...] = ()
    correct: int = 0
    matches: int = 0
    extends: str | None = None
    added: tuple[Node, ...] = ()

    @property
    def gain(self) -> int:
        """Spans fixed out-of-fold, less those broken; with guessed spans too."""
        return self.fixed_unseen + self.fixed_guessed - self.broken_unseen - self.broken_guessed

    @property
    def expression(self) -> str:
        return print_expression(self.tree)

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are added to a class, as text."""
        return tuple(map(print_expression, self.added))

    @property
    def alternatives_shown(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The name of each word class, and its alternatives as text; those that are added to it."""
        if self.extends is not None:
            return ((self.extends, self.values),)
        return tuple((name, tuple(map(print_expression, alternatives_of(tree)))) for name, tree in self.classes.items())

    def names(self, words: Collection[str], defined: Mapping[str, Node]) -> bool:
        """Whether the rule, one of its word classes, or what it adds to a class has one of the words; `defined`: the
        classes of the rules."""
        own = [defined[name] for name in classes_in(self.tree) if name in defined] if self.extends is None else []
        parts = (part for tree in (self.tree, *self.classes.values(), *self.added, *own) for part in walk(tree))
        return any(isinstance(part, Word) and part.text in words for part in parts)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are added to the rules; of an extended class the values, behind a comment sign."""
        if self.extends is not None:
            return tuple(f"// {line}" for line in wrapped(f"@{self.extends}@ also: {' | '.join(self.values)}"))
        return self.lines_without(())

    def lines_without(self, defined: Container[str]) -> tuple[str, ...]:
        """The same without word classes that are defined already."""
        classes = [(name, tree) for name, tree in self.classes.items() if name not in defined]
        lines = [line for name, tree in classes for line in wrapped(_class_line(name, tree))]
        return (*lines, *wrapped(f"{self.name} := {self.expression}"))


def _class_line(name: str, tree: Node) -> str:
    return f"@{name}@=( {print_expression(tree)} )"


def free_class_name(wanted: str, taken: Container[str]) -> str:
    """A name for a class or a rule that no rule and no class has."""
    stem = _NO_NAME.sub("_", wanted).strip("_") or "proposed"
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def classes_in(tree: Node) -> tuple[str, ...]:
    """The word classes that an expression names."""
    members = (node for part in walk(tree) for node in (part.members if isinstance(part, Except) else (part,)))
    return tuple(dict.fromkeys(node.name for node in members if isinstance(node, ClassReference)))


def alternatives_of(tree: Node) -> tuple[Node, ...]:
    """The alternatives of an expression, itself where it has none."""
    return tree.options if isinstance(tree, Choice) else (tree,)


def captured_alone(tree: Node) -> Capture | None:
    """The capture of a rule that has no context."""
    for part in walk(tree):
        if isinstance(part, Capture):
            return part if tree == concat([_ANYTHING, part, _ANYTHING]) else None
    return None


def class_to_extend(ruleset: RuleSet, slot: str, giving: Container[str]) -> tuple[Rule, str] | None:
    """A rule that gives every value of a word class to the slot, and that class, which no other rule or class has;
    among the rules that give a span."""
    used = [name for entry in ruleset.entries for name in classes_in(entry.tree)]
    defined = [entry.name for entry in ruleset.entries if isinstance(entry, WordClass)]
    lists = {entry.name for entry in ruleset.entries if isinstance(entry.tree, WordList)}
    for rule in ruleset.rules:
        capture = captured_alone(rule.tree)
        if (
            rule.name not in giving
            or capture is None
            or capture.slot != slot
            or not isinstance(capture.inner, ClassReference)
        ):
            continue
        name = capture.inner.name
        if used.count(name) == defined.count(name) == 1 and name not in lists:
            return rule, name
    return None


def with_slot_proposals(rules_text: str, proposals: Sequence[SlotProposal]) -> str:
    """The rules with the proposed values in their classes, and the proposed rules behind them, each behind the word
    classes that are not defined yet."""
    lines: list[str] = []
    defined: set[str] = set()
    for proposal in proposals:
        if proposal.extends is not None:
            rules_text = _with_values(rules_text, proposal.extends, proposal.added)
            continue
        lines += ["", *proposal.lines_without(defined)]
        defined |= proposal.classes.keys()
    head = rules_text.rstrip()
    return "\n".join([*([head] if head else []), *lines[0 if head else 1 :]]) + "\n" if lines else rules_text


def _with_values(rules_text: str, name: str, added: Sequence[Node]) -> str:
    """The rules with more values in a word class; all else stays as it was written."""
    classes = (one for one in read_rules(rules_text).ruleset.entries if isinstance(one, WordClass))
    entry = next(one for one in classes if one.name == name)
    line = next(line for line in logical_lines(rules_text) if line.number == entry.line)
    written = wrapped(_class_line(name, choice([*alternatives_of(entry.tree), *added])), entry.note)
    lines, begin = split_lines(rules_text), line.number - 1
    return "\n".join([*lines[:begin], *written, *lines[begin + len(line.sources) :]])
