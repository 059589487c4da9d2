"""Mined phrases as rules, one a label, and the label logic in which they come before the rules that were there.

    label = new rule of the label  |  no new rule of another label  &  the formula so far

Phrases that differ in one word share a class of words: `what city`, `what country`, ... become `what @...@`. The rule
is then made as short as its language allows, as rules that were read back are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from re2nn_core.automata.symbols import Symbol
from re2nn_core.proposals.phrases import ONE, SOME, START, Phrase, phrase_node
from re2nn_core.proposals.word_shapes import SHAPE
from re2nn_core.reconstruction.classification.mined_phrases import PhraseForLabel
from re2nn_core.reconstruction.classification.rule_text import NamedClasses, stem_of
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.reconstruction.expressions.factors import factored
from re2nn_core.reconstruction.expressions.simplify import BUDGET, simplified
from re2nn_core.reconstruction.weights.class_names import Describe, class_sets, class_words_by_counts, nothing_in_common
from re2nn_core.rules.logic.first import deciding_first
from re2nn_core.rules.logic.formulas import Fact
from re2nn_core.rules.logic.label_logic import LabelLogic
from re2nn_core.rules.rule_comments import MINED
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import Any, Node, Repeat, choice, class_names, concat

LEAST_SHARED = 3  # so many phrases that differ in one word are worth a class
_OPEN = "\x03"  # the place of that word
_ANYTHING = Repeat(Any(), 0, None)
_SIGNS = frozenset((START, ONE, SOME))


def with_new_rules(
    ruleset: RuleSet,
    logic: LabelLogic,
    labelled_phrases: Sequence[PhraseForLabel],
    *,
    describe: Describe = nothing_in_common,
    effort: int = BUDGET,
) -> tuple[RuleSet, LabelLogic]:
    """Rules and logic with one new rule for each label that a phrase is said for, behind the label's other rules.
    `labelled_phrases`: those that gain most in front. `describe`: what words have in common, for the comments of
    classes; `effort`: how long to look for a shorter form of each rule (`budget` of `simplified`)."""
    taken = {entry.name for entry in ruleset.entries}
    made: dict[str, list[Rule | WordClass]] = {}
    for number, label in enumerate(logic.labels):
        if phrases := [one.phrase for one in labelled_phrases if one.label == number]:
            made[label] = _entries(label, phrases, taken, describe, effort)
    entries: list[Rule | WordClass] = []
    last = {rule.label: rule.name for rule in ruleset.rules}
    for entry in ruleset.entries:
        entries.append(entry)
        if isinstance(entry, Rule) and last[entry.label] == entry.name:
            entries += made.get(entry.label, [])
    entries += (entry for label in made if label not in last for entry in made[label])
    names = {label: new[-1].name for label, new in made.items()}
    return RuleSet(tuple(entries)), deciding_first(logic, {label: Fact(name) for label, name in names.items()})


def _entries(
    label: str, phrases: Sequence[Phrase], taken: set[str], describe: Describe, effort: int
) -> list[Rule | WordClass]:
    """The new rule of a label with the classes that stand before it."""
    stem = re.sub(r"[^\w.+\-/]+", "_", label)
    name = _free(f"{stem}.new", taken)
    classes = NamedClasses()
    patterns = shared_patterns(phrases)
    options = [_filled(pattern, classes.node(frozenset(words)) if words else None) for pattern, words in patterns]
    tree = concat([_ANYTHING, choice(options), _ANYTHING])
    if effort:
        tree = simplified(factored(tree), classes.sets, budget=effort)
    # Phrases that gain more stand in front, so do their words.
    front = {word: -float(place) for place, phrase in reversed(list(enumerate(phrases))) for word in phrase}
    tree, made = classes.named(tree, stem_of(name), taken, class_words_by_counts(front, describe))
    # `expanded` is made anew when the text is read; the tree stands in for it here.
    return [*made, Rule(name, label, tree, tree, note=MINED)]


def shorter_mined(ruleset: RuleSet, *, effort: int = BUDGET) -> RuleSet:
    """The rule set with its mined rules as short as their language allows: those of a network that was made from them
    stand there as they were mined."""
    classes = class_sets(ruleset)
    return RuleSet(tuple(_shorter(entry, classes, effort) for entry in ruleset.entries))


def _shorter(entry: Rule | WordClass, classes: Mapping[str, frozenset[Symbol]], effort: int) -> Rule | WordClass:
    if not isinstance(entry, Rule) or entry.note != MINED:
        return entry
    named = set(class_names(entry.tree))
    if not named <= classes.keys():
        return entry
    tree = simplified(entry.tree, {name: classes[name] for name in named}, budget=effort)
    return replace(entry, tree=tree, expanded=tree) if size(tree) < size(entry.tree) else entry


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken; it is taken then."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{number}"
    taken.add(found)
    return found


def _filled(pattern: Phrase, words: Node | None) -> Node:
    return concat([words if words and part == _OPEN else phrase_node((part,)) for part in pattern])


def _is_word(part: str) -> bool:
    return part not in _SIGNS and not part.startswith(SHAPE)


def shared_patterns(phrases: Iterable[Phrase]) -> list[tuple[Phrase, tuple[str, ...]]]:
    """Every phrase once: patterns with one open place, and the words that stand there. The pattern that most of the
    phrases left share goes first; a phrase that shares none has its last word there."""
    left = dict.fromkeys(phrases)
    found: list[tuple[Phrase, tuple[str, ...]]] = []
    while left:
        sharing: dict[Phrase, list[str]] = {}
        for phrase in left:
            for place, part in enumerate(phrase):
                if _is_word(part):
                    sharing.setdefault((*phrase[:place], _OPEN, *phrase[place + 1 :]), []).append(part)
        pattern = max(sharing, key=lambda one: len(sharing[one]), default=())
        if len(sharing.get(pattern, ())) < LEAST_SHARED:
            break
        words = tuple(sorted(sharing[pattern]))
        found.append((pattern, words))
        for word in words:
            del left[tuple(word if part == _OPEN else part for part in pattern)]
    for phrase in sorted(left):
        open_places = [place for place, part in enumerate(phrase) if _is_word(part)]
        if not open_places:  # a shape of words
            found.append((phrase, ()))
            continue
        place = open_places[-1]
        found.append(((*phrase[:place], _OPEN, *phrase[place + 1 :]), (phrase[place],)))
    return found
