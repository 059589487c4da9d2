"""What the systems of a comparison begin with in this version, as a mark: figures of another one may be of others."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from re2nn_core.baselines.config import config_for
from re2nn_core.baselines.encoder_linear import STRENGTHS
from re2nn_core.baselines.spec import is_baseline_name, spec_of
from re2nn_core.experiments.project.models import AMOUNTS, systems_for
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.task import Task, by_task
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.resuming import mark_of


def settings_mark(task: Task) -> str:
    """The mark of the settings that every system has, for few texts and for many."""
    ordinary = [name for name in systems_for(task) if is_baseline_name(name, task)]
    baselines = [asdict(config_for(spec_of(name, task), amount, {})) for name in ordinary for amount in AMOUNTS]
    strengths = by_task(task, classification=STRENGTHS, slot_filling=())  # of the sentence encoder's linear layer
    return mark_of(_ours(task), baselines, *strengths)


def _ours(task: Task) -> list[dict[str, Any]]:
    found = []
    for objective in OBJECTIVES:
        for amount in AMOUNTS:
            if task == Task.SLOT_FILLING:
                found += [asdict(slot_network(objective, amount)), asdict(slot_training(objective, amount))]
            else:
                found += [
                    asdict(NetworkConfig(**settings_for(objective, amount))),
                    asdict(TrainConfig(**training_settings_for(objective, amount))),
                ]
    return found
