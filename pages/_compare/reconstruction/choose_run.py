"""The trained network that is compared with its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import streamlit as st

from pages._shared.catalog import TRAIN
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape
from pages._shared.drawing.measures import measure_of
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.fine_tuning.run_comparison import why_not_comparable
from re2nn_core.services.fine_tuning.run_figures import named_figure
from re2nn_core.services.fine_tuning.runs import run_names
from re2nn_core.services.values.stored import ProjectRecord, RunRecord
from re2nn_core.text.joined_names import first_names, join_names

_NAMED = 4
_CAUTION = "The figures of these runs cannot be compared with those of this one. "


def draw_nothing_trained() -> NoReturn:
    """Where there is no trained network, the page says what to do, and ends here."""
    messages.empty(
        "There is no training run to compare yet.",
        "Fine-tune your rules first. You can also compare two versions of the rules here once a second one is saved.",
        link=TRAIN,
    )
    st.stop()


def choose_run(project: ProjectRecord, runs: tuple[RunRecord, ...]) -> RunRecord:
    """The run that is looked at: the bar's model where that is one, else the newest."""
    model = state.current_model(project).run
    ids = [run.id for run in runs]
    names = run_names(store(), project.id)
    titles = {run.id: _title(run, names[run.id]) for run in runs}
    chosen = st.selectbox(
        "Run",
        ids,
        index=ids.index(model.id) if model is not None and model.id in ids else 0,
        format_func=titles.__getitem__,
        key=f"compare_run_{ids[0]}_{model.id if model else 0}",
        label_visibility="collapsed",
        width=330,
    )
    run = runs[ids.index(chosen)] if chosen in ids else runs[0]
    _report_others(run, runs, names)
    return run


def _report_others(run: RunRecord, runs: tuple[RunRecord, ...], names: Mapping[int, str]) -> None:
    """That figures of other runs in the list are not of the same vectors, rules or texts; nothing where they are."""
    differs = {other.id: why_not_comparable(run, other) for other in runs if other.id != run.id}
    reported = [f"{names[number]}: other {join_names(why)}" for number, why in differs.items() if why]
    if reported:
        title = _CAUTION + first_names(reported, _NAMED)
        more = f" and {len(reported) - 1:,} more" if len(reported) > 1 else ""
        st.html(
            f'<span class="re2-muted" title="{escape(title)}">Not comparable with {escape(reported[0])}{more}</span>',
            width="content",
        )


def _title(run: RunRecord, name: str) -> str:
    figure, measure = named_figure(run), measure_of(run)
    measured = "" if figure is None else f", {measure.on(figure.split)} {measure.shown(figure.share)}"
    return name.capitalize() + measured
