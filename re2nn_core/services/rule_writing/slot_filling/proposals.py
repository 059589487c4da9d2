"""Rules proposed for slots at any time, for all slots or one: from annotated spans that the rules miss.

Values and contexts are found and evaluated on annotated texts outside of dev and test, out-of-fold
(proposals/slot_filling/span_search.py); what is shown of a proposal is what its rule does when it runs with the rules
of the project and those proposed before it, on every annotated text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import RuleTags, tag_sets_of_rule
from re2nn_core.errors import InputError
from re2nn_core.proposals.slot_filling.claims import Claims
from re2nn_core.proposals.slot_filling.rule_tree import Material, ProposedSlotRule, written_rule
from re2nn_core.proposals.slot_filling.span_search import FoundRule, Search, find_material
from re2nn_core.proposals.slot_filling.votes import Votes, new_votes
from re2nn_core.proposals.slot_filling.word_row import WordRow, span_row, word_row
from re2nn_core.rules.leaves import SLOT
from re2nn_core.rules.logic.priorities import ordered_tags
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import wrapped
from re2nn_core.rules.ruleset import WordClass
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import Choice, Node, choice
from re2nn_core.services.rule_systems.slot_filling.reading_choice import among_readings
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, TagDecider, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench, Spans
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import OUTSIDE, Span

MOST = 10
MOST_GROWN = 300  # rules that are made from nothing
FOLDS = 10
SEED = 0
HELD_OUT = ("dev", "test")
_NO_NAME = re.compile(r"[^\w\-]+")
Integers = NDArray[np.int64]
Located = tuple[int, Span]  # a span, behind the place of its text


@dataclass(frozen=True)
class SlotMaterial:
    """The annotated texts that rules may be made from: their places among all texts."""

    places: tuple[int, ...]
    held_out: int  # annotated texts of dev and test, which only evaluate

    def refuse_nothing(self, slot: str | None, gold: Sequence[Spans | None]) -> None:
        """InputError where there is nothing to propose from."""
        own = [place for place in self.places if any(slot in (None, span.slot) for span in gold[place] or ())]
        if own:
            return
        kept = _only_evaluate(self.held_out) if self.held_out else ""
        if not self.places:
            raise InputError(f"There is no annotated text to propose a rule from.{kept}\nAnnotate a few texts first.")
        spans = "span" if slot is None else f"span of the slot {slot!r}"
        texts = counted(len(self.places), "annotated text")
        raise InputError(f"{texts}, and no {spans} to propose a rule from.{kept}\nAnnotate a few spans first.")


def _only_evaluate(held_out: int) -> str:
    texts = counted(held_out, "annotated text")
    return f" The {texts} of dev and test only {'evaluates' if held_out == 1 else 'evaluate'}."


def slot_material_of(gold: Sequence[Spans | None], splits: Sequence[str | None]) -> SlotMaterial:
    """The annotated texts outside of dev and test."""
    annotated = [place for place, spans in enumerate(gold) if spans is not None]
    own = tuple(place for place in annotated if splits[place] not in HELD_OUT)
    return SlotMaterial(own, len(annotated) - len(own))


@dataclass(frozen=True, eq=False)
class SlotProposal:
    """A rule that could be added, with the word classes that it needs. `fixed_unseen` and `broken_unseen` are spans
    that it was not made from: annotated ones that are given, and annotated ones that are lost or wrong ones that are
    given. `fixed` and `broken` are all of them, by the place of their text, where the rule runs with those of the
    project; of the spans that it gives alone in annotated texts, `correct` of `matches` are annotated."""

    name: str
    slot: str
    tree: Node
    classes: Mapping[str, Node]
    fixed_unseen: int
    broken_unseen: int
    fixed: tuple[Located, ...] = ()
    broken: tuple[Located, ...] = ()
    correct: int = 0
    matches: int = 0

    @property
    def expression(self) -> str:
        return print_expression(self.tree)

    @property
    def alternatives_of_classes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The name of each word class, and its alternatives as text."""
        return tuple((name, tuple(map(print_expression, _options_of(tree)))) for name, tree in self.classes.items())

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are added to the rules."""
        return self.lines_without(())

    def lines_without(self, defined: Container[str]) -> tuple[str, ...]:
        """The same without word classes that are defined already."""
        classes = [(name, tree) for name, tree in self.classes.items() if name not in defined]
        lines = [line for name, tree in classes for line in wrapped(_class_line(name, tree))]
        return (*lines, *wrapped(f"{self.name} := {self.expression}"))


def _class_line(name: str, tree: Node) -> str:
    return f"@{name}@=( {print_expression(tree)} )"


def propose_for_slots(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    *,
    slot: str | None = None,
    most: int = MOST,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[SlotProposal, ...]:
    """At most so many rules, the one that gains most on unseen spans first; for one slot if it is given. Empty where no
    value and no context holds on texts that it was not made from. InputError where there is nothing to make them from,
    or no such slot."""
    if slot is not None and slot not in analysis.slots:
        raise InputError(f"No rule and no text has the slot {slot!r}.\nThe slots are: {', '.join(analysis.slots)}.")
    material.refuse_nothing(slot, analysis.gold)
    return _run(grow_for_slots(analysis, material, slot=slot, most=most, stop=stop), analysis)


def grow_for_slots(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    *,
    slot: str | None = None,
    most: int = MOST_GROWN,
    stop: Callable[[], bool] = lambda: False,
) -> list[SlotProposal]:
    """Rules one after the other, each for what is missed with those before it; without what each does alone."""
    found, search = search_through(analysis, material, slot)
    taken = {entry.name for entry in analysis.system.ruleset.entries}
    classes = {entry.name: entry.tree for entry in analysis.system.ruleset.entries if isinstance(entry, WordClass)}
    return [_proposal(rule, found, taken, classes) for rule in search.run(most=most, stop=stop)]


def search_through(analysis: SlotAnalysis, material: SlotMaterial, slot: str | None = None) -> tuple[Material, Search]:
    """What rules for all slots, or one, are made of, and the search through it."""
    bench, places = analysis.bench, material.places
    slots = tuple(one for one in analysis.slots if SLOT.fullmatch(one))
    row = word_row([bench.sentences[place] for place in places], folds_of(len(places)))
    words = [_in_words(bench, place, analysis.gold[place] or ()) for place in places]
    longest = analysis.system.logic.longest
    found, claims = find_material(row, span_row(row, words, slots), slots, longest=longest)
    votes = _votes(analysis, material, row, found)
    return found, _new_search(found, claims, votes, slot)


def _new_search(found: Material, claims: Claims, votes: Votes, slot: str | None) -> Search:
    wanted = np.asarray([slot in (None, one) for one in found.slots], dtype=np.bool_)
    return Search(claims, found.alternatives, votes, FOLDS, wanted)


def folds_of(count: int) -> Integers:
    """[texts]: a fold for each text by chance, the same whenever it is asked for."""
    return np.asarray(np.random.default_rng(SEED).permutation(count) % FOLDS, dtype=np.int64)


def _in_words(bench: SlotBench, place: int, spans: Spans) -> tuple[Span, ...]:
    """Spans in numbers of words; those that meet no borders of words are left out."""
    if not spans:
        return ()
    first = {token.start: number for number, token in enumerate(bench.tokens[place])}
    behind = {token.end: number + 1 for number, token in enumerate(bench.tokens[place])}
    return tuple(
        Span(first[span.start], behind[span.end], span.slot)
        for span in spans
        if span.start in first and span.end in behind
    )


def _votes(analysis: SlotAnalysis, material: SlotMaterial, row: WordRow, found: Material) -> Votes:
    """The votes of the rules that there are."""
    system, bench = analysis.system, analysis.bench
    by_words = any(OUTSIDE in tags_of_tree(tree) for _, tree in system.trees)
    divide = _as_decided if by_words else partial(among_readings, longest=system.logic.longest)
    votes = new_votes(
        row,
        found.slots,
        found.gold,
        longest=system.logic.longest,
        divide=divide,
        named=system.tags,
        priorities=system.logic.priorities,
    )
    number = {slot: place for place, slot in enumerate(found.slots)}
    many = len(found.slots)
    columns = {f"B-{slot}": place for slot, place in number.items()}
    columns |= {f"I-{slot}": many + place for slot, place in number.items()} | {OUTSIDE: 2 * many}
    texts = np.zeros(row.texts, dtype=np.bool_)
    for text, place in enumerate(material.places):
        begin = int(row.begins[text])
        for own in analysis.accepting.get(place, ()):
            texts[text] = True
            for step, tags in enumerate(own.sets):
                for tag in tags:
                    if tag in columns:
                        votes.votes[begin + step, columns[tag]] += 1
            spans = _in_words(bench, place, analysis.readings[own.rule].spans.get(place, ()))
            votes.readings.setdefault(text, set()).update(
                Span(begin + span.start, begin + span.end, span.slot) for span in spans
            )
    votes.decide(texts)
    return votes


def _as_decided(tags: Sequence[str], _: Sequence[Span]) -> Sequence[str]:
    return tags


def _proposal(rule: FoundRule, found: Material, taken: set[str], classes: dict[str, Node]) -> SlotProposal:
    def name_class(wanted: str, options: Sequence[Node]) -> tuple[str, bool]:
        own = frozenset(options)
        for name, tree in classes.items():
            if own == frozenset(_options_of(tree)):
                return name, True
        name = _free(wanted, taken | classes.keys())
        classes[name] = choice(list(options))
        return name, False

    written = written_rule(found, rule.family, rule.alternatives, name_class)
    name = _free(written.slot, taken)
    taken.add(name)
    return _as_proposal(name, written, rule)


def _as_proposal(name: str, written: ProposedSlotRule, rule: FoundRule) -> SlotProposal:
    return SlotProposal(name, written.slot, written.tree, written.classes, rule.fixed, rule.broken)


def _options_of(tree: Node) -> tuple[Node, ...]:
    return tree.options if isinstance(tree, Choice) else (tree,)


def _run(proposals: Sequence[SlotProposal], analysis: SlotAnalysis) -> tuple[SlotProposal, ...]:
    """The proposals with what the rule of each does when it runs with the rules of the project."""
    old = analysis.system
    rules_text = with_slot_proposals(old.rules_text, proposals)
    system, _ = read_slot_system(rules_text, old.logic_text, old.tokenization, known_slots=old.known_slots)
    classes: dict[str, Node] = {}
    found = []
    for place, proposal in enumerate(proposals):
        classes |= proposal.classes
        needed = {name: tree for name, tree in classes.items() if f"@{name}@" in proposal.expression}
        found.append(_with_effect(replace(proposal, classes=needed), len(old.trees) + place, system, analysis))
    return tuple(found)


def _with_effect(proposal: SlotProposal, rule: int, system: SlotSystem, analysis: SlotAnalysis) -> SlotProposal:
    """The proposal with the spans that it fixes and breaks; `rule`: its place in the system."""
    bench = analysis.bench
    name, tree = system.trees[rule]
    decider = TagDecider(ordered_tags([tags_of_tree(tree)]), system.logic, lambda: [tree])
    fixed: list[Located] = []
    broken: list[Located] = []
    correct = matches = 0
    annotated = [text for text, gold in enumerate(analysis.gold) if gold is not None]
    sets_of = tag_sets_of_rule(tree, [bench.sentences[text] for text in annotated], name)
    for text, sets in ((annotated[place], sets) for place, sets in sets_of.items()):
        gold, was, words = analysis.gold[text] or (), analysis.answers[text], bench.sentences[text]
        others = analysis.accepting.get(text, ())
        alone = bench.spans_of(text, decider.decide(words, [RuleTags(0, sets)]))
        now = bench.spans_of(text, system.decide(words, [*others, RuleTags(rule, sets)])) if others else alone
        matches += len(alone)
        correct += sum(span in gold for span in alone)
        fixed += [(text, span) for span in now if span in gold and span not in was]
        broken += [(text, span) for span in was if span in gold and span not in now]
        # An incorrect span in place of an incorrect one breaks nothing.
        gone = sum(span not in gold and span not in now for span in was)
        broken += [(text, span) for span in now if span not in gold and span not in was][gone:]
    return replace(proposal, fixed=tuple(fixed), broken=tuple(broken), correct=correct, matches=matches)


def _free(wanted: str, taken: set[str]) -> str:
    """A name that no rule and no class has."""
    stem = _NO_NAME.sub("_", wanted).strip("_") or "proposed"
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def with_slot_proposals(rules_text: str, proposals: Sequence[SlotProposal]) -> str:
    """The rules with the proposed ones behind them, each behind the word classes that are not defined yet."""
    head = rules_text.rstrip()
    lines: list[str] = []
    defined: set[str] = set()
    for proposal in proposals:
        lines += ["", *proposal.lines_without(defined)]
        defined |= proposal.classes.keys()
    return "\n".join([*([head] if head else []), *lines[0 if head else 1 :]]) + "\n" if lines else rules_text
