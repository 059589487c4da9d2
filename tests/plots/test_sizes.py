"""The curve of accuracy and agreement by the size of a reconstruction."""

from __future__ import annotations

from re2nn_core.plots.sizes import SizePoint, size_curve


def test_both_shares_are_drawn_by_words_and_the_chosen_size_is_marked() -> None:
    points = [SizePoint(0, 0.8, 0.7, 102), SizePoint(0, 0.85, 0.7, 102), SizePoint(9, 0.9, 0.75, 102)]
    figure = size_curve(points, shown=9, dark=False, measure="F1 on 102 test texts")
    lines = {line.name: (list(line.x), list(line.y)) for line in figure.data}
    assert lines == {
        "F1 on 102 test texts": ([0, 0, 9], [0.7, 0.7, 0.75]),
        "same prediction as the network": ([0, 0, 9], [0.8, 0.85, 0.9]),
    }
    assert [(line.x0, line.x1) for line in figure.layout.shapes] == [(9, 9)]
    assert figure.data[0].line.color != size_curve(points, shown=0, dark=True).data[1].line.color
