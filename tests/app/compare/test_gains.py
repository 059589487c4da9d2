"""Figures of gains on the page Compare: what tables, figures and sentences say of one gain is the same."""

from __future__ import annotations

import pytest

from pages._compare.accepting.gains import gain_in_words, moved, signed
from pages._compare.reconstruction.summary_sentence import flattering
from pages._compare.split_names import ALL
from pages._shared.drawing.measures import ACCURACY, F1
from re2nn_core.services.rule_review.split_roles import NO_CHANGE


@pytest.mark.parametrize("right", [-1200, -1, 0, 1, 6])
@pytest.mark.parametrize("slots", [False, True])
def test_the_sentence_begins_with_the_figure_of_the_table(right: int, slots: bool) -> None:
    assert gain_in_words(right, slots=slots).replace(", ", " ").split(" ", 1)[0] == signed(right)


@pytest.mark.parametrize(
    ("right", "slots", "said"),
    [
        (1, False, "+1 (1 correct prediction more in labelled train and dev texts)"),
        (-6, False, "-6 (6 correct predictions fewer in labelled train and dev texts)"),
        (6, True, "+6 (6 errors fewer in labelled train and dev texts)"),
        (-1, True, "-1 (1 error more in labelled train and dev texts)"),
        (0, True, "0, as many errors as before in labelled train and dev texts"),
    ],
)
def test_a_gain_in_words(right: int, slots: bool, said: str) -> None:
    assert gain_in_words(right, slots=slots) == said


@pytest.mark.parametrize("measure", [ACCURACY, F1])
@pytest.mark.parametrize("change", [0.0, 0.0004, -0.0004, 0.0006, 0.05, -0.05])
def test_a_change_that_a_sentence_calls_none_has_no_arrow_beside_its_figure(measure, change: float) -> None:
    reported, shown = measure.change(change, NO_CHANGE), measure.gain(change)
    if reported.startswith("±"):
        assert shown == ""
    else:
        assert reported.removesuffix(" points") in shown


def test_no_gain_is_shown_as_none() -> None:
    assert moved(ACCURACY, 0.0).endswith(">±0.0 points</span>")
    assert moved(ACCURACY, 0.0, unit=False).endswith(">±0.0</span>")
    assert moved(F1, 1e-5).endswith(">±0.0</span>")
    assert "+5.0 points" in moved(ACCURACY, 0.05)
    assert moved(ACCURACY, None) == ""


def test_figures_that_chose_are_said_to_flatter() -> None:
    reported = flattering(["dev", "train", "test"], "dev", "changes")
    assert reported.startswith("The changes were chosen on dev and train, so the figures there are optimistic")
    assert "Rely on test" in reported
    assert "There are no test texts." in flattering(["dev"], ALL, "changes")
    assert "chosen on all labelled texts" in flattering(["dev", "train"], ALL, "changes")
    assert flattering(["test"], "dev", "changes") == ""
