"""What a version of the rules would do to the answers, in figures: for labels and slots."""

from __future__ import annotations

from collections.abc import Sequence

from pages._compare.saving import advice
from pages._shared.markup import figures, html
from pages._shared.measures import Measure
from re2nn_core.services.hits import Effect
from re2nn_core.services.slot_hits import SlotEffect

Measured = Sequence[tuple[str, float, float]]  # split, its figure before and now


def draw_moves(measured: Measured, change: Effect | SlotEffect, measure: Measure, dev: str) -> None:
    """The figures of each split, and how many texts are won and lost; `dev` is what those on dev are called."""
    named = {"dev": dev}
    shown = [
        (measure.shown(will), measure.on(named.get(split, split)), measure.gain(will - was))
        for split, was, will in measured
    ]
    won = len(change.won)
    moved = [(f"{won:,}", "text won" if won == 1 else "texts won", ""), (f"{len(change.lost):,}", "lost", "")]
    html(figures([*shown, *moved]))


def draw_advice(measured: Measured, measure: Measure, *, where_test_alone: bool = False) -> None:
    """What test texts say of it. `where_test_alone`: for what is tried out, of which no texts are listed; nothing is
    said where there are none."""
    gains = {split: will - was for split, was, will in measured}
    if "test" in gains or not where_test_alone:
        html(advice(gains, measure, listed=not where_test_alone))
