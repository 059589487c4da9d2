"""The answers for slots: figures, views and filters, the texts, and the reasons behind the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._predict.filters import UNSURE_BELOW, View, choose_names, choose_search, choose_sureness, choose_view
from pages._predict.results import TABLE_HEIGHT
from pages._predict.slot_filling.sources import SlotGiven
from pages._shared.components.span_rows import RowNote, SpanRow, walk_spans
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import figures, html
from re2nn_core.services.prediction.slot_filling.prediction_files import (
    NO_SPAN,
    SlotsWanted,
    least_confidence_percent,
    scores_of,
    select_texts,
    wrong_texts,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.text.counting import counted

Integers = NDArray[np.int64]
_A_PAGE = 100
_BELOW = 50  # pixels below the list, for its pages
_STEPS = (("Before", ":material/chevron_left:", -1), ("Next", ":material/chevron_right:", 1))
_NO_SPAN_NAME = "nothing marked"


def draw_slot_figures(answered: SpanPredictions, given: SlotGiven, unseen: Sequence[str] = ("dev", "test")) -> None:
    """What came out, in a row of numbers; `unseen`: the splits that a trained network has not learned from."""
    spans = sum(map(len, answered.spans))
    with_spans = sum(bool(one) for one in answered.spans)
    shown = [
        (f"{len(answered):,}", "text" if len(answered) == 1 else "texts", ""),
        (f"{spans:,}", "spans", ""),
        (f"{with_spans:,}", "texts with a span", ""),
    ]
    if answered.trained:
        shown.append((f"{int(answered.differing.sum()):,}", "where rules and network differ", ""))
    html(figures([*shown, *_scores(answered, given, unseen)]))


def _scores(answered: SpanPredictions, given: SlotGiven, unseen: Sequence[str]) -> list[tuple[str, str, str]]:
    """F1 of the spans. A trained network has seen the train texts, so these say nothing of it."""
    measured = [split for split in unseen if split in given.splits] if answered.trained else []
    found = [
        (f"F1 on {split}", scores_of(answered, given.gold, [part == split for part in given.splits]))
        for split in measured
    ]
    if not found:
        name = "F1, mostly of texts it has learned from" if answered.trained and given.of_project else "F1"
        found = [(name, scores_of(answered, given.gold))]
    return [(f"{100 * one.f1:.1f}", name, "") for name, one in found if one is not None and one.f1 is not None]


def choose_slot_rows(answered: SpanPredictions, given: SlotGiven) -> Integers:
    """The places of the texts that views and filters leave."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        view = _choose_view(answered, given)
        names = [*_present(answered), NO_SPAN]
        slots = choose_names("Slots", names, _NO_SPAN_NAME, key="predict_slots", placeholder="any slot")
        search = choose_search()
        title = "How sure of the least sure word, in percent"
        lowest, highest = choose_sureness(title, view) if answered.trained else (0.0, 1.0)
    wanted = SlotsWanted(
        slots=(NO_SPAN,) if view == "none" else slots,
        lowest=lowest,
        highest=highest,
        differing=view == "differ",
        wrong=view == "wrong",
        search=search,
    )
    return select_texts(answered, wanted, given.gold)


def _present(answered: SpanPredictions) -> list[str]:
    """The slots that some text got."""
    found = {span.slot for spans in answered.spans for span in spans}
    return [slot for slot in answered.slots if slot in found]


def _choose_view(answered: SpanPredictions, given: SlotGiven) -> View:
    counts: dict[View, tuple[str, int]] = {
        "all": ("All", len(answered)),
        "unsure": ("Unsure", len(select_texts(answered, SlotsWanted(highest=UNSURE_BELOW)))),
        "differ": ("Rules differ", int(answered.differing.sum())),
        "wrong": ("Wrong", int(wrong_texts(answered, given.gold).sum())),
        "none": ("Nothing marked", sum(not spans for spans in answered.spans)),
    }
    offered: list[View] = [
        view
        for view, (_, count) in counts.items()
        if view == "all"
        or (view in ("unsure", "differ") and answered.trained)
        or (view == "wrong" and given.labelled)
        or (view == "none" and count)
    ]
    return choose_view(counts, offered)


def draw_slot_rows(answered: SpanPredictions, given: SlotGiven, places: Integers, palette: Palette) -> int | None:
    """The texts, a page at a time; the place of the chosen one, None where there are none."""
    if not len(places):
        with st.container(border=True, height=TABLE_HEIGHT):
            html('<div class="re2-empty re2-muted">No text is left. Take a filter away.</div>')
        return None
    list_place = st.container()
    page = _choose_page(places)
    shown = places[page * _A_PAGE : (page + 1) * _A_PAGE]
    rows = [_row(answered, given, int(place)) for place in shown]
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


def _row(answered: SpanPredictions, given: SlotGiven, place: int) -> SpanRow:
    spans, gold = answered.spans[place], given.gold[place]
    notes = []
    if answered.differing[place]:
        notes.append(RowNote("≠ rules", "The rules give other spans"))
    sure = least_confidence_percent(answered, place)
    if sure is not None:
        notes.append(RowNote(f"{sure}%", "How sure the network is of the least sure word"))
    if gold is not None:
        wrong = len(set(spans) ^ set(gold))
        meaning = (
            f"{counted(wrong, 'span is', 'spans are')} wrong or missed"
            if wrong
            else "All spans are as marked, and none is missed"
        )
        notes.append(RowNote(f"✗ {wrong}" if wrong else "✓", meaning, "bad" if wrong else "good"))
    return SpanRow(
        place,
        given.lines[place],
        answered.texts[place],
        spans,
        () if gold is None else frozenset(spans) - frozenset(gold),
        tuple(notes),
    )
