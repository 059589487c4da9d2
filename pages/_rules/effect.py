"""Below the editor: which texts the edit wins, loses and changes against the saved version."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._shared.labels import NO_ANSWER, Palette
from pages._shared.markup import html
from pages._shared.tables import MarkedText, text_list
from re2nn_core.services.hits import Analysis, Effect
from re2nn_core.store import TextRecord

_SHOWN = 100


def draw_effect(
    now: Analysis,
    before: Analysis,
    change: Effect,
    records: Sequence[TextRecord],
    palette: Palette,
    base: int,
) -> None:
    """Texts won on the left, lost on the right, other changes below."""
    html(f'<div style="margin-top:.6rem"><b>Effect of this edit</b> <span class="re2-muted">on all '
         f"{now.texts:,} texts, against version {base}</span></div>")  # fmt: skip
    if change.nothing:
        html('<div class="re2-muted">No answer changes.</div>')
        return
    left, right = st.columns(2)
    with left:
        _side("▲ Won", "now right", change.won, now, before, records, palette)
    with right:
        _side("▼ Lost", "not right any more", change.lost, now, before, records, palette)
    if len(change.changed):
        _side(
            "Changed",
            "another answer, neither won nor lost",
            change.changed,
            now,
            before,
            records,
            palette,
        )


def _side(
    title: str,
    meaning: str,
    places: NDArray[np.int64],
    now: Analysis,
    before: Analysis,
    records: Sequence[TextRecord],
    palette: Palette,
) -> None:
    with st.expander(f"**{title} {len(places):,}** · {meaning}", expanded=0 < len(places) <= 12):
        if not len(places):
            html('<div class="re2-muted">None.</div>')
            return
        text_list(
            [
                MarkedText(records[place].text, meta=_change(int(place), now, before, palette))
                for place in places[:_SHOWN]
            ]
        )
        if len(places) > _SHOWN:
            html(f'<div class="re2-muted">and {len(places) - _SHOWN:,} more</div>')


def _change(place: int, now: Analysis, before: Analysis, palette: Palette) -> str:
    old = palette.chip(before.answer(place), missing=NO_ANSWER)
    new = palette.chip(now.answer(place), missing=NO_ANSWER)
    return f'{old} <span class="re2-muted">→</span> {new}'
