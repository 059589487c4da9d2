"""Do rules match the sentences that they must match, and refuse those that they must not? In words that people read.

A rule for slots is judged alone, as if no other rule voted. Without marks a sentence says only whether the rule reads
it. With marks it must give just these spans; of a sentence that it must not match, none of those that are marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.automata.explain import Reading, explain
from re2nn_core.automata.output_sets import RuleTags, tag_sets
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.explain.changes import smallest_change
from re2nn_core.rules.logic.priorities import ordered_tags
from re2nn_core.rules.marked_text import read_marked, write_marked
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.sentences import KINDS, Kind, RuleSentences, Sentences, quoted_sentence
from re2nn_core.rules.tagging import tagged, tags_of_tree, with_slot_case
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.rule_switches import switched_off
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, spelt_slot
from re2nn_core.text.kinds import spelled_out
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize, words

# A nearest sentence that takes more changes is no help.
_MOST_CHANGES = 3
_NAMED = 4
System = RuleSystem | SlotSystem


@dataclass(frozen=True)
class CheckedSentence:
    """One sentence of a rule. `happened` completes "but ..." where it is not `ok`."""

    rule: str
    kind: Kind
    sentence: str
    ok: bool
    expected: str
    happened: str = ""

    def __str__(self) -> str:
        verdict = "as it does." if self.ok else f"but {self.happened}."
        return f"Rule '{self.rule}' {self.expected}, {verdict}"


@dataclass(frozen=True)
class Orphan:
    """Sentences whose rule is not among the rules: switched off (`off`), renamed or taken out."""

    rule: str
    count: int
    off: bool

    def __str__(self) -> str:
        many = "sentence belongs" if self.count == 1 else "sentences belong"
        why = "is switched off" if self.off else "does not exist: renamed or removed"
        return f"{self.count} {many} to the rule '{self.rule}', which {why}; not checked."


@dataclass(frozen=True)
class SentenceReport:
    """All sentences, checked, in their order; and those that belong to no rule."""

    checked: tuple[CheckedSentence, ...]
    orphans: tuple[Orphan, ...] = ()

    @cached_property
    def failures(self) -> tuple[CheckedSentence, ...]:
        return tuple(one for one in self.checked if not one.ok)

    def of_rule(self, rule: str) -> tuple[CheckedSentence, ...]:
        return tuple(one for one in self.checked if one.rule == rule)


def check_sentences(system: System, sentences: Sentences) -> SentenceReport:
    """Run every sentence through its rule."""
    rules = {rule.name: rule for rule in system.ruleset.rules}
    off = {rule.name for rule in switched_off(system.rules_text)} if any(s.rule not in rules for s in sentences) else ()
    checked = tuple(one for own in sentences if own.rule in rules for one in check_rule(system, rules[own.rule], own))
    orphans = tuple(Orphan(own.rule, len(own), own.rule in off) for own in sentences if own.rule not in rules)
    return SentenceReport(checked, orphans)


def check_rule(system: System, rule: Rule, sentences: RuleSentences) -> Iterator[CheckedSentence]:
    """The sentences of one rule, those that it must match in front."""
    reader = rule_reader(system, rule)
    for kind in KINDS:
        for sentence in sentences.of(kind):
            expected, happened = reader.check(kind, sentence)
            yield CheckedSentence(rule.name, kind, sentence, not happened, expected, happened)


def rule_reader(system: System, rule: Rule) -> RuleReader | SlotRuleReader:
    """What reads single sentences by one rule of a system."""
    if not isinstance(system, SlotSystem):
        return RuleReader(build_positions(rule.expanded, rule.name), system.tokenization)
    tree = tagged(with_slot_case(rule.expanded, system.known_slots))
    decider = TagDecider(ordered_tags([tags_of_tree(tree)]), system.logic, lambda: [tree])
    machine = position_transducer(tree, rule.name)
    plain = RuleReader(machine.automaton, system.tokenization)
    return SlotRuleReader(plain, machine, decider, system.known_slots)


@dataclass(frozen=True)
class RuleReader:
    """One rule and how texts become words."""

    automaton: PositionAutomaton
    tokenization: Tokenization

    def words(self, text: str) -> tuple[str, ...]:
        return words(text, self.tokenization)

    def accepts(self, text: str) -> bool:
        return accepts(self.automaton, self.words(text))

    def as_sentence(self, text: str) -> str:
        """A text as a sentence that says what the rule does with it."""
        return text

    def check(self, kind: Kind, sentence: str) -> tuple[str, str]:
        """What is expected of the rule, and what happens instead; empty where the expected does."""
        read = self.accepts(sentence)
        if kind == "must":
            return f"must match {quoted_sentence(sentence)}", "" if read else self.why_refused(sentence)
        return f"must not match {quoted_sentence(sentence)}", self.why_read(sentence) if read else ""

    def why_refused(self, text: str) -> str:
        change = smallest_change(self.automaton, self.words(text), most=_MOST_CHANGES)
        if change is None:
            return "refuses it"
        return f"refuses it; the nearest that it matches is {quoted_sentence(spelled_out(change.words))}"

    def why_read(self, text: str) -> str:
        found = self.words(text)
        readings = explain(self.automaton, found) or ()
        named = [word for word, how in zip(found, readings, strict=False) if how is Reading.NAMED]
        if not named:
            return "matches it, by no word in particular"
        more = " ..." if len(named) > _NAMED else ""
        return f"matches it, by {', '.join(repr(word) for word in named[:_NAMED])}{more}"


@dataclass(frozen=True)
class SlotRuleReader:
    """The same for a rule that captures words. `decider` decides for it alone; `known_slots`: how the data spell
    slots."""

    plain: RuleReader
    machine: PositionTransducer
    decider: TagDecider
    known_slots: tuple[str, ...]

    @property
    def automaton(self) -> PositionAutomaton:
        return self.plain.automaton

    @property
    def tokenization(self) -> Tokenization:
        return self.plain.tokenization

    def spans(self, text: str) -> tuple[Span, ...] | None:
        """The spans that the rule alone gives; None where it does not read the text."""
        tokens = tokenize(text, self.tokenization)
        words = tuple(token.text for token in tokens)
        claims = tag_sets(self.machine, words)
        return None if claims is None else spans_of(self.decider.decide(words, [RuleTags(0, claims)]), tokens)

    def accepts(self, text: str) -> bool:
        return self.plain.accepts(text)

    def as_sentence(self, text: str) -> str:
        return write_marked(text, self.spans(text) or ())

    def check(self, kind: Kind, sentence: str) -> tuple[str, str]:
        text, marked = read_marked(sentence)
        marks = tuple(Span(one.start, one.end, spelt_slot(one.slot, self.known_slots)) for one in marked)
        given = self.spans(text)
        if kind == "must":
            if given is None:
                return f"must match {quoted_sentence(sentence)}", self.plain.why_refused(text)
            return f"must match {quoted_sentence(sentence)}", _marks(text, given) if marks and given != marks else ""
        if not marks:
            return f"must not match {quoted_sentence(sentence)}", "" if given is None else self.plain.why_read(text)
        both = [span for span in given or () if span in marks]
        return f"must not match {quoted_sentence(sentence)}", _marks(text, both) if both else ""


def _marks(text: str, spans: Sequence[Span]) -> str:
    return f"matches {quoted_sentence(write_marked(text, spans))}" if spans else "matches without a span"
