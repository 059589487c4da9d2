"""A draft with a proposed rule for slots accepted, and what a proposal does to texts that made none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.services.rule_writing.draft import Draft, put_texts, reveal_rule
from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion, with_slot_exclusion
from re2nn_core.services.rule_writing.slot_filling.material import HELD_OUT
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis


def accept_slot_proposal(draft: Draft, analysis: SlotAnalysis, proposal: SlotProposal | SlotExclusion) -> Draft | None:
    """The draft with the rule or condition in its editor; None where it has other texts by now than those that were
    analysed."""
    system = analysis.system
    if draft.editors.both != (system.rules_text, system.logic_text):
        return None
    if isinstance(proposal, SlotExclusion):
        line = next(one.line for one in system.ruleset.rules if one.name == proposal.rule)
        changed = with_slot_exclusion(system, proposal)
        return reveal_rule(put_texts(draft, changed, system.logic_text), proposal.rule, line)
    rules_text = with_slot_proposals(system.rules_text, [proposal])
    draft = replace(draft, selected=None)
    return reveal_rule(put_texts(draft, rules_text, system.logic_text), proposal.name)


def held_out_spans(
    proposal: SlotProposal | SlotExclusion, splits: Sequence[str | None]
) -> tuple[tuple[str, int, int], ...]:
    """(split, fixed, broken) for dev and test, where there are such texts."""
    fixed, broken = (Counter(splits[place] for place, _ in found) for found in (proposal.fixed, proposal.broken))
    return tuple((split, fixed[split], broken[split]) for split in HELD_OUT if split in splits)
