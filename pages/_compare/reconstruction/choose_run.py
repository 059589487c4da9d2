"""The trained network that is compared with its rules."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from pages._shared.catalog import TRAIN
from pages._shared.drawing import messages
from pages._shared.drawing.measures import measure_of
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.fine_tuning.run_figures import named_figure
from re2nn_core.services.fine_tuning.runs import run_names
from re2nn_core.services.values.stored import ProjectRecord, RunRecord


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
    return runs[ids.index(chosen)] if chosen in ids else runs[0]


def _title(run: RunRecord, name: str) -> str:
    figure, measure = named_figure(run), measure_of(run)
    measured = "" if figure is None else f", {measure.on(figure.split)} {measure.shown(figure.share)}"
    return name.capitalize() + measured
