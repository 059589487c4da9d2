"""What slot rules do on a project's texts: the figures of each rule and slot, and the spans behind each figure.

    hits        spans that the rule gives, or of the prediction
    missed      marked spans that the prediction does not have
    wrong       given spans that are not marked: at other borders, of another slot, or invented
    conflicts   words that rules want for several tags: priorities, votes and the order of the rules decide

A rule is judged by the spans that it would give alone, a slot by those of the prediction, where all rules vote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.errors import Fault
from re2nn_core.rules.tagging import WILDCARD, slot_of, slots_of
from re2nn_core.services.rule_systems.classification.sources import all_warnings
from re2nn_core.services.rule_systems.slot_filling.decided_tags import decide_tag
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import RuleReading, SlotBench, Spans
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts, count_spans, spans_of_slots
from re2nn_core.text.spans import OUTSIDE

Integers = NDArray[np.int64]
Found = Mapping[int, Spans]  # spans by the number of their text, texts in order
Places = Mapping[int, tuple[int, ...]]  # numbers of words by the number of their text


@dataclass(frozen=True)
class RuleSlotFigures:
    """The spans of one slot that one rule gives. `counts` has those on marked texts alone; `spans` all of them;
    `conflicts` the words that the rule wants for the slot and another rule for something else."""

    name: str
    slot: str
    line: int
    spans: int
    counts: SpanCounts
    conflicts: int

    @property
    def wrong(self) -> int:
        return self.counts.given - self.counts.right


@dataclass(frozen=True)
class SlotCoverage:
    """One slot in the predictions for all texts; like the figures of a rule."""

    slot: str
    rules: int
    spans: int
    counts: SpanCounts
    conflicts: int

    @property
    def wrong(self) -> int:
        return self.counts.given - self.counts.right

    @property
    def missed(self) -> int:
        return self.counts.marked - self.counts.right


@dataclass(frozen=True, eq=False)
class SlotAnalysis:
    """A rule system for slots on all texts. `slots` are those of the rules, then those that only texts carry; `gold`
    the marked spans of each text, None where nobody has marked it; `readings` what each rule says, `accepting` the same
    by the number of the text; `predictions` what all of them say together; `contested` the words of each text that are
    wanted for several tags."""

    system: SlotSystem
    warnings: tuple[Fault, ...]
    slots: tuple[str, ...]
    bench: SlotBench
    gold: tuple[Spans | None, ...]
    readings: tuple[RuleReading, ...]
    accepting: Mapping[int, Sequence[RuleTags]]
    predictions: tuple[Spans, ...]
    contested: Places

    @property
    def texts(self) -> int:
        return len(self.gold)

    @property
    def annotated_texts(self) -> int:
        return sum(gold is not None for gold in self.gold)

    @cached_property
    def counts(self) -> SpanCounts:
        """All spans of all slots."""
        return count_spans(self.gold, self.predictions)

    @cached_property
    def rule_index(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.system.rule_names)}

    @cached_property
    def slots_of_rule(self) -> dict[str, tuple[str, ...]]:
        """The slots that each rule names."""
        return {name: slots_of([tree]) for name, tree in self.system.trees}

    def matches(self, rule: str | None = None, slot: str | None = None) -> Found:
        """The spans that the rule gives alone, or those of the predictions; of one slot or of all."""
        wanted = None if slot is None else (slot,)
        if rule is not None:
            own = self.readings[self.rule_index[rule]].spans
            return _found((text, spans_of_slots(spans, wanted)) for text, spans in sorted(own.items()))
        return _found((text, spans_of_slots(spans, wanted)) for text, spans in enumerate(self.predictions))

    def wrong(self, rule: str | None = None, slot: str | None = None) -> Found:
        """Those of the hits on marked texts that are not marked."""
        matches = self.matches(rule, slot).items()
        annotated = ((text, spans, self.gold[text]) for text, spans in matches)
        return _found((text, _without(spans, gold)) for text, spans, gold in annotated if gold is not None)

    def missed(self, rule: str | None = None, slot: str | None = None) -> Found:
        """The marked spans, of the slot, of the rule's slots, or of all, that the predictions do not have."""
        wanted = (slot,) if slot is not None else None if rule is None else self.slots_of_rule[rule]
        pairs = zip(self.gold, self.predictions, strict=True)
        return _found(
            (text, _without(spans_of_slots(gold or (), wanted), given)) for text, (gold, given) in enumerate(pairs)
        )

    def conflicts(self, rule: str | None = None, slot: str | None = None) -> Places:
        """The contested words; where asked for, those that the rule wants, and those wanted for the slot."""
        if rule is None and slot is None:
            return self.contested
        kept = {}
        for text, places in self.contested.items():
            sets = [own.sets for own in self.accepting[text] if rule is None or own.rule == self.rule_index[rule]]
            wanted = tuple(place for place in places if any(_wants(one[place], slot) for one in sets))
            if wanted:
                kept[text] = wanted
        return kept

    def gives(self, text: int, slot: str, start: int, end: int) -> tuple[str, ...]:
        """The rules that would give just this span alone."""
        names = self.system.rule_names
        return tuple(
            names[rule]
            for rule, own in enumerate(self.readings)
            if any((s.start, s.end, s.slot) == (start, end, slot) for s in own.spans.get(text, ()))
        )

    @cached_property
    def rule_figures(self) -> tuple[RuleSlotFigures, ...]:
        """One entry for each rule and each of its slots, in the order of the rules."""
        found = []
        for place, rule in enumerate(self.system.ruleset.rules):
            given = _tally(self.readings[place].spans.items(), self.gold)
            for slot in self.slots_of_rule[rule.name]:
                spans, counts = given.of(slot, self._marked[slot])
                found.append(RuleSlotFigures(rule.name, slot, rule.line, spans, counts, self._clashes[place, slot]))
        return tuple(found)

    @cached_property
    def slot_figures(self) -> tuple[SlotCoverage, ...]:
        given = _tally(enumerate(self.predictions), self.gold)
        rules = Counter(slot for slots in self.slots_of_rule.values() for slot in slots)
        return tuple(
            SlotCoverage(slot, rules[slot], *given.of(slot, self._marked[slot]), self._clashes[None, slot])
            for slot in self.slots
        )

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """Slots of the rules that no text is marked with; none where nobody has marked any text."""
        return tuple(slot for slot in self.system.slots if not self._marked[slot]) if self._marked else ()

    def spelt_in_texts(self, slot: str) -> str | None:
        """A slot of the texts that differs from this one in the case of letters alone."""
        return next((one for one in self._marked if one != slot and one.casefold() == slot.casefold()), None)

    def counts_on(self, places: Sequence[int]) -> SpanCounts:
        """All spans of some texts, given by their numbers."""
        return count_spans([self.gold[place] for place in places], [self.predictions[place] for place in places])

    @cached_property
    def _marked(self) -> Counter[str]:
        """How many spans of each slot are marked."""
        return Counter(span.slot for gold in self.gold for span in gold or ())

    @cached_property
    def _clashes(self) -> Counter[tuple[int | None, str]]:
        """How many contested words each rule (None: any rule) wants for each slot."""
        found: Counter[tuple[int | None, str]] = Counter()
        for text, places in self.contested.items():
            for place in places:
                wanting = {(own.rule, slot_of(tag)) for own in self.accepting[text] for tag in own.sets[place]}
                named = {(rule, slot) for rule, slot in wanting if slot is not None}
                found.update(named | {(None, slot) for _, slot in named})
        return found


