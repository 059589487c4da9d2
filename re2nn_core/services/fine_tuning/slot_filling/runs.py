"""Training runs of projects for slots: the job, its settings, its network. What all runs share is in
fine_tuning/runs.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from re2nn_core.errors import ModelError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.services.fine_tuning.classification.objectives import AIMS, Aim
from re2nn_core.services.fine_tuning.manual_overrides import by_hand_of, run_settings
from re2nn_core.services.fine_tuning.reports import damaged_network, epochs_told, run_result, stored_settings
from re2nn_core.services.fine_tuning.run_material import keep_material, material_now
from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
from re2nn_core.services.fine_tuning.slot_filling.objectives import FEW, MANY, TINY, slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger, will_resume
from re2nn_core.services.rule_systems.slot_filling.stored_spans import examples_of, known_slots_of
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.services.team.training_labels import material_of, training_texts
from re2nn_core.store import RuleVersion, RunRecord, Store, get_project
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report


TASK_KEY = "task"  # of a run's settings; absent for classification


def of_slots(run: RunRecord) -> bool:
    """Whether a run learns spans; otherwise it learns labels."""
    return run.config.get(TASK_KEY) == Task.SLOT_FILLING


def slot_settings_of(run: RunRecord) -> tuple[TaggerConfig, TrainConfig]:
    """The settings a run for slots was started with. InputError where they are of another version."""
    return stored_settings(TaggerConfig, run)


def slot_defaults() -> tuple[TaggerConfig, TrainConfig]:
    """The settings of a run for slots where nobody has chosen any."""
    return slot_network(AIMS[0], 0), slot_training(AIMS[0], 0)


def begun_with(run: RunRecord) -> tuple[Aim, TaggerConfig, TrainConfig]:
    """The aim whose settings, for some number of texts, are the nearest to those of a run; and these settings."""
    begins = [
        (aim, slot_network(aim, count, in_context=known), slot_training(aim, count))
        for aim in AIMS
        for count in (0, (run.result or {}).get("train_size") or 0, TINY - 1, FEW - 1, FEW, MANY)
        for known in (True, False)
    ]
    return min(begins, key=lambda begin: len(differing_from(run, *begin[1:])))


def can_learn_beside(run: RunRecord) -> bool:
    """Whether a run for slots has trained the rules' network alone, so that another one can learn beside it."""
    return begun_with(run)[0] == "reading"


def advice_after(run: RunRecord) -> str:
    """What to do behind a training for slots that did not help."""
    if can_learn_beside(run):
        return (
            "The rules' own network learns what weakens or strengthens rules, and hardly any new words: train for the "
            "highest accuracy, where an ordinary network learns beside the rules."
        )
    return "Mark more texts."


def differing_from(run: RunRecord, network: NetworkConfig | TaggerConfig, train: TrainConfig) -> list[tuple[str, Any]]:
    """The names and values of a run's settings that are other than these, or were set by hand."""
    by_hand = by_hand_of(run)
    told = {"network": run_settings(run, "network"), "train": run_settings(run, "train")}
    return [
        (name, given)
        for part, begins in (("network", network), ("train", train))
        for name, value in asdict(begins).items()
        if (given := told[part].get(name, value)) != value or (part == "train" and name in by_hand)
    ]


def slots_can_go_on(store: Store, run: RunRecord, version: RuleVersion) -> bool:
    """Whether a run's folder holds a checkpoint of just these rules, texts and settings."""
    project = get_project(store, run.project_id)
    known = known_slots_of(store, project)
    corpus = Corpus(examples_of(training_texts(store, project.id), known))
    system = slot_system_of(project, version, known)
    return will_resume(system, corpus, *slot_settings_of(run), folder=run.folder)


def tagger_of(run: RunRecord) -> TaggerBundle:
    """The trained network of a run for slots; ModelError where it cannot be read."""
    try:
        return load_tagger(run.folder)
    except ModelError as fault:
        raise damaged_network(run.id) from fault


def train_slots(store: Store, run: RunRecord, version: RuleVersion, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on the spans of its texts. `run.config` may hold `network` and `train`
    settings. The figures of the result are F1 of spans; "accuracy", which lists of runs show, is that of dev."""
    network, settings = slot_settings_of(run)
    project = get_project(store, run.project_id)
    known = known_slots_of(store, project)
    system = slot_system_of(project, version, known)
    material = material_of(store, project)
    corpus = Corpus(examples_of(material.records, known))
    dev = slot_dev_name(split_slots(corpus), network, settings)
    done = train_tagger(
        system,
        corpus,
        network,
        settings,
        folder=run.folder,
        on_epoch=epochs_told(report, settings.epochs, dev),
        should_stop=report.should_stop,
    )
    kept = material_now(material)
    keep_material(run.folder, kept)
    return run_result(done) | kept.as_data
