"""Rules proposed for labels of whole texts at any time, for all labels or one: from texts that the rules get wrong.

Phrases are made and evaluated on labelled texts outside of dev and test, out-of-fold (proposals/label_search.py); what
is shown of a proposal is what its rule does when it runs, on every labelled text, with the project's label logic.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.files import read_toml
from re2nn_core.proposals.grouping import ProposedRule, grouped
from re2nn_core.proposals.label_order import label_order, winning_labels
from re2nn_core.proposals.label_search import FoundPhrase, SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import PhraseTable, find_phrase_table
from re2nn_core.proposals.phrases import words_of_phrase
from re2nn_core.proposals.priority_search import best_default, search_priorities
from re2nn_core.proposals.rare_phrases import search_rare
from re2nn_core.rules.added_lines import free_name, with_rules_added
from re2nn_core.rules.logic.logic_text import with_items
from re2nn_core.rules.logic.unused_rules import with_rule_in_formula
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.text.counting import counted

MOST = 10
PHRASES_EACH = 4  # phrases looked for, of each rule that is shown
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class NewRule:
    """A rule that could be added."""

    label: str
    name: str
    tree: Node

    @property
    def expression(self) -> str:
        return print_expression(self.tree)


@dataclass(frozen=True, eq=False)
class Proposal(NewRule):
    """A rule that could be added. `fixed_unseen` and `broken_unseen` are labelled texts that it was not made from,
    `fixed_guessed` and `broken_guessed` such texts with a guessed label; `fixed` and `broken` the places of all
    labelled texts whose label becomes right or wrong with it; of the labelled texts that it matches, `correct` of
    `matches` carry its label."""

    fixed_unseen: int
    broken_unseen: int
    fixed_guessed: int
    broken_guessed: int
    fixed: Integers
    broken: Integers
    correct: int
    matches: int

    @property
    def gain(self) -> int:
        """Texts fixed out-of-fold, less those broken; with a guessed label too."""
        return self.fixed_unseen + self.fixed_guessed - self.broken_unseen - self.broken_guessed


def propose(
    bench: TextBench,
    analysis: Analysis,
    material: Material,
    *,
    label: str | None = None,
    most: int = MOST,
    chosen: Collection[int] = (),
    words: Collection[str] = (),
    words_alone: bool = False,
) -> tuple[Proposal, ...]:
    """At most so many rules, the one that gains most on unseen texts first; for one label if it is given, and of
    phrases that fix one of the texts at the `chosen` places, and have one of the `words`, if there are some.
    `words_alone`: of single words, which takes a fraction of the time. Where few are found, rules of phrases that a
    single text has follow, if such hold. Empty where no phrase holds on texts that it was not made from. InputError
    where there is no text to make them from, or no such label."""
    material.refuse_nothing(label, analysis.labels)
    order = label_order(analysis.system.logic, (*analysis.labels, *material.labels))
    material = material.beyond_rules(_texts(analysis, material))
    places, texts = material.texts(order, analysis.label_holds)
    sentences = [bench.sentences[place] for place in places]
    table = find_phrase_table(sentences, words_alone=words_alone)
    table = table.with_words(words) if words else table
    wanted = None if label is None else texts.order.number(label)
    rows = np.isin(places, np.asarray(list(chosen), dtype=np.int64)) if chosen else None
    if rows is not None and not rows.any():
        raise InputError("The selected texts are of dev or test, which only evaluate.\nSelect other texts.")
    each, together = (1, most) if words_alone else (PHRASES_EACH, 1)
    found = list(search_phrases(table, texts, most=each * most, label=wanted, together=together, chosen=rows))
    taken = {entry.name for entry in analysis.system.ruleset.entries}
    rules = list(grouped(found))
    if len(rules) < most and not (words_alone or chosen or material.guessed):
        rules += [one for one in _of_rare(sentences, texts, table, found) if one.label == wanted or label is None]
    rules = rules[:most]
    named = [new_rule(rule, texts.order.labels[rule.label], taken) for rule in rules]
    matched = bench.matched([Rule(one.name, one.label, one.tree, one.tree) for one in named])  # [texts, rules]
    found_with = zip(rules, named, matched.T, strict=True)
    return tuple(_proposal(rule, one, column, analysis) for rule, one, column in found_with)


def _of_rare(
    sentences: Sequence[Sequence[str]], texts: SearchedTexts, table: PhraseTable, found: Sequence[FoundPhrase]
) -> list[ProposedRule]:
    """Rules of phrases that a single text has, in addition to those found, where they gain for a label."""
    holds = texts.holds.copy()
    for one in found:
        holds[table.texts_of(one.number), one.label] = True
    return [one for one in search_rare(sentences, texts, replace(texts, holds=holds)) if one.gain > 0]


def new_rule(rule: ProposedRule, label: str, taken: set[str]) -> NewRule:
    """The rule under a name of its words, which is taken from then on."""
    name = free_name(words_of_phrase(rule.phrases[0]), taken)
    taken.add(name)
    return NewRule(label, name, rule.tree)


@dataclass(frozen=True)
class DefaultLabel:
    """A label for texts that no rule matches; `fixed` labelled texts would get their label by it."""

    label: str
    fixed: int
    of: int  # labelled texts without a prediction

    @property
    def gain(self) -> int:
        """Texts fixed; none of them had a prediction to lose."""
        return self.fixed

    @property
    def incorrect(self) -> int:
        """Labelled texts that would get an incorrect prediction in place of none."""
        return self.of - self.fixed

    @property
    def reach(self) -> str:
        """Which texts get it, in words; what it fixes stands in front."""
        others = f", incorrect for the other {self.incorrect:,}" if self.incorrect else ""
        return f"of {counted(self.of, 'labelled text')} that no rule matches{others}"


def propose_default(analysis: Analysis, material: Material) -> DefaultLabel | None:
    """The default label that would fix most; None where there is one, or it would fix a single text."""
    texts = _texts(analysis, material)
    found = best_default(texts)
    return None if found is None else DefaultLabel(texts.order.labels[found[0]], found[1], found[2])


def with_default_label(logic_text: str, label: str) -> str:
    """Label logic with a default label, which it did not have."""
    head = f"default = {json.dumps(label, ensure_ascii=False)}\n"
    return head + with_listed_labels(logic_text, [label])


def with_listed_labels(logic_text: str, labels: Iterable[str]) -> str:
    """Label logic whose list of labels, where it has one, has these too."""
    listed = read_toml(logic_text).get("labels")
    missing = [label for label in dict.fromkeys(labels) if listed and label not in listed]
    return with_items(logic_text, "labels", missing) if missing else logic_text


@dataclass(frozen=True)
class Priority:
    """That one label wins over another where both match; texts that it fixed and broke when it was taken."""

    stronger: str
    weaker: str
    fixed: int
    broken: int

    @property
    def gain(self) -> int:
        """Texts fixed less those broken."""
        return self.fixed - self.broken

    def __str__(self) -> str:
        return f"{self.stronger} > {self.weaker}"


def propose_priorities(analysis: Analysis, material: Material, *, most: int = MOST) -> tuple[Priority, ...]:
    """Priorities between labels that match the same texts, the one that gains most first."""
    return priorities_of(_texts(analysis, material), most=most)


def priorities_of(texts: SearchedTexts, *, most: int) -> tuple[Priority, ...]:
    """The same on these texts."""
    names = texts.order.labels
    found = search_priorities(texts, most=most)
    return tuple(Priority(names[one.stronger], names[one.weaker], one.fixed, one.broken) for one in found)


def add_priorities(logic_text: str, priorities: Iterable[Priority]) -> str:
    """Label logic with these priorities behind its own."""
    items = [str(one) for one in priorities]
    return with_items(logic_text, "priorities", items) if items else logic_text


def _texts(analysis: Analysis, material: Material) -> SearchedTexts:
    """The labelled texts that proposals are made from, by numbers."""
    order = label_order(analysis.system.logic, (*analysis.labels, *material.labels))
    return material.without_guesses().texts(order, analysis.label_holds)[1]


def _proposal(rule: ProposedRule, new: NewRule, matched: NDArray[np.bool_], analysis: Analysis) -> Proposal:
    """The rule with what it does; `matched` [texts]: whether it accepts each."""
    order = label_order(analysis.system.logic, analysis.labels)
    number = order.number(new.label)
    holds = analysis.label_holds.copy()
    holds[matched, number] = True
    known = analysis.gold >= 0
    right = known & (winning_labels(order, holds) == analysis.gold)
    return Proposal(
        label=new.label,
        name=new.name,
        tree=new.tree,
        fixed_unseen=rule.fixed - rule.guessed_fixed,
        broken_unseen=rule.broken - rule.guessed_broken,
        fixed_guessed=rule.guessed_fixed,
        broken_guessed=rule.guessed_broken,
        fixed=np.flatnonzero(right & ~analysis.correct),
        broken=np.flatnonzero(analysis.correct & ~right),
        correct=int((matched & (analysis.gold == number)).sum()),
        matches=int((matched & known).sum()),
    )


def with_proposals(system: RuleSystem, proposals: Sequence[NewRule], *, comment: str = "") -> tuple[str, str]:
    """Rules and label logic with the proposed rules, each with the comment. Where the logic has a formula for a label,
    its rule is one more way to it."""
    rules = [(one.label, one.name, one.tree) for one in proposals]
    rules_text = with_rules_added(system.rules_text, system.ruleset, rules, comment=comment)
    logic_text = system.logic_text
    logic_text = with_listed_labels(logic_text, [one.label for one in proposals])
    for proposal in proposals:
        # Its figures are of a rule that nothing vetoes.
        logic_text = with_rule_in_formula(logic_text, proposal.name, proposal.label, vetoed=False)
    return rules_text, logic_text
