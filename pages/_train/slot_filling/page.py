"""The body of the page Fine-tune for projects whose texts carry spans."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import slot_system
from pages._shared.catalog import LABEL
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.measures import F1
from pages._shared.resources import store
from pages._shared.session import state
from pages._train.live import draw_run
from pages._train.material import STYLE, draw_waiting
from pages._train.runs_table import draw_runs
from pages._train.settings import begin_aim, chosen_aim
from pages._train.slot_filling import lines
from pages._train.slot_filling.figures import draw_slot_figures
from pages._train.slot_filling.material import draw_counts, draw_slots, draw_warnings
from pages._train.slot_filling.run_comparison import draw_slot_run_comparison
from pages._train.slot_filling.settings import draw_slot_settings
from pages._train.start import choose_view, chosen_run, draw_button, start_run
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.runs import run_rows
from re2nn_core.services.fine_tuning.slot_filling.examples import SlotExamples, slot_examples_of
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.training.config import TrainConfig

_VIEWS = {"Slot by slot": draw_slot_figures, "Two runs side by side": draw_slot_run_comparison}


def draw_slot_start(project: ProjectRecord, version: RuleVersion, busy: bool) -> None:
    """How many examples, the button that starts, then the examples slot by slot and the settings."""
    st.subheader("What it learns from", anchor=False)
    system = slot_system(version, project)
    examples = _examples(store().url, project.id, project.updated_at, system.rules_text, project, system)
    counts, start = st.container(), st.container()
    with counts:
        draw_waiting(material_of_project(project))
    draw_slots(examples, palette_of(project.id, system.slots))
    warnings = st.container()
    network, train = slot_network(OBJECTIVES[0], examples.train), TrainConfig()
    if examples.missing is not None:
        with counts:
            draw_counts(examples, network, train)
        with start:
            st.warning(messages.plain(examples.missing), icon=":material/warning:")
            st.page_link(LABEL.file, label="Mark more texts", icon=LABEL.icon)
        return
    begin_aim(project.id)
    with messages.guard("Reading the settings") as settings:
        network, train = draw_slot_settings(examples.train, in_context=examples.encoder_knows)
    with counts:
        draw_counts(examples, network, train)
    with warnings:
        draw_warnings(examples, network, train)
    with start:
        device, asked = draw_button(version, busy)
        if settings.ok:
            html(f'<div class="re2-muted">Recipe: {escape(examples.recipe(network, train))}</div>')
    if settings.ok and asked:
        start_run(project, version, network, replace(train, device=device), aim=chosen_aim())


@st.cache_resource(show_spinner=False, max_entries=8)
def _examples(
    url: str, project_id: int, changed: datetime, rules_text: str, _project: ProjectRecord, _system: SlotSystem
) -> SlotExamples:
    return slot_examples_of(material_of_project(_project).records, _system)


def draw_slot_page(project: ProjectRecord) -> None:
    """Everything below the bar."""
    st.html(STYLE + lines.STYLE)
    version = state.current_version(project)
    with messages.guard("Opening the runs"):
        rows = run_rows(store(), project.id)
        left, right = st.columns([10, 13], gap="medium")
        with left, messages.guard("Reading the examples"):
            draw_slot_start(project, version, any(row.state in ("queued", "running") for row in rows))
        if not rows:
            with right:
                messages.empty(
                    "Nothing has been trained yet.",
                    "Start on the left. The F1 of your rules is drawn across the plot, so that a gain or a loss is "
                    "seen at once; nothing you wrote is changed.",
                )
            st.stop()
        run = chosen_run([row.id for row in rows])
        with right:
            draw_run(run)
        st.subheader("Runs", anchor=False)
        draw_runs(rows, run.id, measure=F1)
        if run.state == "done":
            number = next(row.number for row in rows if row.id == run.id)
            _VIEWS[choose_view(number, list(_VIEWS), "train_slots_view")](project, run)
