"""Figures of reproduced tables and of compared systems: their data, and that nothing is told by colour alone."""

from __future__ import annotations

from re2nn_core.plots.experiments import PlottedLine
from re2nn_core.plots.reproduced import Band, ReproducedPair, bands_figure, curves_figure, pairs_figure


def test_pairs_stand_row_by_row_and_leave_out_what_is_missing() -> None:
    pairs = [
        ReproducedPair("FA-RNN", 91.0, 1.0, 90.4),
        ReproducedPair("BiGRU", None, None, 70.7),
        ReproducedPair("CNN", 71.0, None, None),
    ]
    figure = pairs_figure(pairs, beside="accuracy")
    published, ours = figure.data
    assert (list(published.y), list(published.x)) == (["FA-RNN", "BiGRU"], [90.4, 70.7])
    assert (list(ours.y), list(ours.x), list(ours.error_x.array)) == (["FA-RNN", "CNN"], [91.0, 71.0], [1.0, 0.0])
    assert published.marker.symbol != ours.marker.symbol
    assert len(figure.layout.shapes) == 1, "a line where there are both"


def test_bands_lie_one_deviation_around_their_line() -> None:
    bands = [Band("ours", (20, 50), (80.0, 90.0), (2.0, 1.0)), Band("<b>", (20, 50), (60.0, 70.0), (None, None))]
    figure = bands_figure(bands, ("the rules alone", 75.0), beside="accuracy")
    band, line, other, level = figure.data
    assert list(zip(band.x, band.y, strict=True)) == [(20, 82.0), (50, 91.0), (50, 89.0), (20, 78.0)]
    assert (list(line.y), list(level.y)) == ([80.0, 90.0], [75.0, 75.0])
    assert other.name == "&lt;b&gt;"
    assert len({(trace.line.dash, trace.marker.symbol) for trace in (line, other)}) == 2
    assert list(figure.layout.xaxis.tickvals) == [20, 50]


def test_no_bar_of_a_share_goes_beyond_all_of_it() -> None:
    figure = curves_figure(
        [PlottedLine("trained", ("1%", "10%"), (98.0, 1.0), (5.0, 3.0))], below="share", beside="per cent"
    )
    error = figure.data[0].error_y
    assert (list(error.array), list(error.arrayminus)) == ([2.0, 3.0], [5.0, 1.0])
    counts = pairs_figure([ReproducedPair("FA-RNN", 240.0, 12.0, 250.0)], beside="parameters")
    assert list(counts.data[1].error_x.array) == [12.0]
    band = bands_figure([Band("ours", (20, 50), (98.0, 1.0), (5.0, 3.0))], ("rules", 50.0), beside="accuracy").data[0]
    assert list(band.y) == [100.0, 4.0, 0.0, 93.0]


def test_curves_name_their_axes() -> None:
    lines = [PlottedLine("trained", ("0.3", "1"), (80.0, 90.0), (1.0, None))]
    figure = curves_figure(lines, below="beta", beside="per cent", title="ATIS")
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("beta", "per cent")
    assert list(figure.data[0].y) == [80.0, 90.0]
