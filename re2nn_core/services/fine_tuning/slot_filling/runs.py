"""Training runs of projects for slots: the job, its settings, its network. What all runs share is in
fine_tuning/runs.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.errors import ModelError
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective
from re2nn_core.services.fine_tuning.reports import (
    TaskTraining,
    damaged_network,
    differing_from,
    differing_in_words,
    epochs_reported,
    run_result,
    stored_settings,
)
from re2nn_core.services.fine_tuning.run_material import keep_material, material_now
from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
from re2nn_core.services.fine_tuning.slot_filling.objectives import sizes_that_differ, slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import tagger_resumes, train_tagger
from re2nn_core.services.rule_systems.slot_filling.stored_spans import known_slots_of, span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, slot_system_of
from re2nn_core.services.team.training_labels import labelled_material_of, training_texts
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, Store, TextRecord, get_project
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report


def nearest_objective(run: RunRecord) -> tuple[Objective, TaggerConfig, TrainConfig]:
    """The objective whose settings, for some number of texts, are the nearest to those of a run; and these settings."""
    begins = [
        (objective, slot_network(objective, count), slot_training(objective, count))
        for objective in OBJECTIVES
        for count in sizes_that_differ()
    ]
    return min(begins, key=lambda begin: len(differing_from(run, *begin[1:])))


def can_learn_separately(run: RunRecord) -> bool:
    """Whether a run for slots has trained the rules' network alone, so that another one can learn beside it."""
    return nearest_objective(run)[0] == "interpretable"


def _advice(run: RunRecord) -> str:
    """What to do behind a training for slots that did not help."""
    if can_learn_separately(run):
        return (
            "The rules' own network learns the strength of rules and hardly any new words. Train for highest "
            "accuracy, which adds an auxiliary encoder."
        )
    return "Annotate or add more texts."


def tagger_of(run: RunRecord) -> TaggerBundle:
    """The trained network of a run for slots; ModelError where it cannot be read."""
    try:
        return load_tagger(run.folder)
    except ModelError as fault:
        raise damaged_network(run.id) from fault


def _changed_settings(run: RunRecord) -> tuple[str, ...]:
    """Settings other than what the objective begins with, which is named where it is accuracy."""
    objective, network, train = nearest_objective(run)
    return (*(("for accuracy",) if objective == "accuracy" else ()), *differing_in_words(run, network, train))


def _resumes(store: Store, run: RunRecord, version: RuleVersion) -> bool:
    """Whether a run's folder holds a checkpoint of just these rules, texts and settings."""
    project = get_project(store, run.project_id)
    system, corpus = _system_and_corpus(store, project, version, training_texts(store, project.id))
    return tagger_resumes(system, corpus, *stored_settings(TaggerConfig, run), folder=run.folder)


def _train(store: Store, run: RunRecord, version: RuleVersion, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on the spans of its texts. `run.config` may hold `network` and `train`
    settings. The figures of the result are F1 of spans; "accuracy", which lists of runs show, is that of dev."""
    network, settings = stored_settings(TaggerConfig, run)
    project = get_project(store, run.project_id)
    material = labelled_material_of(store, project)
    system, corpus = _system_and_corpus(store, project, version, material.records)
    dev = slot_dev_name(split_slots(corpus), network, settings, system.rules_text)
    done = train_tagger(
        system,
        corpus,
        network,
        settings,
        folder=run.folder,
        on_epoch=epochs_reported(report, settings.epochs, dev),
        on_progress=report.progress,
        should_stop=report.should_stop,
    )
    kept = material_now(material)
    keep_material(run.folder, kept)
    return run_result(done) | kept.as_data


def _system_and_corpus(
    store: Store, project: ProjectRecord, version: RuleVersion, records: Sequence[TextRecord]
) -> tuple[SlotSystem, Corpus]:
    known = known_slots_of(store, project)
    return slot_system_of(project, version, known), Corpus(span_examples_of(records, known))


SLOT_TRAINING = TaskTraining(
    settings=lambda run: stored_settings(TaggerConfig, run),
    defaults=lambda: (slot_network(OBJECTIVES[0], 0), slot_training(OBJECTIVES[0], 0)),
    train=_train,
    resumes=_resumes,
    changed_settings=_changed_settings,
    unnoted_objective=lambda run: nearest_objective(run)[0],
    advice=_advice,
    learned_from_dev=lambda run, _: bool((run.result or {}).get("from_dev")),
)
