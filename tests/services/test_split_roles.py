"""What figures of a network read back prove: said once, for the page and for the command line."""

from __future__ import annotations

import pytest

from re2nn_core.services.split_roles import (
    DEV_ALONE,
    LEARNED_DEV,
    NO_TEST,
    figure_name,
    gains_of,
    network_learned_from_dev,
    role_of,
    roles_in_words,
    split_data,
    warnings_of,
)


@pytest.mark.parametrize(
    ("gains", "learned", "warnings"),
    [
        ({"dev": 0.1, "test": 0.0}, False, (DEV_ALONE,)),
        ({"dev": 0.1, "test": -0.1}, True, (LEARNED_DEV, DEV_ALONE)),
        ({"dev": 0.1, "test": 0.05}, False, ()),
        ({"dev": 0.0, "test": -0.02}, False, ()),
        ({"dev": 0.1}, False, (NO_TEST,)),
        ({}, True, (LEARNED_DEV, NO_TEST)),
    ],
)
def test_warnings(gains: dict[str, float], learned: bool, warnings: tuple[str, ...]) -> None:
    assert warnings_of(gains, learned_from_dev=learned) == warnings


@pytest.mark.parametrize(
    ("figures", "learned"),
    [
        ({"turns": True}, True),
        ({"turns": False}, False),
        ({"from_dev": 12}, True),
        ({"from_dev": 0}, False),
        ({}, False),
    ],
)
def test_a_model_says_whether_it_has_learned_from_dev(figures: dict[str, object], learned: bool) -> None:
    assert network_learned_from_dev(figures) is learned


def test_splits_have_names_and_parts() -> None:
    assert figure_name("dev", learned_from_dev=True) == "dev, learned from"
    assert [figure_name(split, learned_from_dev=False) for split in ("dev", "train")] == ["dev", "train"]
    assert (
        role_of("dev", "thresholds", learned_from_dev=True) == "chose the thresholds; the network has learned from it"
    )
    assert role_of("later", "thresholds", learned_from_dev=True) == ""
    assert roles_in_words(("dev", "train", "test"), "changes", learned_from_dev=False) == (
        "Dev chose the changes, train helped to choose, test was kept apart."
    )
    assert split_data("test", learned_from_dev=True) == {"name": "test", "part": "kept apart", "learned_from": False}
    assert split_data("dev", learned_from_dev=True)["learned_from"]


def test_gains_are_of_measured_splits() -> None:
    assert gains_of([("dev", 0.5, 0.75), ("train", None, 0.5), ("test", 0.5, 0.25)]) == {"dev": 0.25, "test": -0.25}
