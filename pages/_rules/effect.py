"""Which texts an edit fixes, breaks and changes against the saved version: a view beside those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import MarkedText, text_list
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Effect, effect
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotEffect
from re2nn_core.services.values.stored import TextRecord

_SHOWN = 100
Texts = Callable[[Sequence[int]], None]  # draws the texts of these places


@dataclass(frozen=True)
class EffectView:
    """The effect of an edit: the title of its view, which counts the texts, and what draws them."""

    title: str
    draw: Callable[[], None]


def effect_title(change: Effect | SlotEffect) -> str:
    """How many texts are fixed and broken, in Markdown, to be seen while somebody types."""
    if change.nothing:
        return "Effect: none"
    return f"Effect :green[▲ {len(change.fixed):,}] :red[▼ {len(change.broken):,}]"


def label_effect(
    now: Analysis, before: Analysis, records: Sequence[TextRecord], palette: Palette, base: int
) -> EffectView:
    """The effect of an edit of rules for labels."""
    title = effect_title(effect(now, before))
    return EffectView(title, lambda: draw_effect(now, before, records, palette, base))


def draw_effect(
    now: Analysis,
    before: Analysis,
    records: Sequence[TextRecord],
    palette: Palette,
    base: int,
    what: str = "this edit",
) -> None:
    """Texts fixed, then those broken, then other changes. `what` is the edit, as the heading calls it."""

    def draw(places: Sequence[int]) -> None:
        text_list(
            [MarkedText(records[place].text, meta=prediction_change(place, now, before, palette)) for place in places]
        )

    draw_head(now.texts, base, what=what)
    meanings = ("now correct", "now incorrect", "prediction changed, neither fixed nor broken")
    draw_sides(effect(now, before), meanings, "No prediction changes.", draw)


def draw_head(texts: int, base: int, figures: str = "", what: str = "this edit") -> None:
    """The line above the texts; `figures` are HTML."""
    where = f"on {('the one text' if texts == 1 else f'all {texts:,} texts')}, compared with rules v{base}"
    html(f'<div><b>Effect of {what}</b> <span class="re2-muted">{where}</span>{figures}</div>')


def draw_sides(change: Effect | SlotEffect, meanings: tuple[str, str, str], nothing: str, draw: Texts) -> None:
    """Texts fixed, then those broken, then other changes, with what each of these means. One below the other: beside an
    open list a closed one would leave half of the page empty."""
    if change.nothing:
        html(f'<div class="re2-muted">{nothing}</div>')
        return
    fixed, broken, changed = meanings
    _side("▲ Fixed", fixed, change.fixed, draw)
    _side("▼ Broken", broken, change.broken, draw)
    if len(change.changed):
        _side("Changed", changed, change.changed, draw)


def _side(title: str, meaning: str, places: NDArray[np.int64], draw: Texts) -> None:
    with st.expander(f"**{title} {len(places):,}** · {meaning}", expanded=0 < len(places) <= 12):
        if not len(places):
            html('<div class="re2-muted">None.</div>')
            return
        draw([int(place) for place in places[:_SHOWN]])
        if len(places) > _SHOWN:
            html(f'<div class="re2-muted">and {len(places) - _SHOWN:,} more</div>')


def prediction_change(place: int, now: Analysis, before: Analysis, palette: Palette) -> str:
    """The prediction of a text before and now, as HTML."""
    old = palette.chip(before.prediction(place), missing=NO_PREDICTION)
    new = palette.chip(now.prediction(place), missing=NO_PREDICTION)
    return f'{old} <span class="re2-muted">→</span> {new}'
