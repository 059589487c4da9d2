"""Training runs of projects for labels: the job. What all runs share is in fine_tuning/runs.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import plan_of, train_system
from re2nn_core.services.fine_tuning.dev_figures import dev_name
from re2nn_core.services.fine_tuning.manual_overrides import by_hand_of
from re2nn_core.services.fine_tuning.reports import epochs_told, run_result, stored_settings
from re2nn_core.services.fine_tuning.run_material import keep_material, material_now
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.team.training_labels import labelled_material_of
from re2nn_core.store import RuleVersion, RunRecord, Store, get_project
from re2nn_core.text.corpus import Corpus, Example

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report


def train_labels(store: Store, run: RunRecord, version: RuleVersion, report: Report) -> Mapping[str, Any]:
    """The job: train a project's rules on the labels of its texts. `run.config` may hold `network` and `train`
    settings, and which of the latter were set `by_hand`."""
    network, settings = stored_settings(NetworkConfig, run)
    project = get_project(store, run.project_id)
    system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
    material = labelled_material_of(store, project)
    corpus = Corpus(tuple(Example(text.text, text.label, text.split) for text in material.records))
    split, _, recipe = plan_of(system, corpus, network, settings, by_hand_of(run))
    done = train_system(
        system,
        corpus,
        network,
        settings,
        folder=run.folder,
        on_epoch=epochs_told(report, recipe.config.epochs, dev_name(split, settings)),
        should_stop=report.should_stop,
        by_hand=by_hand_of(run),
    )
    kept = material_now(material)
    keep_material(run.folder, kept)
    # Which labels train says nothing of a network that has learned none.
    return run_result(done) | (kept.as_data if split.train else {})
