"""Figures of training and predictions, checked by their data."""

from __future__ import annotations

import pytest

from re2nn_core.plots.curves import (
    LONGEST_LABEL,
    Curve,
    Level,
    axis_label,
    confusion_matrix,
    most_confused,
    training_curve,
    two_curves,
)
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


OTHER = tuple(Epoch(n, 0.5, 0.1, dev, 0.4, 1.0) for n, dev in enumerate((0.7, 0.9)))


def test_two_runs_differ_in_name_dash_and_mark_and_share_the_line_of_their_rules():
    figure = two_curves(Curve("run 1", EPOCHS, 2), Curve("run 4", OTHER, 1), dark=False)
    first, second, rules = figure.data
    assert (first.name, second.name, rules.name) == (
        "run 1, best 80.0%",
        "run 4, best 90.0%",
        "rules alone, dev 70.0%",
    )
    assert (first.y, second.y, set(rules.y)) == ((0.7, 0.65, 0.8, 0.75), (0.7, 0.9), {0.7})
    assert len({trace.line.dash for trace in figure.data}) == 3
    assert first.marker.symbol != second.marker.symbol
    assert [size == max(first.marker.size) for size in first.marker.size] == [False, False, True, False]
    # Train accuracies are not drawn, and the axis does not make room for them.
    assert figure.layout.yaxis.range[0] > 0.5


def test_runs_that_began_with_other_rules_have_a_line_each():
    later = (*OTHER[1:],)
    figure = two_curves(Curve("run 1", EPOCHS, 0), Curve("run 2", later, 0), dark=True)
    names = [trace.name for trace in figure.data]
    assert names[2:] == ["rules of run 1, dev 70.0%", "rules of run 2, dev 90.0%"]
    assert len({trace.line.dash for trace in figure.data}) == 4


def test_a_run_without_a_curve_is_a_level():
    figure = two_curves(Level("run 1, edited", 0.95), Curve("run 2", EPOCHS, 2), dark=True)
    level, curve, rules = figure.data
    assert (level.name, set(level.y)) == ("run 1, edited, dev 95.0%", {0.95})
    assert len({level.line.dash, curve.line.dash, rules.line.dash}) == 3
    assert rules.name == "rules of run 2, dev 70.0%"
    assert figure.layout.yaxis.range[1] > 0.95


@pytest.mark.parametrize("dev", [0.3, 0.75, 0.88, 0.97, 1.0])
def test_no_mark_of_the_axis_is_above_all_texts(dev):
    """Narrow axes have a mark for each hundredth."""
    epochs = (Epoch(0, 0.5, dev, dev, 0.4, 1.0), Epoch(1, 0.5, 1.0, 1.0, 0.4, 1.0))
    bottom, top = training_curve(epochs, best=1, total=1, dark=False).layout.yaxis.range
    assert 1.0 < top < 1.0 + (top - bottom) / 8


def test_the_best_epoch_is_one_of_them():
    with pytest.raises(ValueError, match="the best of 4 epochs must be one of them"):
        Curve("run 1", EPOCHS, 4)


def test_cells_carry_their_place_and_number():
    figure = confusion_matrix(["a", "b"], [[3, 1], [0, 2]], dark=False)
    cells = figure.data[-1]
    right, wrong = figure.data[:2]
    assert [list(row) for row in right.text] == [["3", ""], ["", "2"]]
    assert [list(row) for row in wrong.text] == [["", "1"], ["", ""]]
    assert [list(place) for place in cells.customdata] == [[0, 0], [0, 1], [1, 1]]
    assert cells.hovertext[1] == "1 text of a predicted as b"


def test_of_many_labels_those_that_are_confused_most_are_taken_in_their_order():
    counts = [[9, 0, 0, 1], [0, 9, 0, 0], [0, 0, 5, 4], [3, 0, 0, 9]]
    assert most_confused(counts, 1) == [2]
    assert most_confused(counts, 2) == [2, 3]
    assert most_confused(counts, 3) == [0, 2, 3]
    assert most_confused(counts, 9) == [0, 1, 2, 3]


def test_right_and_wrong_have_scales_of_their_own():
    right, wrong = confusion_matrix(["a", "b"], [[3, 1], [0, 2]], dark=True).data[:2]
    assert [list(row) for row in right.z] == [[0.75, None], [None, 1.0]]
    assert [list(row) for row in wrong.z] == [[None, 0.25], [None, None]]
    of_more, _ = confusion_matrix(["a", "b"], [[3, 1], [0, 2]], dark=True, texts=[4, 8]).data[:2]
    assert [list(row) for row in of_more.z] == [[0.75, None], [None, 0.25]]


def test_labels_are_no_markup():
    figure = confusion_matrix(["<b>x</b>", "y & z"], [[1, 1], [0, 1]], dark=False)
    assert figure.layout.xaxis.ticktext == ("&lt;b&gt;x&lt;/b&gt;", "y &amp; z")
    assert "<b>" not in "".join(figure.data[-1].hovertext)


def test_long_labels_are_shortened():
    assert len(axis_label("x" * 50)) == LONGEST_LABEL
