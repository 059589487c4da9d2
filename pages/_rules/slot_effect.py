"""Below the editor: which texts an edit of slot rules makes better, worse, or only different."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._shared.labels import Palette
from pages._shared.markup import difference, html
from pages._shared.spans import Shown, SpanText, span_html, span_list, spans_html
from re2nn_core.services.slot_hits import SlotAnalysis, SlotEffect
from re2nn_core.services.slot_mistakes import SpanCounts
from re2nn_core.store import TextRecord

_SHOWN = 100


def draw_slot_effect(
    now: SlotAnalysis,
    before: SlotAnalysis,
    change: SlotEffect,
    records: Sequence[TextRecord],
    palette: Palette,
    base: int,
) -> None:
    """F1 before and now, then texts won on the left, lost on the right, other changes below."""
    html(
        f'<div style="margin-top:.6rem"><b>Effect of this edit</b> <span class="re2-muted">on all {now.texts:,} texts, '
        f"against version {base}</span> &nbsp; {_scores(change.before, change.now)}</div>"
    )
    if change.nothing:
        html('<div class="re2-muted">No span changes.</div>')
        return
    left, right = st.columns(2)
    with left:
        _side("▲ Won", "fewer mistakes", change.won, now, before, records, palette)
    with right:
        _side("▼ Lost", "more mistakes", change.lost, now, before, records, palette)
    if len(change.changed):
        _side("Changed", "as many mistakes as before, or not marked", change.changed, now, before, records, palette)


def _scores(before: SpanCounts, now: SpanCounts) -> str:
    if before.f1 is None or now.f1 is None:
        return ""
    gain = difference((now.f1 - before.f1) * 100, digits=1)
    return f"F1 {100 * before.f1:.1f} → <b>{100 * now.f1:.1f}</b>{gain}"


def _side(
    title: str,
    meaning: str,
    places: NDArray[np.int64],
    now: SlotAnalysis,
    before: SlotAnalysis,
    records: Sequence[TextRecord],
    palette: Palette,
) -> None:
    with st.expander(f"**{title} {len(places):,}** · {meaning}", expanded=0 < len(places) <= 12):
        if not len(places):
            html('<div class="re2-muted">None.</div>')
            return
        span_list([_row(now, before, records[place].text, int(place), palette) for place in places[:_SHOWN]])
        if len(places) > _SHOWN:
            html(f'<div class="re2-muted">and {len(places) - _SHOWN:,} more</div>')


def _row(now: SlotAnalysis, before: SlotAnalysis, text: str, place: int, palette: Palette) -> SpanText:
    """The text with what is new in it, and a note for each span that is new or gone."""
    gold, new, old = now.gold[place], now.answers[place], before.answers[place]
    gained, gone = [s for s in new if s not in old], [s for s in old if s not in new]
    shown = [Shown(span, "wrong" if gold is not None and span not in gold else "given") for span in gained]
    notes = [f"<b>+</b> {span_html(text, span, palette)}{_verdict(span in (gold or ()), gold)}" for span in gained]
    notes += [f"<b>−</b> {span_html(text, span, palette)}{_verdict(span in (gold or ()), gold)}" for span in gone]
    return SpanText(spans_html(text, shown, palette), "", tuple(notes))


def _verdict(right: bool, gold: object) -> str:
    return "" if gold is None else " ✓" if right else " ✗"
