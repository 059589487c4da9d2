"""All that is proposed for slots at once, accepted together: rules first, then the conditions that still gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion, with_slot_exclusion
from re2nn_core.services.rule_writing.slot_filling.material import SlotMaterial
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans


@dataclass(frozen=True)
class SlotsAccepted:
    """The rules with all that was accepted, its conditions, and those that gain nothing with the others."""

    rules_text: str
    conditions: tuple[SlotExclusion, ...] = ()
    left_out: tuple[SlotExclusion, ...] = ()


def accept_slots_together(
    analysis: SlotAnalysis,
    material: SlotMaterial,
    proposals: Sequence[SlotProposal],
    exclusions: Sequence[SlotExclusion],
) -> SlotsAccepted:
    """All proposed rules, and the conditions by which F1 rises on the annotated texts of the material. `analysis`: of
    the rules without them."""
    system = analysis.system
    rules_text = with_slot_proposals(system.rules_text, proposals)
    if not exclusions:
        return SlotsAccepted(rules_text)

    def analysed(text: str) -> SlotAnalysis:
        return analyse_slots(analysis.bench, analysis.gold, text, system.logic_text, system.known_slots)

    now = analysed(rules_text)
    accepted: list[SlotExclusion] = []
    for one in exclusions:
        then = analysed(with_slot_exclusion(now.system, one))
        if _f1(then, material) > _f1(now, material):
            now = then
            accepted.append(one)
    left_out = tuple(one for one in exclusions if one not in accepted)
    return SlotsAccepted(now.system.rules_text, tuple(accepted), left_out)


def _f1(analysis: SlotAnalysis, material: SlotMaterial) -> float:
    own = material.places
    counts = count_spans([analysis.gold[place] for place in own], [analysis.predictions[place] for place in own])
    return counts.f1 or 0.0
