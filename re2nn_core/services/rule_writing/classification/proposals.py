"""Rules proposed for labels of whole texts at any time, for all labels or one: from texts that the rules get wrong.

Phrases are made and evaluated on labelled texts outside of dev and test, out-of-fold (proposals/label_search.py); what
is shown of a proposal is what its rule does when it runs, on every labelled text, with the project's label logic.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.files import read_toml
from re2nn_core.proposals.grouping import ProposedRule, grouped
from re2nn_core.proposals.label_order import label_order, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.proposals.phrases import ONE, SOME, START
from re2nn_core.proposals.priority_search import best_default, search_priorities
from re2nn_core.rules.added_lines import free_name, with_rule_added
from re2nn_core.rules.logic.logic_text import with_items, with_other_item
from re2nn_core.rules.names import LABEL
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.text.counting import counted

MOST = 10
FOLDS = 10
SEED = 0
_PHRASES_EACH = 4  # phrases looked for, of each rule that is shown
HELD_OUT = ("dev", "test")
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Proposal:
    """A rule that could be added. `fixed_unseen` and `broken_unseen` are texts that it was not made from; `fixed` and
    `broken` the places of all labelled texts whose label becomes right or wrong with it; of the labelled texts that it
    matches, `correct` of `matches` carry its label."""

    name: str
    label: str
    tree: Node
    fixed_unseen: int
    broken_unseen: int
    fixed: Integers
    broken: Integers
    correct: int
    matches: int

    @property
    def expression(self) -> str:
        return print_expression(self.tree)


@dataclass(frozen=True)
class Material:
    """The labelled texts that rules may be made from: their places among all texts."""

    places: tuple[int, ...]
    held_out: int  # labelled texts of dev and test, which only judge

    def refuse_nothing(self, label: str | None, analysis: Analysis) -> None:
        """InputError where there is nothing to propose from."""
        own = self.places if label is None else [p for p in self.places if analysis.labels[analysis.gold[p]] == label]
        if own:
            return
        texts = "text" if label is None else f"text of {label!r}"
        kept = _only_evaluate(self.held_out) if self.held_out else ""
        raise InputError(f"There is no labelled {texts} to propose a rule from.{kept}\nLabel a few texts first.")


def _only_evaluate(held_out: int) -> str:
    texts = counted(held_out, "labelled text")
    return f" The {texts} of dev and test only {'evaluates' if held_out == 1 else 'evaluate'}."


def material_of(gold: Sequence[str | None], splits: Sequence[str | None]) -> Material:
    """The labelled texts outside of dev and test."""
    labelled = [place for place, label in enumerate(gold) if label is not None and LABEL.fullmatch(label)]
    own = tuple(place for place in labelled if splits[place] not in HELD_OUT)
    return Material(own, len(labelled) - len(own))


def propose(
    bench: TextBench,
    analysis: Analysis,
    material: Material,
    *,
    label: str | None = None,
    most: int = MOST,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Proposal, ...]:
    """At most so many rules, the one that gains most on unseen texts first; for one label if it is given. Empty where
    no phrase holds on texts that it was not made from. InputError where there is no text to make them from, or no such
    label."""
    if label is not None and label not in analysis.labels:
        known = ", ".join(analysis.labels)
        raise InputError(f"No rule and no text has the label {label!r}.\nThe labels are: {known}.")
    material.refuse_nothing(label, analysis)
    texts = _labelled(analysis, material)
    order = texts.order
    table = find_phrase_table([bench.sentences[place] for place in material.places])
    wanted = None if label is None else order.number(label)
    found = list(search_phrases(table, texts, most=_PHRASES_EACH * most, label=wanted, stop=stop))
    taken = {entry.name for entry in analysis.system.ruleset.entries}
    proposals = []
    for rule in grouped(found)[:most]:
        proposal = _proposal(rule, order.labels[rule.label], taken, bench, analysis)
        taken.add(proposal.name)
        proposals.append(proposal)
    return tuple(proposals)


@dataclass(frozen=True)
class DefaultLabel:
    """A label for texts that no rule matches; `fixed` labelled texts would get their label by it."""

    label: str
    fixed: int
    of: int  # labelled texts without a label


def propose_default(analysis: Analysis, material: Material) -> DefaultLabel | None:
    """The default label that would fix most; None where there is one, or no text is without a label."""
    texts = _labelled(analysis, material)
    found = best_default(texts)
    return None if found is None else DefaultLabel(texts.order.labels[found[0]], found[1], found[2])


def with_default(logic_text: str, label: str) -> str:
    """Label logic with a default label, which it did not have."""
    head = f"default = {json.dumps(label, ensure_ascii=False)}\n"
    return head + logic_text


@dataclass(frozen=True)
class Priority:
    """That one label wins over another where both match; texts that it fixed and broke when it was taken."""

    stronger: str
    weaker: str
    fixed: int
    broken: int

    def __str__(self) -> str:
        return f"{self.stronger} > {self.weaker}"


def propose_priorities(analysis: Analysis, material: Material, *, most: int = MOST) -> tuple[Priority, ...]:
    """Priorities between labels that match the same texts, the one that gains most first."""
    texts = _labelled(analysis, material)
    names = texts.order.labels
    found = search_priorities(texts, most=most)
    return tuple(Priority(names[one.stronger], names[one.weaker], one.fixed, one.broken) for one in found)


def add_priorities(logic_text: str, priorities: Sequence[Priority]) -> str:
    """Label logic with these priorities behind its own."""
    return with_items(logic_text, "priorities", [str(one) for one in priorities]) if priorities else logic_text


def _labelled(analysis: Analysis, material: Material) -> SearchedTexts:
    """The texts that proposals are made from, by numbers."""
    places = np.asarray(material.places, dtype=np.int64)
    order = label_order(analysis.system.logic, analysis.labels)
    return SearchedTexts(order, analysis.gold[places], analysis.label_holds[places], folds_of(len(places)))


def folds_of(count: int) -> Integers:
    """[texts]: a fold for each text by chance, the same whenever it is asked for."""
    return np.asarray(np.random.default_rng(SEED).permutation(count) % FOLDS, dtype=np.int64)


def _proposal(rule: ProposedRule, label: str, taken: set[str], bench: TextBench, analysis: Analysis) -> Proposal:
    name = free_name((part for part in rule.phrases[0] if part not in (START, ONE, SOME)), taken)
    matched = bench.matched([Rule(name, label, rule.tree, rule.tree)])[:, 0]  # [texts]
    order = label_order(analysis.system.logic, analysis.labels)
    holds = analysis.label_holds.copy()
    holds[matched, rule.label] = True
    known = analysis.gold >= 0
    right = known & (winning_labels(order, holds) == analysis.gold)
    return Proposal(
        name=name,
        label=label,
        tree=rule.tree,
        fixed_unseen=rule.fixed,
        broken_unseen=rule.broken,
        fixed=np.flatnonzero(right & ~analysis.correct),
        broken=np.flatnonzero(analysis.correct & ~right),
        correct=int((matched & (analysis.gold == rule.label)).sum()),
        matches=int((matched & known).sum()),
    )


def with_proposals(system: RuleSystem, proposals: Sequence[Proposal]) -> tuple[str, str]:
    """Rules and label logic with the proposed rules. Where the logic has a formula for a label, its rule is one more
    way to it."""
    rules_text, logic_text = system.rules_text, system.logic_text
    ruleset = system.ruleset
    for proposal in proposals:
        rules_text = with_rule_added(rules_text, ruleset, proposal.label, proposal.name, proposal.tree)
        logic_text = _with_way(logic_text, proposal)
        ruleset = read_rules(rules_text, lowercase=system.tokenization.lowercase).ruleset
    return rules_text, logic_text


def _with_way(logic_text: str, proposal: Proposal) -> str:
    for item in read_toml(logic_text).get("logic", []) if logic_text.strip() else []:
        formula, _, label = item.rpartition("->")
        if label.strip() == proposal.label:
            more = f"({formula.strip()}) | {proposal.name} -> {proposal.label}"
            return with_other_item(logic_text, "logic", item, more)
    return logic_text


DEFAULT_SHARE = 0.5


def grow(
    bench: TextBench, gold: Sequence[str | None], material: Material, rules_text: str, logic_text: str, *, rounds: int
) -> tuple[str, str]:
    """Rules and label logic after so many rounds in which all proposals are accepted, then priorities and a default
    label. Where most texts without a label carry the same one, it is the default label from the beginning."""
    first = analyse(bench, gold, rules_text, logic_text)
    default = propose_default(first, material)
    if default is not None and default.fixed > DEFAULT_SHARE * default.of:
        logic_text = with_default(logic_text, default.label)
    for _ in range(rounds):
        now = analyse(bench, gold, rules_text, logic_text)
        proposals = propose(bench, now, material)
        if not proposals:
            break
        rules_text, logic_text = with_proposals(now.system, proposals)
    now = analyse(bench, gold, rules_text, logic_text)
    logic_text = add_priorities(logic_text, propose_priorities(now, material, most=100))
    left = propose_default(analyse(bench, gold, rules_text, logic_text), material)
    return rules_text, logic_text if left is None else with_default(logic_text, left.label)
