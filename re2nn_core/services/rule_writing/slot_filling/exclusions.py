"""Conditions proposed for slot rules that predict incorrect spans: phrases of texts that a rule should leave out,
written behind it as `but not ( ... )`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.proposals.exclusion_search import Effects, FoundExclusion, search_phrases_to_exclude
from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.label_search import LEAST_FIXED
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import with_expression
from re2nn_core.rules.tree import Node, with_excluded
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import SlotMaterial, span_folds
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import Located
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis

MOST = 10
MOST_RULES = 20  # that are looked at, those with most incorrect spans


@dataclass(frozen=True)
class SlotExclusion:
    """A rule with what it should leave out. In annotated texts that it was not made from, so many incorrect spans are
    `removed_unseen` and correct ones `lost_unseen`; `removed` and `lost` are all such spans."""

    rule: str
    slots: tuple[str, ...]
    tree: Node  # of the rule, with what is left out
    excluded: Node  # what is left out anew
    removed_unseen: int
    lost_unseen: int
    removed: tuple[Located, ...]
    lost: tuple[Located, ...]

    @property
    def condition(self) -> str:
        return f"but not ( {print_expression(self.excluded)} )"


def propose_slot_exclusions(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    *,
    slot: str | None = None,
    rule: str | None = None,
    most: int = MOST,
) -> tuple[SlotExclusion, ...]:
    """At most so many, the one that removes most incorrect spans of unseen texts first; for the rules of one slot or
    one rule, if it is given. Empty where no phrase holds on texts that it was not made from."""
    places = material.sample().places
    names = [
        name
        for name in _with_errors(analysis, places)
        if rule in (None, name) and slot in (None, *analysis.slots_of_rule[name])
    ]
    if not names:
        return ()
    table = find_phrase_table([analysis.bench.sentences[place] for place in places])
    found = []
    for name in names[:MOST_RULES]:
        effects = _effects(analysis, name, places)
        one = search_phrases_to_exclude(table, span_folds(len(places)), effects)
        if one is not None:
            found.append((one, name))
    found.sort(key=lambda pair: -pair[0].gain)
    return tuple(_exclusion(analysis, name, one) for one, name in found[:most])


def _with_errors(analysis: SlotAnalysis, places: Sequence[int]) -> list[str]:
    """The rules whose incorrect spans are predicted, the one with most first."""
    counts: Counter[str] = Counter()
    own = set(places)
    for name in analysis.rule_index:
        for place, spans in analysis.wrong(name).items():
            if place in own:
                counts[name] += sum(span in analysis.predictions[place] for span in spans)
    return [name for name, count in counts.most_common() if count >= LEAST_FIXED]


def _changed(analysis: SlotAnalysis, rule: str, place: int) -> tuple[list[Located], list[Located]]:
    """Incorrect spans of a text that are no longer predicted without the rule, and correct ones that are lost."""
    number, words = analysis.rule_index[rule], analysis.bench.sentences[place]
    now, gold = analysis.predictions[place], analysis.gold[place] or ()
    others = [own for own in analysis.accepting.get(place, ()) if own.rule != number]
    then = analysis.bench.spans_of(place, analysis.system.decide(words, others)) if others else ()
    removed = [(place, span) for span in now if span not in gold and span not in then]
    # An incorrect span in place of an incorrect one removes nothing.
    anew = sum(span not in gold and span not in now for span in then)
    return removed[anew:], [(place, span) for span in now if span in gold and span not in then]


def _effects(analysis: SlotAnalysis, rule: str, places: Sequence[int]) -> Effects:
    spans = analysis.readings[analysis.rule_index[rule]].spans
    removed, lost = np.zeros(len(places)), np.zeros(len(places))
    for row, place in enumerate(places):
        if place in spans:
            removed[row], lost[row] = map(len, _changed(analysis, rule, place))
    return Effects(removed, np.zeros(len(places)), lost)


def _exclusion(analysis: SlotAnalysis, rule: str, found: FoundExclusion) -> SlotExclusion:
    excluded = anywhere(found.phrases)
    written = next(one.tree for one in analysis.system.ruleset.rules if one.name == rule)
    texts = [place for place in analysis.readings[analysis.rule_index[rule]].spans if analysis.gold[place] is not None]
    changed = [_changed(analysis, rule, place) for place in _held(analysis.bench, excluded, texts)]
    return SlotExclusion(
        rule=rule,
        slots=analysis.slots_of_rule[rule],
        tree=with_excluded(written, excluded),
        excluded=excluded,
        removed_unseen=found.removed,
        lost_unseen=found.lost,
        removed=tuple(one for removed, _ in changed for one in removed),
        lost=tuple(one for _, lost in changed for one in lost),
    )


def _held(bench: SlotBench, excluded: Node, texts: Sequence[int]) -> list[int]:
    """The texts that an expression matches."""
    matched = RuleMatcher([excluded], ["excluded"]).matched([bench.sentences[place] for place in texts])
    return [place for place, found in zip(texts, matched[:, 0], strict=True) if found]


def with_slot_exclusion(system: SlotSystem, exclusion: SlotExclusion) -> str:
    """The rules with the condition behind its rule."""
    rule = next(one for one in system.ruleset.rules if one.name == exclusion.rule)
    return with_expression(system.rules_text, rule, exclusion.tree)
