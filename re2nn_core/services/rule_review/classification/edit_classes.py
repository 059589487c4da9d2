"""Learned words that belong together, offered as one word class with a name: words that are alike, and the classes of
many words that a reconstruction has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from re2nn_core.reconstruction.classification.learned_edits import EditPlace, LearnedEdit, replaced_at
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Choice, ClassReference, Node, Tagged, Word, choice, class_names
from re2nn_core.services.rule_review.changed_rule import WRITTEN_OUT
from re2nn_core.text.word_groups import NOTHING_KNOWN, Kind, WordKnowledge, word_groups

LEAST = 3  # words of a class
_NAMED = {Kind.SHAPE: "{}", Kind.LIST: "{}", Kind.LIKE: "{}_like"}


@dataclass(frozen=True)
class EditClass:
    """A word class that comes with an edit: its name, its words and phrases, and the rule that reads it at the edit's
    place."""

    name: str
    words: tuple[str, ...]
    tree: Node
    members: Node
    note: str = ""

    def put_into(self, ruleset: RuleSet, rule: Rule, changed: Rule) -> RuleSet:
        """The rules with the class above the changed rule."""
        own = WordClass(self.name, self.members, note=self.note)
        entries = (part for entry in ruleset.entries for part in ((own, changed) if entry is rule else (entry,)))
        return RuleSet(tuple(entries))


@dataclass(frozen=True)
class WordsKnown:
    """What is known of the words of a rule set: which are alike, the names of classes that are taken, the `learned`
    classes of many words, and whether it is `proved` that a form of the rule lets in what is learned, and nothing
    else."""

    words: WordKnowledge = NOTHING_KNOWN
    taken: Collection[str] = ()
    learned: Collection[WordClass] = ()
    proved: Callable[[Node], bool] = lambda _: False


def learned_classes(learned: RuleSet, name: str, now: RuleSet) -> tuple[WordClass, ...]:
    """The classes of many words that a reconstructed rule names and the rules do not have `now`."""
    rule = next(one for one in learned.rules if one.name == name)
    known = {entry.name: entry.tree for entry in now.entries if isinstance(entry, WordClass)}
    own, named = classes_for(learned, rule), set(class_names(rule.tree))
    classes = (entry for entry in learned.entries if isinstance(entry, WordClass) and entry.name in named)
    return tuple(
        one
        for one in classes
        if known.get(one.name) != one.tree == own.get(one.name)
        and isinstance(one.tree, Choice)
        and len(one.tree.options) > WRITTEN_OUT
    )


def edit_classes(edit: LearnedEdit, place: EditPlace, rule: Rule, known: WordsKnown) -> Iterator[EditClass]:
    """The groups of similar words among those that an edit adds, each as a class; nothing where the words are not
    proved together, or where each has a tag of its own."""
    if edit.kind != "add" or not edit.together or isinstance(place.mark, Tagged):
        return
    for group in word_groups(edit.words, known.words):
        if group.kind in _NAMED and len(group.words) >= LEAST:
            name = _free(re.sub(r"\W+", "_", _NAMED[group.kind].format(group.name.lower())).strip("_"), known.taken)
            tree = replaced_at(rule.tree, place.path, choice([place.node, ClassReference(name)]))
            members = choice([Word(word) for word in sorted(group.words)])
            yield EditClass(name, tuple(sorted(group.words)), tree, members)


def edits_by_learned_class(edit: LearnedEdit, place: EditPlace, rule: Rule, known: WordsKnown) -> Iterator[EditClass]:
    """The learned classes all of whose words an edit adds, where that is proved of their phrases too."""
    if edit.kind != "add" or isinstance(place.mark, Tagged):
        return
    for one in known.learned:
        options = one.tree.options if isinstance(one.tree, Choice) else ()
        words = {option.text for option in options if isinstance(option, Word)}
        if not words <= set(edit.words):
            continue
        if known.proved(replaced_at(rule.tree, place.path, choice([place.node, *options]))):
            name = _free(one.name, known.taken)
            tree = replaced_at(rule.tree, place.path, choice([place.node, ClassReference(name)]))
            yield EditClass(name, tuple(map(print_expression, options)), tree, one.tree, one.note)


def _free(name: str, taken: Collection[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