def analyse_slots(
    bench: SlotBench,
    gold: Sequence[Spans | None],
    rules_text: str,
    logic_text: str | None,
    known_slots: Sequence[str] = (),
) -> SlotAnalysis:
    """Run rules and priorities on the bench's texts; `known_slots` as in SlotSystem. RuleError and LogicError with
    every fault, InputError for rules without a capture, StateBudgetError for a rule past all bounds."""
    system, warnings = read_slot_system(
        rules_text,
        logic_text,
        bench.tokenization,
        known_slots=known_slots,
        rules_file="rules",
        logic_file="priorities",
    )
    return analyse_slot_system(bench, gold, system, warnings)


def analyse_slot_system(
    bench: SlotBench, gold: Sequence[Spans | None], system: SlotSystem, warnings: Sequence[Fault] = ()
) -> SlotAnalysis:
    """Run a rule system on the bench's texts; `warnings`: those of its rule text."""
    readings = bench.readings(system.trees, system.logic)
    accepting: dict[int, list[RuleTags]] = {}
    for rule, reading in enumerate(readings):
        for text, sets in reading.sets.items():
            accepting.setdefault(text, []).append(RuleTags(rule, sets))
    predictions: list[Spans] = [()] * len(bench)
    sentences = bench.sentences_for(tree for _, tree in system.trees) if system.tokenization.cased else bench.sentences
    for text, found in accepting.items():
        predictions[text] = bench.spans_of(text, system.decide(sentences[text], found))
    return SlotAnalysis(
        system=system,
        warnings=all_warnings(warnings, system.ruleset, bench.tokenization, Path("rules")),
        slots=_all_slots(system, gold),
        bench=bench,
        gold=tuple(gold),
        readings=tuple(readings),
        accepting=accepting,
        predictions=tuple(predictions),
        contested=_contested(system, accepting),
    )


