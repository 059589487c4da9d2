"""All runs of the project side by side; a click chooses the one that is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages._shared.components.grid import walk_rows
from pages._shared.drawing import messages
from pages._shared.drawing.measures import ACCURACY, Measure
from pages._shared.resources import store
from pages._shared.session.fragments import fragment
from pages._train.live import CHOSEN
from re2nn_core.services.fine_tuning.dev_figures import (
    HELD_OUT,
    HELD_OUT_FIFTH,
    IN_WORDS,
    LEARNED_FROM,
    USED_FOR_SUGGESTING,
    figure_on,
)
from re2nn_core.services.fine_tuning.run_comparison import better_run
from re2nn_core.services.fine_tuning.runs import RunSummary, has_moved_on
from re2nn_core.services.values.stored import UNFINISHED, RunState

_STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "lost": "lost",
}
_TEXTS = "Behind “on”: the number of texts"
_HEIGHT = 38
_MOST = 7
_LOOK_SECONDS = 2.0
_WIDTHS = {HELD_OUT: 52, HELD_OUT_FIFTH: 66, LEARNED_FROM: 78, USED_FOR_SUGGESTING: 120}
_SUFFIX = {
    HELD_OUT: "out-of-fold",
    HELD_OUT_FIFTH: HELD_OUT_FIFTH,
    LEARNED_FROM: "also trained on",
    USED_FOR_SUGGESTING: "used for suggesting",
}


def draw_runs(rows: Sequence[RunSummary], chosen: int, *, measure: Measure = ACCURACY) -> None:
    """The runs, the newest first; drawn anew when one of them begins or ends."""
    # The panel of the chosen run asks for that one itself.
    others = {row.id: row.state for row in rows if row.state in UNFINISHED and row.id != chosen}
    if others:
        fragment(run_every=_LOOK_SECONDS)(_follow)(others)
    columns = _columns(rows, chosen, measure)
    place = walk_rows(
        {name: [value(row) for row in rows] for name, (value, _) in columns.items()},
        key=f"train_runs_{rows[0].id}",
        config={name: config for name, (_, config) in columns.items()},
        height=_HEIGHT * (min(len(rows), _MOST) + 1) if len(rows) > _MOST else "auto",
    )
    if place is not None and rows[place].id != chosen:
        st.session_state[CHOSEN] = rows[place].id
        st.rerun()


def _columns(
    rows: Sequence[RunSummary], chosen: int, measure: Measure
) -> dict[str, tuple[Callable[[RunSummary], Any], Any]]:
    """The columns of the table: what a run has in each, and how it is drawn."""
    text, named = st.column_config.TextColumn, f" {measure.name}" if measure.name else ""
    figure: dict[str, Any] = {"width": 104 + 24 * bool(measure.name), "alignment": "right"}
    dev = figure | _for_other_dev(rows, figure["width"])
    return {
        "run": (lambda row: f"{'▸ ' if row.id == chosen else ''}{row.number}", text("Run", width=58)),
        "state": (lambda row: "edited" if row.edit else _STATES[row.state], text("State", width=82)),
        "version": (lambda row: f"v{row.version}" if row.version else "", text("Rules", width=58)),
        "vectors": (lambda row: row.vectors, text("Word vectors", width=120)),
        "settings": (_settings, text("Settings", width=190)),
        "zero_dev": (lambda row: _named(measure.shown(row.zero_dev), row), text(f"Dev{named}, rules", **dev)),
        "dev": (lambda row: _dev(row, measure), text(f"Dev{named}, trained", **dev)),
        "zero_test": (lambda row: measure.shown(row.zero_test), text(f"Test{named}, rules", **figure)),
        "test": (
            lambda row: _on(measure.shown(row.test), row.test_texts),
            text(f"Test{named}, trained", **figure, help=_TEXTS),
        ),
        "epochs": (
            lambda row: "" if row.epochs is None else f"{row.best_epoch} of {row.epochs}",
            text("Epoch kept", width=88),
        ),
        "texts": (lambda row: row.learned_from, text("Training texts", **figure)),
        "took": (lambda row: "" if row.seconds is None else time_taken(row.seconds), text("Duration", width=70)),
    }


def better_in_words(row: RunSummary, rows: Sequence[RunSummary], measure: Measure) -> str:
    """Which run has the highest figure on the same texts, in a sentence; empty where it is this one."""
    best = better_run(row, rows)
    if best is None:
        return ""
    name = figure_on(measure.name or "accuracy", row.dev_name)
    return f"Run {best.number} has a higher {name}: {measure.shown(best.dev)}; this run {measure.shown(row.dev)}."


def _settings(row: RunSummary) -> str:
    """What is set otherwise than by default, besides the word vectors, which have a column of their own."""
    others = [one for one in row.settings if not one.startswith("Word vectors:")]
    return row.edit or ", ".join(others) or "defaults"


def _on(figure: str, texts: int | None) -> str:
    """A figure, with how many texts it is measured on."""
    return f"{figure} on {texts:,}" if figure and texts else figure


def _for_other_dev(rows: Sequence[RunSummary], width: int) -> dict[str, Any]:
    """Room for the names of dev figures that are not of dev texts alone, where some run has one, and what they mean."""
    other = [name for name in _SUFFIX if any(row.dev_name == name for row in rows)]
    return {
        "width": width + max((_WIDTHS[name] for name in other), default=0),
        "help": "; ".join([_TEXTS, *(f"{name}: {IN_WORDS[name]}" for name in other)]),
    }


def _follow(seen: dict[int, RunState]) -> None:
    with messages.guard("Loading the runs"):
        if has_moved_on(store(), seen):
            st.rerun()


def _dev(row: RunSummary, measure: Measure) -> str:
    """The accuracy on dev; a dot for an edit of a network that has learned from these texts."""
    return (
        "·" if row.dev is None and row.edit and row.turns else _named(_on(measure.shown(row.dev), row.dev_texts), row)
    )


def _named(figure: str, row: RunSummary) -> str:
    """A dev figure, with what it is where it is not of dev texts that nothing was learned from."""
    return f"{figure} {_SUFFIX[row.dev_name]}" if figure and row.dev_name in _SUFFIX else figure


def time_taken(seconds: float) -> str:
    """How long a run was at work, as people say it."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
