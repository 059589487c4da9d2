"""Training runs of projects for labels: the job, its settings, its network. What all runs share is in
fine_tuning/runs.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.errors import ModelError
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.objectives import settings_for
from re2nn_core.services.fine_tuning.classification.training import plan_of, train_system, training_resumes
from re2nn_core.services.fine_tuning.dev_figures import dev_name
from re2nn_core.services.fine_tuning.manual_overrides import manual_overrides_of
from re2nn_core.services.fine_tuning.reports import (
    TaskTraining,
    damaged_network,
    differing_in_words,
    epochs_reported,
    run_result,
    stored_settings,
)
from re2nn_core.services.fine_tuning.run_material import keep_material, material_now
from re2nn_core.services.fine_tuning.training_plan import choose_training_plan, split_examples
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.team.training_labels import labelled_material_of, training_texts
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, Store, TextRecord, get_project
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report


def bundle_of(run: RunRecord) -> Bundle:
    """The trained network of a run; ModelError where it cannot be read."""
    try:
        return load_bundle(run.folder)
    except ModelError as fault:
        raise damaged_network(run.id) from fault


def _learned_from_dev(run: RunRecord, labelled: Callable[[], Corpus]) -> bool:
    """As the result of the run says; where that is older, by its settings and the labelled texts as they are."""
    took_turns = (run.result or {}).get("turns")
    if took_turns is not None:
        return bool(took_turns)
    copies = run.config.get("train", {}).get("copies")
    if copies is None:
        return False  # started before there were copies
    return choose_training_plan(TrainConfig(copies=copies), split_examples(labelled())).turns


def _resumes(store: Store, run: RunRecord, version: RuleVersion) -> bool:
    """Whether a run's folder holds a checkpoint of just these rules, texts and settings."""
    project = get_project(store, run.project_id)
    system, corpus = _system_and_corpus(project, version, training_texts(store, project.id))
    settings = stored_settings(NetworkConfig, run)
    return training_resumes(system, corpus, *settings, folder=run.folder, manual_overrides=manual_overrides_of(run))


def _train(store: Store, run: RunRecord, version: RuleVersion, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on the labels of its texts. `run.config` may hold `network` and `train`
    settings, and which of the latter were set `manual_overrides`."""
    network, settings = stored_settings(NetworkConfig, run)
    project = get_project(store, run.project_id)
    material = labelled_material_of(store, project)
    system, corpus = _system_and_corpus(project, version, material.records)
    planned = plan_of(system, corpus, network, settings, manual_overrides_of(run))
    done = train_system(
        system,
        corpus,
        network,
        settings,
        folder=run.folder,
        on_epoch=epochs_reported(
            report, planned.plan.config.epochs, dev_name(planned.split, settings, system.rules_text)
        ),
        should_stop=report.should_stop,
        manual_overrides=manual_overrides_of(run),
    )
    kept = material_now(material)
    keep_material(run.folder, kept)
    # Which labels train says nothing of a network that has learned none.
    return run_result(done) | (kept.as_data if planned.split.train else {})


def _system_and_corpus(
    project: ProjectRecord, version: RuleVersion, records: Sequence[TextRecord]
) -> tuple[RuleSystem, Corpus]:
    system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
    return system, Corpus(tuple(Example(record.text, record.label, record.split) for record in records))


LABEL_TRAINING = TaskTraining(
    settings=lambda run: stored_settings(NetworkConfig, run),
    defaults=lambda: (NetworkConfig(), TrainConfig()),
    train=_train,
    resumes=_resumes,
    changed_settings=lambda run: differing_in_words(
        run, NetworkConfig(**settings_for("interpretable", 1)), TrainConfig()
    ),
    unnoted_objective=lambda _: None,
    advice=lambda _: "Label or add more texts.",
    learned_from_dev=_learned_from_dev,
)
