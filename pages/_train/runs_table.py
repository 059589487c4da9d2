"""All runs of the project side by side; a click chooses the one that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages._shared.components.grid import walk_rows
from pages._shared.drawing import messages
from pages._shared.drawing.measures import ACCURACY, Measure
from pages._shared.resources import store
from pages._train.live import CHOSEN
from re2nn_core.services.fine_tuning.dev_figures import HELD_OUT, LEARNED_FROM
from re2nn_core.services.fine_tuning.run_figures import SAID
from re2nn_core.services.fine_tuning.runs import RunSummary, has_moved_on
from re2nn_core.services.values.stored import UNFINISHED, RunState

_STATES = {
    "queued": "waiting",
    "running": "at work",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "lost": "lost",
}
_HEIGHT = 38
_MOST = 7
_LOOK_SECONDS = 2.0
_WIDTHS = {HELD_OUT: 52, LEARNED_FROM: 78}
_SUFFIX = {HELD_OUT: "held out", LEARNED_FROM: "learned from"}


def draw_runs(rows: Sequence[RunSummary], chosen: int, *, measure: Measure = ACCURACY) -> None:
    """The runs, the newest first; drawn anew when one of them begins or ends."""
    # The panel of the chosen run asks for that one itself.
    others = {row.id: row.state for row in rows if row.state in UNFINISHED and row.id != chosen}
    if others:
        st.fragment(_follow, run_every=_LOOK_SECONDS)(others)
    columns = {
        "run": [f"{'▸ ' if row.id == chosen else ''}{row.number}" for row in rows],
        "state": ["edited" if row.edit else _STATES[row.state] for row in rows],
        "version": [f"v{row.version}" if row.version else "" for row in rows],
        "zero_dev": [_named(measure.shown(row.zero_dev), row) for row in rows],
        "dev": [_dev(row, measure) for row in rows],
        "zero_test": [measure.shown(row.zero_test) for row in rows],
        "test": [measure.shown(row.test) for row in rows],
        "epochs": ["" if row.epochs is None else f"{row.best_epoch} of {row.epochs}" for row in rows],
        "texts": [row.learned_from for row in rows],
        "took": ["" if row.seconds is None else time_taken(row.seconds) for row in rows],
        "parameters": ["" if row.parameters is None else f"{row.parameters:,}" for row in rows],
        "vectors": [row.vectors for row in rows],
        "settings": [row.edit or ", ".join(row.settings) or "defaults" for row in rows],
    }
    figure: dict[str, Any] = {"width": 95 + 24 * bool(measure.name), "alignment": "right"}
    other = [name for name in _SUFFIX if any(row.dev_name == name for row in rows)]
    told = "; ".join(f"{name}: {SAID[name]}" for name in other)
    dev: dict[str, Any] = {
        **figure,
        "width": figure["width"] + max([0, *(_WIDTHS[name] for name in other)]),
        "help": told or None,
    }
    named = f" {measure.name}" if measure.name else ""
    config = {
        "run": st.column_config.TextColumn("Run", width=58),
        "state": st.column_config.TextColumn("State", width=82),
        "version": st.column_config.TextColumn("Rules", width=58),
        "zero_dev": st.column_config.TextColumn(f"Dev{named}, rules", **dev),
        "dev": st.column_config.TextColumn(f"Dev{named}, trained", **dev),
        "zero_test": st.column_config.TextColumn(f"Test{named}, rules", **figure),
        "test": st.column_config.TextColumn(f"Test{named}, trained", **figure),
        "epochs": st.column_config.TextColumn("Epoch kept", width=88),
        "texts": st.column_config.TextColumn("Learned from", **figure),
        "took": st.column_config.TextColumn("Took", width=70),
        "parameters": st.column_config.TextColumn("Parameters", **figure),
        "vectors": st.column_config.TextColumn("Word vectors", width=120),
        "settings": st.column_config.TextColumn("Settings", width="medium"),
    }
    row = walk_rows(
        columns,
        key=f"train_runs_{rows[0].id}",
        config=config,
        height=_HEIGHT * (min(len(rows), _MOST) + 1) if len(rows) > _MOST else "auto",
    )
    if row is not None and rows[row].id != chosen:
        st.session_state[CHOSEN] = rows[row].id
        st.rerun()


def _follow(seen: dict[int, RunState]) -> None:
    with messages.guard("Looking at the runs"):
        if has_moved_on(store(), seen):
            st.rerun()


def _dev(row: RunSummary, measure: Measure) -> str:
    """The accuracy on dev; a dot for an edit of a network that has learned from these texts."""
    return "·" if row.dev is None and row.edit and row.turns else _named(measure.shown(row.dev), row)


def _named(figure: str, row: RunSummary) -> str:
    """A dev figure, with what it is where it is not of dev texts that nothing was learned from."""
    return f"{figure} {_SUFFIX[row.dev_name]}" if figure and row.dev_name in _SUFFIX else figure


def time_taken(seconds: float) -> str:
    """How long a run was at work, as people say it."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