def spans_evaluated_by(analysis: SlotAnalysis, gold: Sequence[Spans | None]) -> SlotAnalysis:
    """The same rules on the same texts, judged by other marked spans; the rules do not run again."""
    return replace(analysis, gold=tuple(gold), slots=_all_slots(analysis.system, gold))


def _all_slots(system: SlotSystem, gold: Sequence[Spans | None]) -> tuple[str, ...]:
    """The slots of the rules, then those that only the texts carry."""
    return tuple(dict.fromkeys((*system.slots, *(span.slot for spans in gold for span in spans or ()))))


def _contested(system: SlotSystem, accepting: Mapping[int, Sequence[RuleTags]]) -> Places:
    """The words that are wanted for tags of slots, several of them or one that loses against O."""
    known: dict[tuple[frozenset[str], ...], bool] = {}
    contested = {}
    for text, found in sorted(accepting.items()):
        places = []
        for place, claims in enumerate(zip(*(one.sets for one in found), strict=True)):
            if claims not in known:
                known[claims] = _is_contested(system, claims)
            if known[claims]:
                places.append(place)
        if places:
            contested[text] = tuple(places)
    return contested


def _is_contested(system: SlotSystem, claims: Sequence[frozenset[str]]) -> bool:
    tags = frozenset[str]().union(*claims) - {WILDCARD}
    if len(tags) < 2:
        return False
    return len(tags - {OUTSIDE}) > 1 or decide_tag(claims, system.tags, system.silent) == OUTSIDE


def _wants(claim: frozenset[str], slot: str | None) -> bool:
    """Whether a rule says anything of a word, or wants it for the slot."""
    return any(tag != WILDCARD if slot is None else slot_of(tag) == slot for tag in claim)


def _without(spans: Spans, others: Spans) -> Spans:
    return tuple(span for span in spans if span not in others)


def _found(pairs: Iterable[tuple[int, Spans]]) -> Found:
    return {text: spans for text, spans in pairs if spans}


@dataclass(frozen=True)
class _Tally:
    """How many spans of each slot there are, how many of them on marked texts, how many right."""

    spans: Counter[str]
    given: Counter[str]
    right: Counter[str]

    def of(self, slot: str, marked: int) -> tuple[int, SpanCounts]:
        return self.spans[slot], SpanCounts(marked, self.given[slot], self.right[slot])


def _tally(given: Iterable[tuple[int, Spans]], gold: Sequence[Spans | None]) -> _Tally:
    tally = _Tally(Counter(), Counter(), Counter())
    for text, spans in given:
        marked = gold[text]
        for span in spans:
            tally.spans[span.slot] += 1
            if marked is not None:
                tally.given[span.slot] += 1
                tally.right[span.slot] += span in marked
    return tally


@dataclass(frozen=True, eq=False)
class SlotEffect:
    """What an edit changes: marked texts with fewer mistakes and with more, and others whose spans changed."""

    fixed: Integers
    broken: Integers
    changed: Integers
    before: SpanCounts
    now: SpanCounts

    @property
    def nothing(self) -> bool:
        return not (len(self.fixed) or len(self.broken) or len(self.changed))


def slot_effect(now: SlotAnalysis, before: SlotAnalysis) -> SlotEffect:
    """What changed between two analyses of the same texts."""
    fixed: list[int] = []
    broken: list[int] = []
    changed: list[int] = []
    for text, (gold, new, old) in enumerate(zip(now.gold, now.predictions, before.predictions, strict=True)):
        if new == old:
            continue
        gain = 0 if gold is None else len(set(old) ^ set(gold)) - len(set(new) ^ set(gold))
        (fixed if gain > 0 else broken if gain < 0 else changed).append(text)
    return SlotEffect(_places(fixed), _places(broken), _places(changed), before.counts, now.counts)


def _places(texts: Sequence[int]) -> Integers:
    return np.asarray(texts, dtype=np.int64)
