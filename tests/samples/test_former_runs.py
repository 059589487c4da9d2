"""Runs of the former version are listed, predict and can be continued as they could."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.projects.former_version import (
    BETA,
    COMPARED,
    CURVE,
    EDITED,
    JOURNEYS,
    NEAR,
    NEAR_ENOUGH,
    TAGGED,
    TRAINED,
    TRIPS,
    predictions,
    predictions_labels,
    predictions_slots,
)

from re2nn_core.experiments.project.model_runs import watch_comparison
from re2nn_core.experiments.project.runs import is_current, watch_series
from re2nn_core.experiments.project.series import SeriesOutcome
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.edited_runs import edited_model_of, former_runs
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.run_material import kept_material
from re2nn_core.services.fine_tuning.runs import changed_run_settings, run_rows, settings_of_run, watch
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.store import (
    Store,
    get_run,
    list_runs,
)
from re2nn_core.training.config import TrainConfig


def test_runs_are_listed_with_their_figures(store: Store) -> None:
    assert [(run.id, run.kind, run.state) for run in reversed(list_runs(store, TRIPS))] == [
        (TRAINED, "train", "done"),
        (EDITED, "train", "done"),
        (CURVE, "curve", "done"),
        (BETA, "beta", "done"),
        (COMPARED, "models", "done"),
        (NEAR, "train", "done"),
    ]
    near, edited, trained = run_rows(store, TRIPS)
    assert (trained.dev_name, trained.zero_dev, trained.dev) == ("out-of-fold", *near_to(0.8533, 0.9867))
    assert (trained.zero_test, trained.test, trained.train_size, trained.turns) == (0.875, 1.0, 51, True)
    assert (trained.epochs, trained.best_epoch, trained.parameters, trained.vectors) == (44, 4, 627, "none")
    assert (near.dev_name, near.zero_dev, near.dev, near.test) == ("dev (also used for training)", 0.875, 1.0, 1.0)
    assert edited.edit == "run 1, edited: switched off go; added town"
    [tagged] = run_rows(store, JOURNEYS)
    assert (tagged.dev_name, tagged.zero_dev, tagged.dev) == ("dev", *near_to(0.8, 1.0))
    assert (tagged.zero_test, tagged.test, tagged.train_size) == (*near_to(0.5, 0.8889), 29)


def near_to(*figures: float) -> Sequence[Any]:
    """Each of them, four digits behind the point."""
    return [pytest.approx(figure, abs=NEAR_ENOUGH) for figure in figures]


def test_runs_keep_all_their_settings(store: Store) -> None:
    network = NetworkConfig(
        vectors="none", train_words=True, state_head=False, logit_scale=6.0, dropout=0.0, clamp_gradient_slope=0.2
    )
    assert settings_of_run(get_run(store, TRAINED)) == (
        network,
        TrainConfig(
            epochs=60,
            batch_size=8,
            learning_rate=0.06,
            decay=0.99,
            patience=40,
            l2_to_initial=1e-6,
            copies=2,
            seed=1,
            device="cpu",
        ),
    )
    assert settings_of_run(get_run(store, EDITED)) == settings_of_run(get_run(store, TRAINED))
    assert settings_of_run(get_run(store, NEAR)) == (
        network,
        TrainConfig(
            epochs=40,
            batch_size=8,
            learning_rate=0.03,
            decay=0.99,
            l2_to_initial=1e-5,
            copies=2,
            faithful=True,
            seed=1,
            device="cpu",
        ),
    )
    assert settings_of_run(get_run(store, TAGGED)) == (
        TaggerConfig(
            vectors="builtin",
            train_words=True,
            threshold=0.15,
            decoding="softmax",
            auxiliary="none",
            logit_scale=2.0,
            dropout=0.0,
            clamp_gradient_slope=0.2,
        ),
        TrainConfig(
            epochs=30,
            batch_size=8,
            learning_rate=0.05,
            embedding_learning_rate=0.02,
            head_learning_rate=0.05,
            patience=30,
            copies=1,
            seed=2,
            device="cpu",
        ),
    )
    assert len(changed_run_settings(get_run(store, TRAINED))) == 15
    kept = kept_material(get_run(store, TRAINED).folder)
    assert kept is not None
    assert (kept.policy.written, kept.labelled, kept.waiting) == ("agreed", frozenset(range(83)), frozenset())


def test_the_curve_of_a_run_is_read(store: Store) -> None:
    watched = watch(store, TRAINED)
    assert (len(watched.epochs), watched.dev_name, watched.has_dev) == (45, "out-of-fold", True)
    assert watched.best is not None
    assert (watched.best.epoch, watched.best.train) == (4, 1.0)
    assert [watched.best.dev, watched.best.dev_loss] == pytest.approx([0.98667, 0.09971], abs=NEAR_ENOUGH)


@pytest.mark.parametrize("run_id", [TRAINED, EDITED, NEAR])
def test_the_network_of_a_run_predicts_as_it_did(store: Store, run_id: int) -> None:
    reported, run = predictions()["runs"][str(run_id)], get_run(store, run_id)
    predictions_labels(bundle_of(run), reported)
    assert run.result is not None
    assert (run.result["dev"], run.result["test"]) == (reported["dev"], reported["test"])


def test_the_network_of_a_run_for_slots_predicts_as_it_did(store: Store) -> None:
    reported, run = predictions()["runs"][str(TAGGED)], get_run(store, TAGGED)
    predictions_slots(tagger_of(run), reported)
    assert run.result is not None
    assert (run.result["dev"], run.result["test"]) == (reported["dev"], reported["test"])


def test_an_edited_run_knows_what_it_was_made_from(store: Store) -> None:
    run = get_run(store, EDITED)
    edit, model = edit_of(run), edited_model_of(run)
    assert edit is not None
    assert (edit.former, edit.added, edit.off, edit.untouched) == (TRAINED, ("town",), ("go",), 3)
    assert (edit.same_weights, edit.texts, edit.changed, edit.accuracies) == (True, 83, 0, (1.0, 1.0))
    assert [former.id for former in former_runs(store, run)] == [TRAINED]
    assert model.edits == Edits((Addition("[money]\ntown := $* cost $*\n"),), ("go",))
    assert [rule.name for rule in model.rules] == ["go", "to_city", "price", "much", "town"]
    assert [rule.name for rule in model.origin.ruleset.rules] == ["go", "to_city", "price", "much"]


def test_series_of_trainings_are_read(store: Store) -> None:
    curve, beta = watch_series(store, CURVE), watch_series(store, BETA)
    assert is_current(store, curve.run)
    assert curve.outcomes[0] == SeriesOutcome(
        at=0.0, seed=0, texts=0, main=87.5, beside=87.5, precision=90.0, recall=87.5, untrained=None, seconds=0.0
    )
    assert [(one.at, one.seed, one.texts, one.main) for one in curve.outcomes[1:]] == [
        (0.3, 0, 15, 100.0),
        (0.3, 1, 15, 87.5),
        (1.0, 0, 51, 100.0),
        (1.0, 1, 51, 100.0),
    ]
    assert [(one.at, one.main, one.untrained) for one in beta.outcomes[1:]] == [
        (0.3, 87.5, 87.5),
        (0.5, 87.5, 87.5),
        (0.7, 87.5, 87.5),
        (1.0, 87.5, 87.5),
        (None, 100.0, 87.5),
    ]
    compared = watch_comparison(store, COMPARED)
    assert (compared.rules, compared.rules_number) == (87.5, 2)
    assert [(one.system, one.texts, one.value) for one in compared.trained] == [
        ("interpretable", 20, 100.0),
        ("dan", 20, 87.5),
    ]
