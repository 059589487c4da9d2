"""Rules for texts that have no label: for groups of alike texts that no rule matches, and for texts that somebody has
selected. Each begins a new label, named after its words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.phrases import Phrase, words_of_phrase
from re2nn_core.proposals.text_groups import common_phrases, find_groups
from re2nn_core.rules.added_lines import free_name
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import HELD_OUT, folds_of
from re2nn_core.services.rule_writing.classification.proposals import MOST, NewRule
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis

Integers = NDArray[np.int64]
MOST_TEXTS = 20_000  # in which groups are looked for


@dataclass(frozen=True, eq=False)
class NewLabel(NewRule):
    """A rule for a new label: the places of the texts without a label that it matches and no rule does, `within` of
    them of its group, or of the `of` texts that are `selected`."""

    texts: Integers
    within: int
    of: int
    selected: bool = False


def propose_groups(
    bench: TextBench, analysis: Analysis, splits: Sequence[str | None], *, most: int = MOST
) -> tuple[NewLabel, ...]:
    """At most so many rules, each for a group of texts that no rule matches and that have no label.
    `splits` [texts]."""
    places = uncovered(analysis, splits)[:MOST_TEXTS]
    found = find_groups([bench.sentences[place] for place in places], folds_of(len(places)), most=most)
    names = _Names(analysis)
    return tuple(_new_label(names, rule.phrases, bench, places, rule.fixed, len(places)) for rule in found)


def propose_for_unlabelled(
    bench: TextBench,
    analysis: Analysis,
    chosen: Collection[int],
    splits: Sequence[str | None],
    *,
    words: Collection[str] = (),
    most: int = MOST,
) -> tuple[NewLabel, ...]:
    """At most so many rules for what chosen texts without a label have in common, with one of the `words` if there are
    some. InputError where rules match all of
    them, or they are of dev or test."""
    places = uncovered(analysis, splits)[:MOST_TEXTS]
    rows = np.flatnonzero(np.isin(places, np.asarray(list(chosen), dtype=np.int64)))
    if not len(rows):
        raise InputError(
            "Every selected text has a rule that matches it, or is of dev or test, which only evaluate.\n"
            "Select texts that no rule matches."
        )
    sentences = [bench.sentences[place] for place in places]
    names, found = _Names(analysis), []
    for phrase in common_phrases(sentences, rows, most=most):
        if words and {*words}.isdisjoint(phrase):
            continue
        one = _new_label(names, (phrase,), bench, places, 0, len(rows))
        within = int(np.isin(one.texts, places[rows]).sum())
        found.append(NewLabel(one.label, one.name, one.tree, one.texts, within, len(rows), selected=True))
    return tuple(found)


def uncovered(analysis: Analysis, splits: Sequence[str | None]) -> Integers:
    """[texts found]: the places of texts outside of dev and test that no rule matches and that have no label."""
    free = (analysis.gold < 0) & ~analysis.matched.any(axis=1)
    return np.asarray(
        [place for place in np.flatnonzero(free).tolist() if splits[place] not in HELD_OUT], dtype=np.int64
    )


class _Names:
    """Names of rules and labels that are not taken."""

    def __init__(self, analysis: Analysis) -> None:
        self.rules = {entry.name for entry in analysis.system.ruleset.entries}
        self.labels = set(analysis.labels)

    def free(self, phrase: Phrase) -> tuple[str, str]:
        """A label and a rule name of the phrase's words, which are taken from then on."""
        words = words_of_phrase(phrase)
        label, name = free_name(words, self.labels), free_name(words, self.rules)
        self.labels.add(label)
        self.rules.add(name)
        return label, name


def _new_label(
    names: _Names, phrases: Sequence[Phrase], bench: TextBench, places: Integers, within: int, of: int
) -> NewLabel:
    label, name = names.free(phrases[0])
    tree = anywhere(phrases)
    matched = bench.matched([Rule(name, label, tree, tree)])[:, 0]
    return NewLabel(label, name, tree, places[matched[places]], within, of)
