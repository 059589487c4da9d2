"""What figures of a network read back prove: said once, for the page and for the command line."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_review.split_roles import (
    DEV_ALONE,
    LEARNED_DEV,
    LOSES,
    NO_TEST,
    SplitNotes,
    deciding_split,
    figure_name,
    gains_of,
    held_name,
    network_learned_from_dev,
    roles_in_words,
    split_data,
    split_notes_of,
    split_role_of,
)

ON_TEST = "On test, which had no part in choosing: 1 better and {} worse of 80 texts. "
SURE = f"{DEV_ALONE} The difference is statistically significant (on dev 20 better and 1 worse of 80)."
UNSURE = "Dev improves (on dev 3 better and 0 worse of 80), but the difference is not statistically significant."
UNSURE_LOSS = (
    "Test gets worse: fewer of its predictions are correct than before, but the difference is not "
    "statistically significant."
)
FEW, MANY = SplitMoves(80, 3, 0), SplitMoves(80, 20, 1)


@pytest.mark.parametrize(
    ("gains", "dev", "broken", "learned", "warnings", "remarks"),
    [
        ({"dev": 0.1, "test": 0.0}, MANY, 1, False, (ON_TEST.format(1) + SURE,), ()),
        ({"dev": 0.1, "test": 0.0}, FEW, 1, False, (), (ON_TEST.format(1) + UNSURE,)),
        ({"dev": 0.1, "test": -0.1}, MANY, 9, True, (LEARNED_DEV, ON_TEST.format(9) + LOSES), ()),
        ({"dev": 0.1, "test": -0.1}, MANY, 3, True, (LEARNED_DEV,), (ON_TEST.format(3) + UNSURE_LOSS,)),
        ({"dev": 0.1, "test": 0.05}, MANY, 1, False, (), ()),
        ({"dev": 0.1}, MANY, 1, False, (NO_TEST,), ()),
        ({}, MANY, 1, True, (LEARNED_DEV, NO_TEST), ()),
    ],
)
def test_what_splits_say(
    gains: dict[str, float],
    dev: SplitMoves,
    broken: int,
    learned: bool,
    warnings: tuple[str, ...],
    remarks: tuple[str, ...],
) -> None:
    moves = {"dev": dev, "test": SplitMoves(80, 1, broken)}
    assert split_notes_of(gains, moves, learned_from_dev=learned) == SplitNotes(warnings, remarks)


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
    assert figure_name("dev", learned_from_dev=True) == "dev (also used for training)"
    assert [figure_name(split, learned_from_dev=False) for split in ("dev", "train")] == ["dev", "train"]
    assert split_role_of("dev", "thresholds", learned_from_dev=True) == "chose the thresholds; also used for training"
    assert split_role_of("later", "thresholds", learned_from_dev=True) == ""
    assert roles_in_words(("dev", "train", "test"), "changes", learned_from_dev=False) == (
        "Dev chose the changes, train helped to choose, test was held-out."
    )
    assert split_data("test", learned_from_dev=True) == {"name": "test", "part": "held-out", "learned_from": False}
    assert split_data("dev", learned_from_dev=True)["learned_from"]


def test_gains_are_of_measured_splits() -> None:
    assert gains_of([("dev", 0.5, 0.75), ("train", None, 0.5), ("test", 0.5, 0.25)]) == {"dev": 0.25, "test": -0.25}


@pytest.mark.parametrize(
    ("labelled", "learned_from_dev", "expected"),
    [
        ({"train", "dev", "test"}, False, "dev"),
        ({"train", "dev", "test"}, True, "test"),
        ({"train", "dev"}, True, None),
        ({"train", "test"}, False, "test"),
        ({"train", None}, False, None),
    ],
)
def test_changes_are_judged_by_texts_that_were_not_learned_from(
    labelled: set[str | None], learned_from_dev: bool, expected: str | None
) -> None:
    assert deciding_split(labelled, learned_from_dev=learned_from_dev) == expected


def test_texts_that_chose_the_changes_are_not_called_held_out() -> None:
    assert held_name("test", 102) == "102 held-out test texts"
    assert held_name("dev", 1) == "1 dev text"
    assert held_name("", 0) == ""
