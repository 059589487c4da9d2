"""What should be known of the figures of slot rules before they are believed: a quiet line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.rule_writing.slot_filling.starter_rules import SUGGESTED
from re2nn_core.services.values.stored import TextRecord

_NAMED = 5


def draw_remarks(analysis: SlotAnalysis, draft: Draft, records: Sequence[TextRecord]) -> None:
    """Slots that no text has, and rules that were made from the texts they are measured on."""
    found = [*_unseen(analysis), *_suggested(analysis, draft, records)]
    html("".join(f'<div class="re2-muted re2-remark">{escape(one)}</div>' for one in found))


def _unseen(analysis: SlotAnalysis) -> Iterator[str]:
    spelt = {slot: other for slot in analysis.unseen if (other := analysis.spelt_in_texts(slot)) is not None}
    for slot, other in spelt.items():
        yield (
            f"The texts write {other}, the rules {slot}: write it alike, or let slot names compare without regard to "
            "case (Projects, More)."
        )
    alone = [slot for slot in analysis.unseen if slot not in spelt]
    if alone:
        named = ", ".join(alone[:_NAMED]) + (f" and {len(alone) - _NAMED} more" if len(alone) > _NAMED else "")
        yield f"No text is marked with {named}, so nothing tells whether the rules for it are right."


def _suggested(analysis: SlotAnalysis, draft: Draft, records: Sequence[TextRecord]) -> Iterator[str]:
    if SUGGESTED not in draft.rules_text or not analysis.marked_texts:
        return
    said = "These rules were suggested from the marked train texts and are measured on the same here"
    for split in ("dev", "test"):
        places = [place for place, record in enumerate(records) if record.split == split and record.label is not None]
        f1 = analysis.counts_on(places).f1 if places else None
        if f1 is not None:
            yield f"{said}. On {split} texts, which they were not made from: F1 {100 * f1:.1f}."
            return
    yield f"{said}: their figures say nothing of other texts. Give some texts the split dev to learn that."
