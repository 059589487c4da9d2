"""What a network learns from texts with slots."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import slot_system
from pages._shared.drawing.measures import F1
from pages._shared.resources import store
from pages._train.body import Subject, training_in_words
from pages._train.slot_filling import lines
from pages._train.slot_filling.figures import draw_slot_figures
from pages._train.slot_filling.material import draw_slot_counts, draw_slots
from pages._train.slot_filling.run_comparison import draw_slot_run_comparison
from pages._train.slot_filling.settings import draw_slot_settings
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.slot_filling.examples import SlotExamples, slot_examples_of
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network
from re2nn_core.services.fine_tuning.slot_filling.split import layer_decides, may_have_layer
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig


def _examples(project: ProjectRecord, version: RuleVersion) -> tuple[SlotExamples, Sequence[str]]:
    system = slot_system(version, project)
    found = _kept_examples(store().url, project.id, project.updated_at, system.rules_text, project, system)
    return found, system.slots


@st.cache_resource(show_spinner=False, max_entries=8)
def _kept_examples(
    url: str, project_id: int, changed: datetime, rules_text: str, _project: ProjectRecord, _system: SlotSystem
) -> SlotExamples:
    return slot_examples_of(material_of_project(_project).records, _system)


def _warnings(examples: SlotExamples, chosen: ChosenSettings[TaggerConfig]) -> Sequence[str]:
    if examples.missing is not None:
        return ()
    return tuple(filter(None, (*examples.warnings, examples.rough(chosen.network, chosen.train))))


def _plan(examples: SlotExamples, chosen: ChosenSettings[TaggerConfig]) -> str:
    learned = examples.learned(chosen.network, chosen.train)
    texts, held = len(learned.train), len(learned.dev) if learned.held_out else 0
    if layer_decides(chosen.network):
        encoder = chosen.network.auxiliary != "none"
        trained = "and an auxiliary encoder are trained" if encoder else "is trained"
        return f"A linear layer over words {trained} on {counted(texts, 'text')}, next to your rules."
    then = ", then a linear layer over words: the better one on held-out texts predicts"
    return training_in_words(texts, chosen.train.epochs, then if may_have_layer(chosen.network) else "", held=held)


SUBJECT = Subject(
    examples=_examples,
    usual=lambda examples: ChosenSettings(slot_network(OBJECTIVES[0], examples.train), TrainConfig()),
    draw_settings=lambda examples: ChosenSettings(*draw_slot_settings(examples.train)),
    draw_counts=lambda examples, chosen: draw_slot_counts(examples, chosen.network, chosen.train),
    draw_table=draw_slots,
    warnings=_warnings,
    plan=_plan,
    recipe=lambda examples, chosen: examples.recipe(chosen.network, chosen.train),
    label_more="Annotate more texts",
    measure=F1,
    views={"By slot": draw_slot_figures, "Compare two runs": draw_slot_run_comparison},
    views_key="train_slots_view",
    style=lines.STYLE,
)
