"""What should be known of the figures of slot rules before they are believed: a quiet line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pages._rules.remarks import draw_lines, suggested
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import TextRecord

_NAMED = 5


def draw_remarks(analysis: SlotAnalysis, draft: Draft, records: Sequence[TextRecord]) -> None:
    """Slots that no text has, and rules that were made from the texts they are measured on."""
    draw_lines([*_unseen(analysis), *suggested(draft, records, partial(_f1, analysis))])


def _unseen(analysis: SlotAnalysis) -> Iterator[str]:
    spelt = {slot: other for slot in analysis.unseen if (other := analysis.spelt_in_texts(slot)) is not None}
    for slot, other in spelt.items():
        yield (
            f"Texts use {other}, rules use {slot}. Use the same spelling, or ignore case in slot names "
            "(Projects, More)."
        )
    alone = [slot for slot in analysis.unseen if slot not in spelt]
    if alone:
        named = ", ".join(alone[:_NAMED]) + (f" and {len(alone) - _NAMED} more" if len(alone) > _NAMED else "")
        yield f"No text is annotated with {named}, so its rules cannot be evaluated."


def _f1(analysis: SlotAnalysis, places: list[int]) -> str | None:
    f1 = analysis.counts_on(places).f1
    return None if f1 is None else f"F1 {100 * f1:.1f}"
