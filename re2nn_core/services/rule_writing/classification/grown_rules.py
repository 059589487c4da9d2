"""Rules that come of accepting all that is proposed until nothing more is, with priorities and a default label: the
first rules of a project, or further ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.grouping import ProposedRule, grouped
from re2nn_core.proposals.label_order import NONE, LabelOrder, label_order, winning_labels
from re2nn_core.proposals.label_search import FoundPhrase, SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.proposals.rare_phrases import search_rare
from re2nn_core.proposals.reached_accuracy import DEFAULT_SHARE, MOST_PHRASES, TOGETHER, with_default
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.rule_writing.classification.exclusions import propose_exclusions, with_exclusion
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material
from re2nn_core.services.rule_writing.classification.proposals import (
    NewRule,
    Priority,
    add_priorities,
    new_rule,
    priorities_of,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse

ROUNDS = 4
MOST_PRIORITIES = 100
Bools = NDArray[np.bool_]
OnProgress = Callable[[int, int], None]


def grow(bench: TextBench, analysis: Analysis, material: Material) -> tuple[str, str]:
    """Rules and label logic with all that is proposed, and then conditions by which more texts get their label.
    InputError where there is no labelled text to propose from."""
    order = label_order(analysis.system.logic, (*analysis.labels, *material.labels))
    taken = {entry.name for entry in analysis.system.ruleset.entries}
    rules, grown, priorities = grown_rules(bench, material, order, analysis.label_holds, taken)
    rules_text, logic_text = with_proposals(analysis.system, rules)
    if grown.default != NONE and order.default == NONE:
        logic_text = with_default_label(logic_text, grown.labels[grown.default])
    gold = [None if number < 0 else analysis.labels[number] for number in analysis.gold]
    now = analyse(bench, gold, rules_text, add_priorities(logic_text, priorities))
    for exclusion in propose_exclusions(bench, now, material):
        if exclusion.gain > 0:
            now = analyse(bench, gold, with_exclusion(now.system, exclusion), now.system.logic_text)
    return now.system.rules_text, now.system.logic_text


def grown_rules(
    bench: TextBench,
    material: Material,
    order: LabelOrder,
    holds: Bools,
    taken: set[str],
    *,
    default: bool = True,
    should_stop: Callable[[], bool] | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[list[NewRule], LabelOrder, tuple[Priority, ...]]:
    """The rules, the label order with their priorities and a default label, and the priorities that are new.

    `holds` [all texts, first labels of the order]: labels whose rules accept the texts already; `taken`: names of
    rules. Where most texts without a label carry the same one, it is the default label from the beginning, unless there
    is to be no `default`. Once `should_stop` says so, no more rules are looked for. `on_progress` is told how many of
    the texts that are wrong before are right by what was found, and how many these are.
    """
    material.refuse_nothing()
    holds = np.pad(holds, ((0, 0), (0, len(order.labels) - holds.shape[1])))
    _, labelled = material.without_guesses().texts(order, holds)
    material = material.beyond_rules(labelled)
    order = with_default(labelled, share=DEFAULT_SHARE).order if default else order
    places, texts = material.texts(order, holds)
    sentences = [bench.sentences[place] for place in places]
    table, start = find_phrase_table(sentences), texts
    rules: list[NewRule] = []
    report = _reporter(texts, on_progress)

    def add(found: Sequence[ProposedRule]) -> SearchedTexts:
        nonlocal holds
        added = [new_rule(rule, order.labels[rule.label], taken) for rule in found]
        rules.extend(added)
        holds = _with_rules(bench, order, holds, added)
        return replace(texts, holds=holds[places])

    for _ in range(ROUNDS):
        found = []
        for one in search_phrases(table, texts, most=MOST_PHRASES, together=TOGETHER, should_stop=should_stop):
            found.append(one)
            report(one)
        if not found:
            break
        texts = add(grouped(found))
    if material.guessed is None:
        now = _with_logic(texts, default=default)[0]
        texts = add(search_rare(sentences, start, now, should_stop=should_stop))
    finished, priorities = _with_logic(texts, default=default)
    return rules, finished.order, priorities


def _reporter(texts: SearchedTexts, on_progress: OnProgress | None) -> Callable[[FoundPhrase], None]:
    """Takes the phrases one by one and reports what they have fixed of the texts."""
    known = texts.gold >= 0
    wrong = int((known & (winning_labels(texts.order, texts.holds) != texts.gold)).sum())
    fixed = 0

    def report(found: FoundPhrase) -> None:
        nonlocal fixed
        fixed += max(0, found.gain)
        if on_progress is not None:
            on_progress(min(fixed, wrong), wrong)

    return report


def _with_logic(texts: SearchedTexts, *, default: bool) -> tuple[SearchedTexts, tuple[Priority, ...]]:
    """The texts under priorities, and a `default` label where there is to be one; and these priorities."""
    order = texts.order
    priorities = priorities_of(texts, most=MOST_PRIORITIES)
    pairs = ((order.number(one.stronger), order.number(one.weaker)) for one in priorities)
    texts = replace(texts, order=replace(order, priorities=(*order.priorities, *pairs)))
    return with_default(texts) if default else texts, priorities


def _with_rules(bench: TextBench, order: LabelOrder, holds: Bools, added: Sequence[NewRule]) -> Bools:
    matched = bench.matched([Rule(one.name, one.label, one.tree, one.tree) for one in added])  # [texts, rules]
    holds = holds.copy()
    for column, one in enumerate(added):
        holds[matched[:, column], order.number(one.label)] = True
    return holds
