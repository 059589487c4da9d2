"""New rules for spans that the reconstructed rules still miss: those that are proposed for the annotated texts.

Each is evaluated out-of-fold (proposals/slot_filling/span_search.py); what is found is taken where dev loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.reconstruction.slot_filling.report import LearnedRule
from re2nn_core.rules.tree import Except, walk
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of
from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slot_system, analyse_slots
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.text.corpus import Corpus

LEAST_GAIN = 3  # spans that a rule must gain of those that it was not made from
MOST = 20  # rules
HEADING = "// New rules, proposed for the annotated texts."


def with_proposed_slot_rules(corpus: Corpus, system: SlotSystem) -> tuple[str, tuple[LearnedRule, ...]]:
    """The rules of a system with further rules by which F1 of the dev texts does not fall, and these. Values for word
    classes that are there, and contexts of any word but some, are not taken. Test texts take no part."""
    gold, splits = [one.spans for one in corpus], [one.split for one in corpus]
    now = analyse_slot_system(SlotBench(corpus.texts, system.tokenization), gold, system)
    material = slot_material_of(gold, splits)
    if not any(gold[place] for place in material.places):
        return system.rules_text, ()
    found = propose_for_slots(now, material, most=MOST)
    dev = [place for place, split in enumerate(splits) if split == "dev" and gold[place] is not None]
    kept = [one for one in found if _is_readable(one) and one.gain >= LEAST_GAIN and _holds(one, frozenset(dev))]
    before = _f1(corpus, system, ()) if kept else 0.0
    while kept and _f1(corpus, system, kept) < before:
        kept.pop()  # that which gains least
    if not kept:
        return system.rules_text, ()
    rules = tuple(LearnedRule(one.name, one.slot, one.expression, one.gain) for one in kept)
    return with_slot_proposals(f"{system.rules_text.rstrip()}\n\n{HEADING}", kept), rules


def _is_readable(proposal: SlotProposal) -> bool:
    """Whether it is a rule that names what it reads: no values for a class, and no hundreds of words that it does not
    read, of which a card that lists the words of a rule gives a wrong idea."""
    return proposal.extends is None and not any(isinstance(part, Except) for part in walk(proposal.tree))


def _holds(proposal: SlotProposal, dev: frozenset[int]) -> bool:
    """Whether it breaks no more spans of dev texts than it fixes, with the rules that there are."""
    fixed, broken = (sum(place in dev for place, _ in part) for part in (proposal.fixed, proposal.broken))
    return fixed >= broken


def _f1(corpus: Corpus, system: SlotSystem, proposals: Sequence[SlotProposal]) -> float:
    """F1 of the dev texts with these rules too; 0 without such texts."""
    dev = [one for one in corpus if one.split == "dev" and one.spans is not None]
    bench, gold = SlotBench([one.text for one in dev], system.tokenization), [one.spans for one in dev]
    rules_text = with_slot_proposals(system.rules_text, proposals)
    found = analyse_slots(bench, gold, rules_text, system.logic_text, system.known_slots)
    return count_spans(gold, found.predictions).f1 or 0.0
