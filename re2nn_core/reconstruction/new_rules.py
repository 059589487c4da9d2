"""Mined phrases as rules, one a label, and the label logic in which they come before the rules that were there.

    label = new rule of the label  |  no new rule of another label  &  the formula so far

Phrases that differ in one word share a class of words: `what city`, `what country`, ... become `what @...@`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from re2nn_core.reconstruction.mine import SaidFor
from re2nn_core.reconstruction.phrases import ONE, SOME, START, Phrase, phrase_node
from re2nn_core.reconstruction.rebuild import LONG
from re2nn_core.rules.first import answering_first
from re2nn_core.rules.formulas import Fact
from re2nn_core.rules.logic import LabelLogic
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Any, ClassReference, Node, Repeat, Word, choice, concat

LEAST_SHARED = 3  # so many phrases that differ in one word are worth a class
_OPEN = "\x03"  # the place of that word
_ANYTHING = Repeat(Any(), 0, None)
_SIGNS = frozenset((START, ONE, SOME))


def with_new_rules(ruleset: RuleSet, logic: LabelLogic, said: Sequence[SaidFor]) -> tuple[RuleSet, LabelLogic]:
    """Rules and logic with one new rule for each label that a phrase is said for, behind the label's other rules."""
    taken = {entry.name for entry in ruleset.entries}
    made: dict[str, list[Rule | WordClass]] = {}
    for number, label in enumerate(logic.labels):
        if phrases := [one.phrase for one in said if one.label == number]:
            made[label] = _entries(label, phrases, taken)
    entries: list[Rule | WordClass] = []
    last = {rule.label: rule.name for rule in ruleset.rules}
    for entry in ruleset.entries:
        entries.append(entry)
        if isinstance(entry, Rule) and last[entry.label] == entry.name:
            entries += made.get(entry.label, [])
    entries += (entry for label in made if label not in last for entry in made[label])
    names = {label: new[-1].name for label, new in made.items()}
    return RuleSet(tuple(entries)), answering_first(logic, {label: Fact(name) for label, name in names.items()})


def _entries(label: str, phrases: Sequence[Phrase], taken: set[str]) -> list[Rule | WordClass]:
    """The new rule of a label with the classes that stand before it."""
    stem = re.sub(r"[^\w.+\-/]+", "_", label)
    name = _free(f"{stem}.new", taken)
    class_stem = re.sub(r"[^\w.\-]", "_", name)
    classes: list[WordClass] = []

    def words_node(words: Sequence[str]) -> Node:
        node = choice([Word(word) for word in words])
        if len(words) <= LONG:
            return node
        classes.append(WordClass(_free(f"{class_stem}.words{len(classes) + 1}", taken), node))
        return ClassReference(classes[-1].name)

    options = [_filled(pattern, words_node(words)) for pattern, words in shared_patterns(phrases)]
    tree = concat([_ANYTHING, choice(options), _ANYTHING])
    # `expanded` is made anew when the text is read; the tree stands in for it here.
    return [*classes, Rule(name, label, tree, tree, note="mined from train texts")]


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken; it is taken then."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{number}"
    taken.add(found)
    return found


def _filled(pattern: Phrase, words: Node) -> Node:
    return concat([words if part == _OPEN else phrase_node((part,)) for part in pattern])


def shared_patterns(phrases: Iterable[Phrase]) -> list[tuple[Phrase, tuple[str, ...]]]:
    """Every phrase once: patterns with one open place, and the words that stand there. The pattern that most of the
    phrases left share goes first; a phrase that shares none has its last word there."""
    left = dict.fromkeys(phrases)
    found: list[tuple[Phrase, tuple[str, ...]]] = []
    while left:
        sharing: dict[Phrase, list[str]] = {}
        for phrase in left:
            for place, part in enumerate(phrase):
                if part not in _SIGNS:
                    sharing.setdefault((*phrase[:place], _OPEN, *phrase[place + 1 :]), []).append(part)
        pattern = max(sharing, key=lambda one: len(sharing[one]))
        if len(sharing[pattern]) < LEAST_SHARED:
            break
        words = tuple(sorted(sharing[pattern]))
        found.append((pattern, words))
        for word in words:
            del left[tuple(word if part == _OPEN else part for part in pattern)]
    for phrase in sorted(left):
        place = max(place for place, part in enumerate(phrase) if part not in _SIGNS)
        found.append(((*phrase[:place], _OPEN, *phrase[place + 1 :]), (phrase[place],)))
    return found
