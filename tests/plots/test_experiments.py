"""Figures of experiments, checked by their data, and the file that they are written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.plots.experiments import PlottedLine, amount_figure, beta_figure, page_figure, write_figure

LINES = (
    PlottedLine("accuracy", ("0%", "1%", "100%"), (93.0, 94.5, 98.0), (None, 1.25, 0.5)),
    PlottedLine("recall <of> a & b", ("0%", "1%", "100%"), (51.0, 70.0, 95.0), (0.0, 3.0, 1.0)),
)


def test_lines_carry_values_and_deviations():
    figure = amount_figure(LINES, data="SMS")
    first = figure.data[0]
    assert (first.name, first.x, first.y) == ("accuracy", ("0%", "1%", "100%"), (93.0, 94.5, 98.0))
    assert list(first.error_y.array) == [0.0, 1.25, 0.5]
    assert figure.layout.xaxis.type == "category"
    assert figure.layout.xaxis.title.text == "share of the training texts"


def test_lines_differ_in_more_than_colour():
    figure = beta_figure(LINES, data="SMS")
    first, second = figure.data
    assert first.line.dash != second.line.dash
    assert first.marker.symbol != second.marker.symbol
    assert figure.layout.xaxis.title.text.startswith("beta")


def test_names_are_no_markup():
    figure = amount_figure(LINES, data="<i>x</i>")
    assert figure.data[1].name == "recall &lt;of&gt; a &amp; b"
    assert "<i>" not in figure.layout.title.text


def test_a_page_shows_through_and_has_inks_for_dark():
    light, dark = (page_figure(LINES, below="texts <b>", dark=night, height=300) for night in (False, True))
    assert light.layout.paper_bgcolor == dark.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert light.layout.font.color != dark.layout.font.color
    assert light.layout.yaxis.gridcolor != dark.layout.yaxis.gridcolor
    assert (dark.layout.xaxis.type, dark.layout.xaxis.title.text, dark.layout.height) == (
        "category",
        "texts &lt;b&gt;",
        300,
    )
    assert not dark.layout.title.text


def test_the_file_needs_no_network(tmp_path: Path):
    write_figure(beta_figure(LINES, data="SMS"), tmp_path / "beta.html")
    text = (tmp_path / "beta.html").read_text(encoding="utf-8")
    assert "<script src=" not in text.replace("'", '"')
    assert len(text) > 1_000_000


def test_a_line_of_unequal_parts():
    with pytest.raises(ValueError, match="as many places as values"):
        PlottedLine("x", ("0%",), (1.0, 2.0), (None, None))
