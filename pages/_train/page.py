"""The body of the page Fine-tune."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import system_of
from pages._shared.catalog import LABEL
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._train.edited import draw_edited
from pages._train.editing import draw_editing
from pages._train.figures import draw_figures
from pages._train.live import draw_run
from pages._train.material import STYLE, draw_counts, draw_labels, draw_waiting
from pages._train.more_texts import draw_more_texts
from pages._train.rule_table import draw_rule_table
from pages._train.run_comparison import draw_run_comparison
from pages._train.runs_table import draw_runs
from pages._train.settings import begin_aim, chosen_aim, draw_settings
from pages._train.slot_filling.page import draw_slot_page
from pages._train.start import choose_view, chosen_run, draw_button, start_run
from pages._train.teaching import draw_teaching
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import reader_in_words
from re2nn_core.services.fine_tuning.classification.examples import Examples, examples_of
from re2nn_core.services.fine_tuning.manual_overrides import Chosen
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.runs import run_rows
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.team.training_labels import LabelledMaterial
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task

_VIEWS = {
    "Label by label": draw_figures,
    "Rule by rule": draw_rule_table,
    "Edit this model without training": draw_editing,
    "Two runs side by side": draw_run_comparison,
}


def draw_start(project: ProjectRecord, version: RuleVersion, busy: bool) -> Chosen | None:
    """How many examples, the button that starts, then the examples label by label and the settings; the settings, if
    one could start with them."""
    st.subheader("What it learns from", anchor=False)
    system = system_of(version, project.tokenization)
    material = material_of_project(project)
    examples = _examples(store().url, project.id, project.updated_at, version.id, material, system)
    draw_counts(examples)
    draw_waiting(material)
    start = st.container()
    draw_labels(examples, palette_of(project.id, system.logic.labels))
    if examples.missing is not None:
        with start:
            st.warning(messages.plain(examples.missing), icon=":material/warning:")
            st.page_link(LABEL.file, label="Label more texts", icon=LABEL.icon)
            if examples.can_be_taught:
                draw_teaching(project, version, examples, busy)
        return None
    begin_aim(project.id)
    with messages.guard("Reading the settings") as settings:
        chosen = draw_settings(examples)
    with start:
        device, asked = draw_button(version, busy)
        if settings.ok:
            html(f'<div class="re2-muted">Recipe: {escape(_recipe(examples, chosen))}</div>')
    if not settings.ok:
        return None
    chosen = replace(chosen, train=replace(chosen.train, device=device))
    if asked:
        start_run(project, version, chosen.network, chosen.train, aim=chosen_aim(), by_hand=chosen.by_hand)
    return chosen


def _recipe(examples: Examples, chosen: Chosen) -> str:
    reader = reader_in_words(chosen.network)
    recipe = examples.recipe(chosen.train, chosen.by_hand, reader=bool(reader))
    return f"{recipe.reason} {reader}".strip()


@st.cache_resource(show_spinner=False, max_entries=8)
def _examples(
    url: str, project_id: int, changed: datetime, version_id: int, _material: LabelledMaterial, _system: RuleSystem
) -> Examples:
    """Kept, because the rules answer every text where few have a label."""
    return examples_of(_material.records, _system)


def draw_page() -> None:
    """Everything below the bar."""
    project = state.require_project()
    if project.task == Task.SLOT_FILLING:
        draw_slot_page(project)
    else:
        draw_label_page(project)


def draw_label_page(project: ProjectRecord) -> None:
    """The page of a project whose texts carry a label."""
    st.html(STYLE)
    version = state.current_version(project)
    with messages.guard("Opening the runs"):
        rows = run_rows(store(), project.id)
        left, right = st.columns([10, 13], gap="medium")
        chosen = None
        with left, messages.guard("Reading the examples"):
            chosen = draw_start(project, version, any(row.state in ("queued", "running") for row in rows))
        if not rows:
            with right:
                messages.empty(
                    "Nothing has been trained yet.",
                    "Start on the left. The accuracy of your rules is drawn across the plot, so that a gain or a loss "
                    "is seen at once; nothing you wrote is changed.",
                )
            draw_more_texts(project, version, chosen)
            st.stop()
        run = chosen_run([row.id for row in rows])
        edit = edit_of(run)
        with right:
            if edit is None:
                draw_run(run)
            else:
                draw_edited(run, edit)
        draw_more_texts(project, version, chosen)
        st.subheader("Runs", anchor=False)
        draw_runs(rows, run.id)
        if run.state == "done":
            number = next(row.number for row in rows if row.id == run.id)
            _VIEWS[choose_view(number, list(_VIEWS), "train_view")](project, run)
