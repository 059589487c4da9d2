"""The words of word classes, and rules with more words in one of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from re2nn_core.errors import NotFoundError
from re2nn_core.rules.printer import class_definition
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.rules.source import split_lines
from re2nn_core.rules.tree import Choice, Node, Word, WordList, choice
from re2nn_core.rules.word_lists.definition import ListName
from re2nn_core.services.rule_writing.word_lists import with_list
from re2nn_core.text.kinds import spelling
from re2nn_core.text.like_words import is_like


def classes_of_words(ruleset: RuleSet) -> dict[str, tuple[str, ...]]:
    """The single words that each class lists itself; classes without any, and those of like words, are left out."""
    found = {}
    for entry in ruleset.entries:
        if isinstance(entry, WordClass) and not is_like(entry.name) and (words := _words(entry.tree)):
            found[entry.name] = words
    return found


def _words(tree: Node) -> tuple[str, ...]:
    if isinstance(tree, WordList):
        return tuple(entry for entry in tree.entries if " " not in entry)
    options = tree.options if isinstance(tree, Choice) else (tree,)
    return tuple(option.text for option in options if isinstance(option, Word))


def with_class_words(rules_text: str, name: str, words: Collection[str], *, lowercase: bool) -> str:
    """The rules with words added to a class, the rest of the file as it was. NotFoundError for a class that the rules
    do not define; RuleError for rules that cannot be read."""
    ruleset = read_rules(rules_text, lowercase=lowercase).ruleset
    defined = [entry for entry in ruleset.entries if isinstance(entry, WordClass) and entry.name == name]
    if not defined or defined[-1].written is None:
        raise NotFoundError(f"The rules have no class '@{name}@'. Define it: @{name}@=( a | b ).")
    entry, line = defined[-1], defined[-1].written.line
    if isinstance(entry.tree, WordList):
        entries = tuple(dict.fromkeys((*entry.tree.entries, *map(spelling, words))))
        return with_list(rules_text, ListName(entry.tree.path, entry.tree.column), entries)
    tree = choice([entry.tree, *map(Word, words)])
    lines = split_lines(rules_text)
    first = line.number - 1
    return "\n".join([*lines[:first], class_definition(name, tree, entry.note), *lines[first + len(line.sources) :]])


def first_text_with(word: str, sentences: Sequence[Sequence[str]], texts: Sequence[str]) -> str:
    """The first text that has a word; empty for none."""
    return next((text for sentence, text in zip(sentences, texts, strict=True) if word in sentence), "")
