"""The predictions for slots: figures, views and filters, the texts, and the reasons behind the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages._predict.figures import TABLE_HEIGHT, draw_figures, draw_nothing, draw_seen, right_by_split
from pages._predict.filters import LOW_BELOW, Integers, Words, choose_filters, views_of
from pages._predict.slot_filling.sources import SlotGiven
from pages._shared.components.span_rows import RowNote, SpanRow, walk_spans
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import count_figure, html
from re2nn_core.services.fine_tuning.run_comparison import Learned
from re2nn_core.services.prediction.slot_filling.prediction_files import (
    SlotsWanted,
    least_confidence,
    scores_of,
    select_texts,
    wrong_texts,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.text.counting import counted

_A_PAGE = 100
_BELOW = 50  # pixels below the list, for its pages
_STEPS = (("Previous", ":material/chevron_left:", -1), ("Next", ":material/chevron_right:", 1))
_WORDS = Words("Slots", "predict_slots", "any slot", "no span", "Lowest confidence of a token")


def draw_slot_figures(predicted: SpanPredictions, given: SlotGiven, learned: Learned) -> None:
    """What came out, in a row of numbers; where the network has learned from dev texts, none of these."""
    counts = [
        count_figure(sum(map(len, predicted.spans)), "span"),
        count_figure(sum(map(bool, predicted.spans)), "text with a span", "texts with a span"),
    ]

    def f1(of: Sequence[bool] | None) -> float | None:
        found = scores_of(predicted, given.gold, of)
        return None if found is None else found.f1

    splits = {split: split for split in ("dev", "test") if split == "test" or not learned.from_dev}
    right = right_by_split(predicted, given, "F1", splits, f1)
    draw_figures(predicted, counts, [(f"{100 * share:.1f}", name, "") for name, share in right])
    draw_seen(predicted, given, learned, splits, f1, lambda share: f"{100 * share:.1f}")


def choose_slot_rows(predicted: SpanPredictions, given: SlotGiven) -> Integers:
    """The places of the texts that views and filters leave."""
    counts = views_of(
        predicted,
        low=len(select_texts(predicted, SlotsWanted(highest=LOW_BELOW))),
        wrong=("Texts with errors", int(wrong_texts(predicted, given.gold).sum())),
        nothing=("No span", sum(not spans for spans in predicted.spans)),
    )
    found = {span.slot for spans in predicted.spans for span in spans}
    present = [slot for slot in predicted.slots if slot in found]
    certain = bool(np.isfinite(predicted.certainty).any())
    asked = choose_filters(predicted, given, counts, present, _WORDS, certain=certain, alignment="center")
    return select_texts(predicted, SlotsWanted(*asked), given.gold)


def draw_slot_rows(predicted: SpanPredictions, given: SlotGiven, places: Integers, palette: Palette) -> int | None:
    """The texts, a page at a time; the place of the chosen one, None where there are none."""
    if not len(places):
        draw_nothing("text")
        return None
    list_place = st.container()
    page = _choose_page(places)
    shown = places[page * _A_PAGE : (page + 1) * _A_PAGE]
    rows = [_row(predicted, given, int(place)) for place in shown]
    with list_place:
        return walk_spans(
            rows, palette, key="predict_spans", label="Texts with their spans", height=TABLE_HEIGHT - _BELOW
        )


def _choose_page(places: Integers) -> int:
    """Which hundred is shown; the first one again after each change of the filters."""
    pages = -(-len(places) // _A_PAGE)
    key = f"predict_page_{hash(places.tobytes())}"
    page = min(int(st.session_state.get(key, 0)), pages - 1)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        last = min(len(places), (page + 1) * _A_PAGE)
        html(f'<span class="re2-muted">{page * _A_PAGE + 1:,} to {last:,} of {len(places):,}</span>')
        for name, icon, step in _STEPS if pages > 1 else ():
            barred = not 0 <= page + step < pages
            st.button(
                name,
                key=f"predict_page_{name}",
                disabled=barred,
                icon=icon,
                type="tertiary",
                on_click=_turn_to,
                args=(key, page + step),
            )
    return page


def _turn_to(key: str, page: int) -> None:
    st.session_state[key] = page


def _row(predicted: SpanPredictions, given: SlotGiven, place: int) -> SpanRow:
    spans, gold = predicted.spans[place], given.gold[place]
    notes = []
    if predicted.differing[place]:
        notes.append(RowNote("≠ rules", "The rules predict other spans"))
    confidence = least_confidence(predicted, place)
    if confidence is not None:
        notes.append(RowNote(f"{confidence:.2f}", "Lowest confidence of the network for a token"))
    precision = predicted.least_precision(place)
    if precision is not None:
        meaning = f"Lowest {precision.in_words}, of the rules behind a span, with its 95% interval"
        notes.append(RowNote(precision.short, meaning))
    if gold is not None:
        wrong = len(set(spans) ^ set(gold))
        meaning = (
            f"{counted(wrong, 'span is', 'spans are')} incorrect or missed"
            if wrong
            else "All spans are correct, none is missed"
        )
        notes.append(RowNote(f"✗ {wrong}" if wrong else "✓", meaning, "bad" if wrong else "good"))
    return SpanRow(
        place,
        given.lines[place],
        predicted.texts[place],
        spans,
        () if gold is None else frozenset(spans) - frozenset(gold),
        tuple(notes),
    )
