"""What a network learns from texts with labels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import system_of
from pages._shared.drawing.measures import ACCURACY
from pages._shared.resources import store
from pages._train.body import Subject, training_in_words
from pages._train.editing import draw_editing
from pages._train.figures import draw_figures
from pages._train.label_comparison import draw_run_comparison
from pages._train.material import draw_label_counts, draw_labels
from pages._train.more_texts import draw_more_texts
from pages._train.rule_table import draw_rule_table
from pages._train.settings import draw_settings
from pages._train.teaching import draw_teaching
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import auxiliary_in_words
from re2nn_core.services.fine_tuning.classification.examples import LabelledExamples, label_examples_of
from re2nn_core.services.fine_tuning.classification.linear_layer import fits_layer
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings
from re2nn_core.services.fine_tuning.training_plan import TrainingPlan
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.team.training_labels import LabelledMaterial
from re2nn_core.services.values.networks import NetworkConfig
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.training.config import TrainConfig


def _examples(project: ProjectRecord, version: RuleVersion) -> tuple[LabelledExamples, Sequence[str]]:
    material, system = material_of_project(project), system_of(version, project.tokenization)
    found = _kept_examples(store().url, project.id, project.updated_at, version.id, material, system)
    return found, system.logic.labels


@st.cache_resource(show_spinner=False, max_entries=8)
def _kept_examples(
    url: str, project_id: int, changed: datetime, version_id: int, _material: LabelledMaterial, _system: RuleSystem
) -> LabelledExamples:
    """Kept, because the rules predict every text where few have a label."""
    return label_examples_of(_material.records, _system)


def _training_plan(examples: LabelledExamples, chosen: ChosenSettings[NetworkConfig]) -> TrainingPlan:
    auxiliary = bool(auxiliary_in_words(chosen.network))
    return examples.recipe(chosen.train, chosen.manual_overrides, auxiliary=auxiliary)


def _plan(examples: LabelledExamples, chosen: ChosenSettings[NetworkConfig]) -> str:
    plan = _training_plan(examples, chosen)
    texts = len(examples.split.train) + (len(examples.split.dev) if plan.turns else 0)
    then = ", then a linear layer (a weight for each word and label), where it gains on held-out texts"
    with_layer = fits_layer(chosen.network, chosen.train)
    held = len(examples.split.dev) if examples.split.decided_by != "dev" and not plan.turns else 0
    return training_in_words(texts, plan.config.epochs, then if with_layer else "", held=held)


def _recipe(examples: LabelledExamples, chosen: ChosenSettings[NetworkConfig]) -> str:
    return f"{_training_plan(examples, chosen).reason} {auxiliary_in_words(chosen.network)}".strip()


def _draw_teaching(project: ProjectRecord, version: RuleVersion, examples: LabelledExamples, busy: bool) -> None:
    if examples.can_be_taught:
        draw_teaching(project, version, examples, busy)


SUBJECT = Subject(
    examples=_examples,
    usual=lambda _: ChosenSettings(NetworkConfig(), TrainConfig()),
    draw_settings=draw_settings,
    draw_counts=lambda examples, _: draw_label_counts(examples),
    draw_table=draw_labels,
    warnings=lambda examples, _: examples.warnings,
    plan=_plan,
    recipe=_recipe,
    label_more="Label more texts",
    measure=ACCURACY,
    views={
        "By label": draw_figures,
        "By rule": draw_rule_table,
        "Edit this model without training": draw_editing,
        "Compare two runs": draw_run_comparison,
    },
    views_key="train_view",
    draw_instead=_draw_teaching,
    draw_more=draw_more_texts,
)
