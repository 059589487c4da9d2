"""Rules proposed for slots at any time, for all slots or one: from annotated spans that the rules miss.

Values and contexts are found and evaluated out-of-fold (proposals/slot_filling/span_search.py) on annotated texts
outside of dev and test, and on texts with guessed spans; what is shown of a proposal is what its rule does when it runs
with the rules of the project and those proposed before it, on every annotated text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

import numpy as np

from re2nn_core.errors import InputError
from re2nn_core.proposals.slot_filling.rule_tree import MOST_WORDS, ProposedSlotRule, RuleMaterial, written_rule
from re2nn_core.proposals.slot_filling.span_search import FoundRule, SpanSearch, find_material
from re2nn_core.proposals.slot_filling.votes import Votes, new_votes
from re2nn_core.proposals.slot_filling.word_row import WordRow, span_row, word_row
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.leaves import SLOT
from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import ClassReference, Concat, Node, Number, Word, walk
from re2nn_core.services.rule_systems.slot_filling.reading_choice import among_readings
from re2nn_core.services.rule_writing.slot_filling.material import SlotMaterial, in_words
from re2nn_core.services.rule_writing.slot_filling.named_classes import NamedClasses, named_classes
from re2nn_core.services.rule_writing.slot_filling.proposal_effects import with_effects
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import (
    SlotProposal,
    alternatives_of,
    captured_alone,
    class_to_extend,
    classes_in,
    free_class_name,
)
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.spans import OUTSIDE, Span

MOST = 10
LOOKED_AT = 40  # rules among which are looked for those that fix chosen texts
MOST_GROWN = 300  # rules that are made from nothing
QUICK_TEXTS, QUICK_RULES = 1000, 5  # of a first look
_NO_SLOT = "None has any slot yet. Annotate a few texts first."


def propose_for_slots(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    *,
    slot: str | None = None,
    most: int = MOST,
    chosen: Collection[int] = (),
    words: Collection[str] = (),
    quick: bool = False,
) -> tuple[SlotProposal, ...]:
    """At most so many rules, the one that gains most on unseen spans first, and none that gains nothing there; for one
    slot if it is given, and those that fix a span of a text at the `chosen` places, and name one of the `words`, if
    there are some. `quick`: of fewer texts, as a first look at what takes longer. Empty where no value and no context
    holds on texts that it was not made from. InputError where there is nothing to make them from, or no such slot."""
    if slot is not None and slot not in analysis.slots:
        slots = f"The slots are: {', '.join(analysis.slots)}." if analysis.slots else _NO_SLOT
        raise InputError(f"No rule and no text has the slot {slot!r}.\n{slots}")
    material.refuse_nothing(slot, analysis.gold)
    if quick:
        material, most = material.without_guesses().sample(QUICK_TEXTS), min(most, QUICK_RULES)
    if not chosen:
        return _gaining(analysis, material, slot, most)
    own = set(chosen) & set(material.places)
    if not own:
        raise InputError("No selected text is annotated outside of dev and test, which only evaluate.\nSelect others.")
    every = _gaining(analysis, material, slot, LOOKED_AT)
    classes = {entry.name: entry.tree for entry in analysis.system.ruleset.entries if isinstance(entry, WordClass)}
    fixing = [one for one in every if any(place in own for place, _ in one.fixed)]
    return tuple(one for one in fixing if not words or one.names(words, classes))[:most]


def grow_for_slots(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    *,
    slot: str | None = None,
    most: int = MOST_GROWN,
    most_words: int = MOST_WORDS,
    in_own_rules: bool = False,
    stop: Stop | None = None,
) -> list[SlotProposal]:
    """Rules one after the other, each for what is missed with those before it, of so many words at most; without what
    each does alone. `in_own_rules`: no values for word classes that are there; once `stop` is asked to, no more."""
    found, search = search_through(analysis, material.sample(), slot)
    made = takewhile(lambda _: stop is None or not stop.asked(), search.run(most=most))
    return _proposals_of(analysis, found, list(made), most_words, in_own_rules=in_own_rules)


def _gaining(analysis: SlotAnalysis, material: SlotMaterial, slot: str | None, most: int) -> tuple[SlotProposal, ...]:
    """Rules that fix more than they break, each with the rules of the project alone: on texts that it was not made
    from, and when it runs on all texts that it was made from. The one that gains most first."""
    found, search = search_through(analysis, material.sample(), slot)
    search.gaining, before = True, search.votes.copied()
    every = [search.alone(before, rule) for rule in search.run(most=most)]
    made = [rule for rule in every if rule.gains]
    own = set(material.places)

    def gains(one: SlotProposal) -> bool:
        fixed, broken = (sum(place in own for place, _ in part) for part in (one.fixed, one.broken))
        return fixed > broken

    proposals = with_effects(_proposals_of(analysis, found, made, MOST_WORDS), analysis)
    return tuple(sorted(filter(gains, proposals), key=lambda one: -one.gain))


def _proposals_of(
    analysis: SlotAnalysis,
    found: RuleMaterial,
    made: Sequence[FoundRule],
    most_words: int,
    *,
    in_own_rules: bool = False,
) -> list[SlotProposal]:
    """The rules with their names and word classes; values for classes that are there, unless all are `in_own_rules`."""
    named = named_classes(analysis.system.ruleset, found.row.names)
    classes, known = named.classes, set(named.classes)
    proposals: Iterable[SlotProposal] = (_proposal(rule, found, named, most_words) for rule in made)
    found_rules = []
    if not in_own_rules:
        giving = {name for name, place in analysis.rule_index.items() if analysis.readings[place].spans}
        proposals = (_as_values(one, analysis.system.ruleset, classes, giving) for one in proposals)
    for proposal in proposals:
        needed = {name: classes[name] for name in classes_in(proposal.tree) if name not in known}
        found_rules.append(replace(proposal, classes=needed))
    return found_rules


def search_through(
    analysis: SlotAnalysis, material: SlotMaterial, slot: str | None = None
) -> tuple[RuleMaterial, SpanSearch]:
    """What rules for all slots, or one, are made of, and the search through it."""
    bench = analysis.bench
    slots = tuple(one for one in analysis.slots if SLOT.fullmatch(one))
    row = word_row([bench.sentences[place] for place in material.every_place], material.folds)
    words = [in_words(bench, place, analysis.gold[place] or ()) for place in material.places]
    words += material.guessed.spans
    longest = analysis.system.logic.longest
    found, claims = find_material(row, span_row(row, words, slots), slots, longest=longest)
    votes = _votes(analysis, material, row, found)
    wanted = np.asarray([slot in (None, one) for one in found.slots], dtype=np.bool_)
    return found, SpanSearch(claims, found.alternatives, votes, material.guessed_from, wanted)


def _votes(analysis: SlotAnalysis, material: SlotMaterial, row: WordRow, found: RuleMaterial) -> Votes:
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
    for text, place in enumerate(material.every_place):
        begin = int(row.begins[text])
        for own in analysis.accepting.get(place, ()):
            texts[text] = True
            for step, tags in enumerate(own.sets):
                for tag in tags:
                    if tag in columns:
                        votes.votes[begin + step, columns[tag]] += 1
            spans = in_words(bench, place, analysis.readings[own.rule].spans.get(place, ()))
            votes.readings.setdefault(text, set()).update(
                Span(begin + span.start, begin + span.end, span.slot) for span in spans
            )
    votes.decide(texts)
    return votes


def _as_decided(tags: Sequence[str], _: Sequence[Span]) -> Sequence[str]:
    return tags


def _proposal(rule: FoundRule, found: RuleMaterial, named: NamedClasses, most_words: int) -> SlotProposal:
    written = written_rule(found, rule.family, rule.alternatives, named.name, most_words)
    name = free_class_name(written.slot, named.taken)
    named.taken.add(name)
    return _as_proposal(name, written, rule)


def _as_values(proposal: SlotProposal, ruleset: RuleSet, classes: dict[str, Node], giving: set[str]) -> SlotProposal:
    """Values for a class that a rule of the project has, where the proposed rule would do the same for other values."""
    capture, host = captured_alone(proposal.tree), class_to_extend(ruleset, proposal.slot, giving)
    if capture is None or host is None:
        return proposal
    parts = alternatives_of(capture.inner)
    named = (alternatives_of(classes[one.name]) if isinstance(one, ClassReference) else (one,) for one in parts)
    values = tuple(value for own in named for value in own)
    if not all(isinstance(part, Word | Number | Concat) for value in values for part in walk(value)):
        return proposal
    rule, name = host
    return replace(proposal, name=rule.name, tree=rule.tree, classes={}, extends=name, added=values)


def _as_proposal(name: str, written: ProposedSlotRule, rule: FoundRule) -> SlotProposal:
    return SlotProposal(
        name,
        written.slot,
        written.tree,
        written.classes,
        fixed_unseen=rule.fixed,
        broken_unseen=rule.broken,
        fixed_guessed=rule.guessed_fixed,
        broken_guessed=rule.guessed_broken,
    )
