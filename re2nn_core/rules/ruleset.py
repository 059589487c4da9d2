"""A rule set: named rules and word classes in file order, with the label of each rule."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from re2nn_core.rules.source import Written
from re2nn_core.rules.tree import (
    CaseWord,
    ClassReference,
    Lemma,
    Node,
    Word,
    WordList,
    WordPattern,
    case_node,
    into_exceptions,
    lemma_node,
    named_words,
    patterns_in,
    rebuild,
)
from re2nn_core.rules.word_lists.expansion import expanded_list
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.word_form import word_form
from re2nn_core.text.word_patterns.classes import class_words, is_class_word
from re2nn_core.text.word_patterns.notation import folded


@dataclass(frozen=True)
class WordClass:
    """`@name@=( ... )`: valid for the rules below it, until a class of the same name is defined again. `note` is the
    comment written behind it."""

    name: str
    tree: Node
    line: int = 0
    note: str = ""
    written: Written | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Rule:
    """One rule. `tree` is what was written; `expanded` has its classes put in and its words folded to lower
    case where the texts are. `line` counts from 1, 0 where the rule comes from no file. `note` is the
    comment written behind it. `written` is the place in its file, None where it comes from none."""

    name: str
    label: str
    tree: Node
    expanded: Node
    line: int = 0
    note: str = ""
    written: Written | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class RuleSet:
    """Rules and word classes in file order; rule names are distinct. `cased`: the spellings that the rules of a file
    tell from others though case is ignored; with them its texts are tokenized (`tokenization_for`)."""

    entries: tuple[Rule | WordClass, ...]
    cased: frozenset[str] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        names = [rule.name for rule in self.rules]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"rule names must be distinct (got {twice!r} twice)")

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Rule))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Labels in the order of their first rule."""
        return tuple(dict.fromkeys(rule.label for rule in self.rules))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that some rule names, classes put in; class words for what they ask of letters."""
        named = frozenset[str]().union(*(named_words(rule.expanded) for rule in self.rules))
        plain = frozenset(word for word in named if not is_class_word(word))
        return plain.union(class_words(self.patterns))

    @cached_property
    def patterns(self) -> frozenset[str]:
        """What the rules ask of the letters of words, as they write it."""
        return frozenset[str]().union(*(patterns_in(rule.expanded) for rule in self.rules))

    def of_label(self, label: str) -> tuple[Rule, ...]:
        """The rules of one label, in file order."""
        return tuple(rule for rule in self.rules if rule.label == label)


def tokenization_for(ruleset: RuleSet, tokenization: Tokenization) -> Tokenization:
    """The tokenization with which the rules read texts: the same, where they ask for no case."""
    return tokenization if ruleset.cased == tokenization.cased else replace(tokenization, cased=ruleset.cased)


def expand(tree: Node, classes: dict[str, Node], lowercase: bool) -> Node:
    """The tree with classes put in and, its words as texts give them. KeyError for an unknown class."""

    def leaf(node: Node) -> Node:
        if isinstance(node, ClassReference):
            return expand(classes[node.name], classes, lowercase)
        if isinstance(node, Word):
            return Word(word_form(node.text, lowercase=lowercase))
        if isinstance(node, WordPattern):
            return WordPattern(folded(node.text)) if lowercase else node
        if isinstance(node, Lemma):
            return lemma_node(node, lowercase=lowercase)
        if isinstance(node, CaseWord):
            return case_node(node, lowercase=lowercase)
        if isinstance(node, WordList):
            return expanded_list(node, lowercase=lowercase)
        return node

    return rebuild(tree, into_exceptions(leaf))
