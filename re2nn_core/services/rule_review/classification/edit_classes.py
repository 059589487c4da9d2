"""Learned words that belong together, offered as one word class with a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from re2nn_core.reconstruction.classification.learned_edits import EditPlace, LearnedEdit, replaced_at
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import ClassReference, Node, Tagged, Word, choice
from re2nn_core.text.word_groups import NOTHING_KNOWN, Kind, WordKnowledge, word_groups

LEAST = 3  # words of a class
_NAMED = {Kind.SHAPE: "{}", Kind.LIST: "{}", Kind.LIKE: "{}_like"}


@dataclass(frozen=True)
class EditClass:
    """A word class that comes with an edit: its name, its words, and the rule that reads it at the edit's place."""

    name: str
    words: tuple[str, ...]
    tree: Node

    def put_into(self, ruleset: RuleSet, rule: Rule, changed: Rule) -> RuleSet:
        """The rules with the class above the changed rule."""
        own = WordClass(self.name, choice([Word(word) for word in self.words]))
        entries = (part for entry in ruleset.entries for part in ((own, changed) if entry is rule else (entry,)))
        return RuleSet(tuple(entries))


@dataclass(frozen=True)
class WordsKnown:
    """What is known of the words of a rule set: which are alike, and the names of classes that are taken."""

    words: WordKnowledge = NOTHING_KNOWN
    taken: Collection[str] = ()


def edit_classes(edit: LearnedEdit, place: EditPlace, rule: Rule, known: WordsKnown) -> Iterator[EditClass]:
    """The groups of similar words among those that an edit adds, each as a class; nothing where the words are not
    proved together, or where each has a tag of its own."""
    if edit.kind != "add" or not edit.together or isinstance(place.mark, Tagged):
        return
    for group in word_groups(edit.words, known.words):
        if group.kind in _NAMED and len(group.words) >= LEAST:
            name = _free(re.sub(r"\W+", "_", _NAMED[group.kind].format(group.name.lower())).strip("_"), known.taken)
            tree = replaced_at(rule.tree, place.path, choice([place.node, ClassReference(name)]))
            yield EditClass(name, tuple(sorted(group.words)), tree)


def _free(name: str, taken: Collection[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
