"""What the dev figure of a run is called, wherever it is shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from re2nn_core.services.fine_tuning.run_figures import chosen_behind, epoch_dev_name, named_figure, run_dev_name


@pytest.mark.parametrize(
    ("result", "name"),
    [
        (None, "dev"),
        ({"turns": False}, "dev"),
        ({"turns": True}, "out-of-fold"),
        ({"from_dev": 12}, "out-of-fold"),
        (
            {"figures": [{"name": "out-of-fold"}, {"name": "dev (also used for training)"}, {"name": "test"}]},
            "out-of-fold",
        ),
        (
            {
                "turns": True,
                "figures": [{"name": "out-of-fold"}, {"name": "dev (also used for training)", "near_rules": 0.9}],
            },
            "dev (also used for training)",
        ),
        ({"turns": False, "figures": [{"name": "dev"}, {"name": "test"}]}, "dev"),
    ],
)
def test_the_figure_that_decided_is_named_by_what_it_was_measured_on(result: dict[str, Any] | None, name: str) -> None:
    assert run_dev_name(SimpleNamespace(result=result)) == name


def test_each_epoch_keeps_its_name_where_the_network_was_brought_near_rules_after_it() -> None:
    figures = [{"name": "out-of-fold"}, {"name": "dev (also used for training)", "near_rules": 0.9}]
    run = SimpleNamespace(result={"turns": True, "figures": figures})
    assert (run_dev_name(run), epoch_dev_name(run)) == ("dev (also used for training)", "out-of-fold")


def test_a_layer_in_cross_validation_and_the_epochs_before_it_are_of_other_texts() -> None:
    result = {"best_epoch": 0, "linear_weight": 0.75, "epochs": 6, "figures": [{"name": "out-of-fold"}]}
    run = SimpleNamespace(config={"task": "slots"}, result=result)
    assert (run_dev_name(run), epoch_dev_name(run)) == ("out-of-fold", "held-out fifth")


def test_while_it_is_at_work_the_points_of_the_curve_tell_the_name() -> None:
    run = SimpleNamespace(result=None)
    assert (run_dev_name(run, "out-of-fold"), epoch_dev_name(run, "out-of-fold")) == ("out-of-fold",) * 2


@pytest.mark.parametrize(
    ("result", "reported"),
    [
        (None, None),
        ({"dev": None, "test": None}, None),
        ({"dev": 0.5}, (0.5, "dev")),
        ({"dev": 0.5, "turns": True}, (0.5, "out-of-fold")),
        ({"dev": 0.5, "figures": [{"name": "dev", "texts": 55}]}, (0.5, "dev, 55 texts")),
        (
            {"dev": 0.5, "figures": [{"name": "dev (used for suggesting)", "texts": 1}]},
            (0.5, "dev (used for suggesting), 1 text"),
        ),
        ({"dev": 0.5, "test": 0.25, "figures": [{"name": "test", "texts": 60}]}, (0.25, "test, 60 texts")),
    ],
)
def test_the_figure_that_is_shown_says_what_it_is_measured_on(
    result: dict[str, Any] | None, reported: tuple[float, str] | None
) -> None:
    found = named_figure(SimpleNamespace(result=result))
    assert (None if found is None else (found.share, found.base)) == reported


WITH_LAYER = "is of your rules with the linear layer; the epochs are of the network without it."
OF_THE_PLAN = "is of the network chosen after training, as Training plan says; the curve is measured before that."


@pytest.mark.parametrize(
    ("network", "figures", "reported"),
    [
        ({}, [{"name": "dev"}], OF_THE_PLAN),
        ({"auxiliary": "none"}, [], OF_THE_PLAN),
        (
            {"auxiliary": "lstm"},
            [{"name": "dev"}],
            "is with the weight of the auxiliary encoder chosen after training; the curve is measured with weight 1.",
        ),
        (
            {"auxiliary": "lstm", "auxiliary_weight": 0.5},
            [],
            "is with the weight of the auxiliary encoder chosen after training; the curve is measured with weight 0.5.",
        ),
        (
            {"auxiliary": "lstm"},
            [{"name": "dev", "near_rules": 0.9}],
            "is of the network after faithful training; the curve is measured before that.",
        ),
        (
            {"detached": True},
            [{"name": "dev"}],
            "is with the minimum confidence chosen after training; the curve is measured with the one set before.",
        ),
    ],
)
def test_what_was_chosen_behind_the_last_epoch_is_told(
    network: dict[str, Any], figures: list[dict[str, Any]], reported: str
) -> None:
    assert chosen_behind(SimpleNamespace(config={"network": network}, result={"figures": figures})) == reported


@pytest.mark.parametrize(
    ("task", "network", "epochs", "reported"),
    [
        pytest.param("slots", {}, 18, WITH_LAYER, id="a curve of the network of the rules, for slots"),
        pytest.param("labels", {"auxiliary": "lstm"}, 9, WITH_LAYER, id="labels"),
        pytest.param("slots", {}, 0, OF_THE_PLAN, id="no curve"),
    ],
)
def test_the_curve_is_of_a_network_without_the_layer_that_predicts(
    task: str, network: dict[str, Any], epochs: int, reported: str
) -> None:
    result = {"best_epoch": 0, "linear_weight": 0.75, "epochs": epochs, "figures": [{"name": "dev"}]}
    assert chosen_behind(SimpleNamespace(config={"task": task, "network": network}, result=result)) == reported
