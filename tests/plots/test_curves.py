"""Figures of training and answers, checked by their data."""

from __future__ import annotations

import pytest

from re2nn_core.plots.curves import LONGEST_LABEL, confusion_matrix, shortened, training_curve
from re2nn_core.training.loop import Epoch

EPOCHS = tuple(Epoch(n, 0.5, 0.6 + n / 100, dev, 0.4, 1.0) for n, dev in enumerate((0.7, 0.65, 0.8, 0.75)))


def named(figure, start: str):
    return next(trace for trace in figure.data if trace.name.startswith(start))


@pytest.mark.parametrize("dark", [True, False])
def test_the_rules_accuracy_is_drawn_across(dark):
    figure = training_curve(EPOCHS, best=2, total=20, dark=dark)
    across = named(figure, "rules alone")
    assert set(across.y) == {0.7}
    assert across.x[0] < 0 < 3 < across.x[1]
    assert across.line.dash == "dash"


def test_train_dev_and_the_best_epoch_are_drawn():
    figure = training_curve(EPOCHS, best=2, total=20, dark=False)
    assert named(figure, "dev").y == (0.7, 0.65, 0.8, 0.75)
    assert named(figure, "train").x == (0, 1, 2, 3)
    best = named(figure, "best")
    assert (best.x, best.y) == ((2,), (0.8,))


def test_no_epoch_yet_is_an_empty_plot():
    figure = training_curve((), best=None, total=0, dark=False)
    assert [trace.name for trace in figure.data] == ["train", "dev"]


def test_the_axis_never_grows_past_the_last_possible_epoch():
    assert training_curve(EPOCHS, best=None, total=4, dark=False).layout.xaxis.range[1] == pytest.approx(5.3)
    assert training_curve(EPOCHS, best=None, total=100, dark=False).layout.xaxis.range[1] < 10


def test_cells_carry_their_place_and_number():
    figure = confusion_matrix(["a", "b"], [[3, 1], [0, 2]], dark=False)
    cells = figure.data[-1]
    right, wrong = figure.data[:2]
    assert [list(row) for row in right.text] == [["3", ""], ["", "2"]]
    assert [list(row) for row in wrong.text] == [["", "1"], ["", ""]]
    assert [list(place) for place in cells.customdata] == [[0, 0], [0, 1], [1, 1]]
    assert cells.hovertext[1] == "1 texts of a answered b"


def test_right_and_wrong_have_scales_of_their_own():
    right, wrong = confusion_matrix(["a", "b"], [[3, 1], [0, 2]], dark=True).data[:2]
    assert [list(row) for row in right.z] == [[0.75, None], [None, 1.0]]
    assert [list(row) for row in wrong.z] == [[None, 0.25], [None, None]]


def test_labels_are_no_markup():
    figure = confusion_matrix(["<b>x</b>", "y & z"], [[1, 1], [0, 1]], dark=False)
    assert figure.layout.xaxis.ticktext == ("&lt;b&gt;x&lt;/b&gt;", "y &amp; z")
    assert "<b>" not in "".join(figure.data[-1].hovertext)


def test_long_labels_are_shortened():
    assert len(shortened("x" * 50)) == LONGEST_LABEL
