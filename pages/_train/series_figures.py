"""What a series of trainings came to: the figure, the table beside it, and the sentence above both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.experiments.project.data import Measured
from re2nn_core.experiments.project.findings import (
    FindingRow,
    accuracy_name,
    beta_in_words,
    curve_in_words,
    finding_rows,
)
from re2nn_core.experiments.project.runs import Series
from re2nn_core.experiments.project.series import CURVE
from re2nn_core.experiments.result_tables.table import Spread
from re2nn_core.plots.experiments import PlottedLine, page_figure

_HEIGHT = 320
_NO_BETA = "none"
Cells = Sequence[tuple[str, Callable[[FindingRow], Spread | None]]]


def draw_findings(found: Series) -> None:
    """Nothing until the first training is over. The sentence waits for the last one."""
    rules, *trained = found.outcomes or (None,)
    if rules is None or not trained:
        return
    rows, config = finding_rows(trained), found.run.config
    measured: Measured = config["measured_name"]
    if found.run.kind == CURVE:
        rows = (*finding_rows([rules]), *rows)
        sentence = curve_in_words(rows[1:], measured, config["measured_texts"])
        _draw(found, sentence, rows, _curve_cells(measured, rows[0]), _curve_lines(measured, rows))
    else:
        sentence = beta_in_words(rows, rules, measured, config["measured_texts"])
        _draw(found, sentence, rows, _beta_cells(measured, rows[0]), _beta_lines(measured, rows, rules.main))


def _draw(found: Series, sentence: str, rows: Sequence[FindingRow], cells: Cells, lines: Sequence[PlottedLine]) -> None:
    curve = found.run.kind == CURVE
    if found.run.state == "done" and sentence:
        html(f'<div class="re2-verdict">{escape(sentence)}</div>')
    left, right = st.columns([10, 9], gap="medium")
    with left:
        st.plotly_chart(
            page_figure(
                lines,
                below="training texts (0: rules only)" if curve else "rule weight (1: only words of the rules)",
                dark=dark(),
                height=_HEIGHT,
            ),
            key=f"train_series_{found.run.id}",
            config={"displayModeBar": False},
            alt="The figures of the table as lines",
        )
    with right:
        head = ["Share", "texts"] if curve else ["Rule weight"]
        html(
            '<div class="re2-series">'
            + html_table(
                [*head, *(name for name, _ in cells)],
                [[*_head(row, curve), *(_shown(value(row)) for _, value in cells)] for row in rows],
                numbers=range(1, len(head) + len(cells)),
            )
            + "</div>"
        )
        html(f'<div class="re2-muted">{escape(_reading(rows))}</div>')


def _head(row: FindingRow, curve: bool) -> list[str]:
    if not curve:
        return [_beta(row)]
    return [f"{row.at:.0%}", f"{row.texts:,}"] if row.texts else ["rules only", ""]


def _beta(row: FindingRow) -> str:
    return _NO_BETA if row.at is None else f"{row.at:g}"


def _shown(spread: Spread | None) -> str:
    if spread is None:
        return ""
    deviation = "" if spread.std is None else f' <span class="re2-muted">± {spread.std:.1f}</span>'
    return f"{spread.mean:.1f}{deviation}"


def _reading(rows: Sequence[FindingRow]) -> str:
    """How to read the table."""
    seeds = max(row.seeds for row in rows)
    over = f" ± is the standard deviation over {seeds} trainings." if seeds > 1 else ""
    return f"In per cent. Precision and recall are averaged over labels.{over}"


def _curve_cells(measured: Measured, first: FindingRow) -> Cells:
    return (
        (_short(measured), lambda row: row.main),
        *_beside(first),
        ("precision", lambda row: row.precision),
        ("recall", lambda row: row.recall),
    )


def _beta_cells(measured: Measured, first: FindingRow) -> Cells:
    return (
        (f"{_short(measured)}, untrained", lambda row: row.untrained),
        (f"{_short(measured)}, trained", lambda row: row.main),
        *_beside(first),
        ("precision", lambda row: row.precision),
        ("recall", lambda row: row.recall),
    )


def _beside(first: FindingRow) -> Cells:
    return () if first.beside is None else (("test", lambda row: row.beside),)


def _short(measured: Measured) -> str:
    return accuracy_name(measured) if measured == "set apart" else measured


def _curve_lines(measured: Measured, rows: Sequence[FindingRow]) -> list[PlottedLine]:
    cells = ((accuracy_name(measured), lambda row: row.main), *_curve_cells(measured, rows[0])[1:])
    return [_line(name, [f"{row.texts:,}" for row in rows], [value(row) for row in rows]) for name, value in cells]


def _beta_lines(measured: Measured, rows: Sequence[FindingRow], rules: float) -> list[PlottedLine]:
    """The default has no place among the values of beta, so it goes across, as the rules do."""
    mixed = [row for row in rows if row.at is not None]
    places, name = [_beta(row) for row in mixed], _short(measured)
    levels = [("rules only", Spread(rules, None)), *(("no rule weight", row.main) for row in rows if row.at is None)]
    lines = [
        _line(f"{name}, trained", places, [row.main for row in mixed]),
        _line(f"{name}, untrained", places, [row.untrained for row in mixed]),
        *(_line(f"{name}, {what}", places, [Spread(level.mean, None)] * len(mixed)) for what, level in levels),
    ]
    beside = [row.beside for row in mixed]
    return lines if None in beside else [*lines, _line("test, trained", places, beside)]


def _line(name: str, places: Sequence[str], spreads: Sequence[Spread | None]) -> PlottedLine:
    known = [(place, spread) for place, spread in zip(places, spreads, strict=True) if spread is not None]
    return PlottedLine(
        name,
        tuple(place for place, _ in known),
        tuple(spread.mean for _, spread in known),
        tuple(spread.std for _, spread in known),
    )
