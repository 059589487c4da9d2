"""Which texts an edit of rules for slots makes better, worse, or only different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pages._rules.effect import EffectView, draw_head, draw_sides, effect_title
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import difference
from pages._shared.drawing.spans import Shown, SpanText, span_html, span_list, spans_html
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, slot_effect
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts
from re2nn_core.services.values.stored import TextRecord


def slot_edit_effect(
    now: SlotAnalysis, before: SlotAnalysis, records: Sequence[TextRecord], palette: Palette, base: int
) -> EffectView:
    """The effect of an edit of rules for slots."""
    title = effect_title(slot_effect(now, before))
    return EffectView(title, lambda: draw_slot_effect(now, before, records, palette, base))


def draw_slot_effect(
    now: SlotAnalysis,
    before: SlotAnalysis,
    records: Sequence[TextRecord],
    palette: Palette,
    base: int,
    what: str = "this edit",
) -> None:
    """F1 before and now, then texts fixed on the left, lost on the right, other changes below."""

    def draw(places: Sequence[int]) -> None:
        span_list([moved_spans(now, before, records[place].text, place, palette) for place in places])

    change = slot_effect(now, before)
    draw_head(now.texts, base, f" &nbsp; {_scores(change.before, change.now)}", what)
    meanings = ("fewer errors", "more errors", "as many errors as before, or not annotated")
    draw_sides(change, meanings, "No span changes.", draw)


def _scores(before: SpanCounts, now: SpanCounts) -> str:
    if before.f1 is None or now.f1 is None:
        return ""
    gain = difference((now.f1 - before.f1) * 100, digits=1)
    return f"F1 {100 * before.f1:.1f} → <b>{100 * now.f1:.1f}</b>{gain}"


def moved_spans(
    now: SlotAnalysis,
    before: SlotAnalysis,
    text: str,
    place: int,
    palette: Palette,
    learned: Iterable[tuple[int, int]] = (),
) -> SpanText:
    """The text with what is new in it, and a note for each span that is new or gone; `learned` words are marked."""
    gold, new, old = now.gold[place], now.predictions[place], before.predictions[place]
    gained, removed = [s for s in new if s not in old], [s for s in old if s not in new]
    shown = [Shown(span, "wrong" if gold is not None and span not in gold else "given") for span in gained]
    notes = [f"<b>+</b> {span_html(text, span, palette)}{_verdict(span in (gold or ()), gold)}" for span in gained]
    notes += [f"<b>−</b> {span_html(text, span, palette)}{_verdict(span in (gold or ()), gold)}" for span in removed]
    return SpanText(spans_html(text, shown, palette, learned), "", tuple(notes))


def _verdict(right: bool, gold: object) -> str:
    return "" if gold is None else " ✓" if right else " ✗"
