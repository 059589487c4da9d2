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
    """A rule with what it should leave out. In annotated texts that it was not made from, so many spans are
    `fixed_unseen` and `broken_unseen`; `fixed` are all incorrect spans that are no longer predicted and correct ones
    that are, `broken` correct spans that are lost and incorrect ones that are predicted anew."""

    rule: str
    slots: tuple[str, ...]
    tree: Node  # of the rule, with what is left out
    excluded: Node  # what is left out anew
    fixed_unseen: int
    broken_unseen: int
    fixed: tuple[Located, ...]
    broken: tuple[Located, ...]

    @property
    def gain(self) -> int:
        """Spans fixed out-of-fold, less those broken."""
        return self.fixed_unseen - self.broken_unseen

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
    """At most so many, the one that gains most spans of unseen texts first; for the rules of one slot or one rule, if
    it is given. Empty where no phrase raises F1 on texts that it was not made from."""
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
    folds = span_folds(len(places))
    for name in names[:MOST_RULES]:
        changed = _Changed.by_text(analysis, name, places)
        one = search_phrases_to_exclude(table, folds, changed.effects(_worth_of_correct(analysis, places)))
        if one is not None:
            found.append(_exclusion(analysis, name, one, changed.effects(1.0)))
    found.sort(key=lambda one: -one.gain)
    return tuple(one for one in found if one.gain > 0)[:most]


def _worth_of_correct(analysis: SlotAnalysis, places: Sequence[int]) -> float:
    """How many incorrect spans a correct one is worth in F1: what both add to it, as long as they are few. Nothing is
    worth less than one."""
    spans = [(analysis.predictions[place], analysis.gold[place] or ()) for place in places]
    right = sum(span in gold for given, gold in spans for span in given)
    both = sum(len(given) + len(gold) for given, gold in spans)
    return max(1.0, (both - right) / max(1, right))


def _with_errors(analysis: SlotAnalysis, places: Sequence[int]) -> list[str]:
    """The rules whose incorrect spans are predicted, the one with most first."""
    counts: Counter[str] = Counter()
    own = set(places)
    for name in analysis.rule_index:
        for place, spans in analysis.wrong(name).items():
            if place in own:
                counts[name] += sum(span in analysis.predictions[place] for span in spans)
    return [name for name, count in counts.most_common() if count >= LEAST_FIXED]


@dataclass(frozen=True)
class _Changed:
    """Spans of texts that change without a rule, by the places of the texts: incorrect ones that go, correct ones that
    come, correct ones that go, and incorrect ones that come. An incorrect span in place of an incorrect one is none."""

    removed: tuple[tuple[Located, ...], ...]
    gained: tuple[tuple[Located, ...], ...]
    lost: tuple[tuple[Located, ...], ...]
    invented: tuple[tuple[Located, ...], ...]

    @classmethod
    def by_text(cls, analysis: SlotAnalysis, rule: str, places: Sequence[int]) -> _Changed:
        spans = analysis.readings[analysis.rule_index[rule]].spans
        nothing: tuple[tuple[Located, ...], ...] = ((), (), (), ())
        rows = [_changed(analysis, rule, place) if place in spans else nothing for place in places]
        return cls(*(tuple(row[part] for row in rows) for part in range(4)))

    def effects(self, correct: float) -> Effects:
        """What leaving each text out fixes and breaks, where a correct span counts so much."""
        removed, gained, lost, invented = (
            np.asarray([len(row) for row in part], dtype=np.float64)
            for part in (self.removed, self.gained, self.lost, self.invented)
        )
        return Effects(removed + correct * gained, invented + correct * lost, np.zeros(len(removed)))


def _changed(analysis: SlotAnalysis, rule: str, place: int) -> tuple[tuple[Located, ...], ...]:
    number, words = analysis.rule_index[rule], analysis.bench.sentences[place]
    now, gold = analysis.predictions[place], analysis.gold[place] or ()
    others = [own for own in analysis.accepting.get(place, ()) if own.rule != number]
    then = analysis.bench.spans_of(place, analysis.system.decide(words, others)) if others else ()
    less, more = [span for span in now if span not in then], [span for span in then if span not in now]
    removed, invented = [one for one in less if one not in gold], [one for one in more if one not in gold]
    replaced = min(len(removed), len(invented))
    parts = (
        removed[replaced:],
        [one for one in more if one in gold],
        [one for one in less if one in gold],
        invented[replaced:],
    )
    return tuple(tuple((place, span) for span in part) for part in parts)


def _exclusion(analysis: SlotAnalysis, rule: str, found: FoundExclusion, effects: Effects) -> SlotExclusion:
    excluded = anywhere(found.phrases)
    written = next(one.tree for one in analysis.system.ruleset.rules if one.name == rule)
    texts = [place for place in analysis.readings[analysis.rule_index[rule]].spans if analysis.gold[place] is not None]
    changed = _Changed.by_text(analysis, rule, _held(analysis.bench, excluded, texts))
    fixed_unseen, broken_unseen, _ = effects.of(found.rows)
    return SlotExclusion(
        rule=rule,
        slots=analysis.slots_of_rule[rule],
        tree=with_excluded(written, excluded),
        excluded=excluded,
        fixed_unseen=fixed_unseen,
        broken_unseen=broken_unseen,
        fixed=tuple(one for part in (changed.removed, changed.gained) for row in part for one in row),
        broken=tuple(one for part in (changed.lost, changed.invented) for row in part for one in row),
    )


def _held(bench: SlotBench, excluded: Node, texts: Sequence[int]) -> list[int]:
    """The texts that an expression matches."""
    matched = RuleMatcher([excluded], ["excluded"]).matched([bench.sentences[place] for place in texts])
    return [place for place, found in zip(texts, matched[:, 0], strict=True) if found]


def with_slot_exclusion(system: SlotSystem, exclusion: SlotExclusion) -> str:
    """The rules with the condition behind its rule."""
    rule = next(one for one in system.ruleset.rules if one.name == exclusion.rule)
    return with_expression(system.rules_text, rule, exclusion.tree)
