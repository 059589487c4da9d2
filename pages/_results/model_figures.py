"""What a comparison came to: sentences, learning curves with bands, and the table behind them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.components.downloads import download
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import escape, explained, html
from pages._shared.drawing.tables import html_table
from re2nn_core.experiments.project.model_findings import (
    LearningCurve,
    MeasuredBy,
    caution_in_words,
    comparison_in_words,
    curves_of,
)
from re2nn_core.experiments.project.model_runs import ModelComparison, trainings_csv
from re2nn_core.guide.glossary import definition
from re2nn_core.plots.reproduced import Band, bands_figure


def draw_comparison_figures(found: ModelComparison) -> None:
    """Nothing until the first training is over. The sentences wait for the last one."""
    curves = curves_of(found.trained)
    if found.rules is None or not curves:
        return
    config = found.run.config
    measure = MeasuredBy(str(config["measure"]), int(config["measured_texts"]))
    if found.run.state == "done":
        reported = comparison_in_words(found.rules, curves, measure)
        html("".join(f'<p class="re2-verdict">{escape(sentence)}</p>' for sentence in reported))
        html(f'<div class="re2-muted">{caution_in_words(curves, measure)}</div>')
    left, right = st.columns([11, 9], gap="medium")
    with left:
        bands = [
            Band(
                curve.name,
                curve.texts,
                tuple(one.mean for one in curve.reached),
                tuple(one.std for one in curve.reached),
            )
            for curve in curves
        ]
        st.plotly_chart(
            bands_figure(bands, ("rules only", found.rules), beside=f"{measure.name}, per cent", dark=dark()),
            key=f"models_figure_{found.run.id}",
            config={"displayModeBar": False},
            alt="The figures of the table as curves with bands of one standard deviation",
        )
    with right:
        html(_table(curves, found.rules))
        html(
            f'<div class="re2-muted">{escape(measure.name)} in per cent; ± is the standard deviation over '
            f"{explained('seeds', definition('Seed'))}. Rules only: {found.rules:.1f}.</div>"
        )
        download(
            "Export all training runs as CSV",
            trainings_csv(found),
            f"comparison-{found.run.id}.csv",
            "text/csv",
            key="models_csv",
        )


def _table(curves: Sequence[LearningCurve], rules: float) -> str:
    amounts = sorted({texts for curve in curves for texts in curve.texts})
    rows = [[f"{texts:,}", *(_cell(curve, texts) for curve in curves)] for texts in amounts]
    return html_table(["Texts", *(curve.name for curve in curves)], rows)


def _cell(curve: LearningCurve, texts: int) -> str:
    if texts not in curve.texts:
        return '<span class="re2-muted">not yet</span>'
    place = curve.texts.index(texts)
    reached, seeds = curve.reached[place], curve.seeds[place]
    deviation = "one seed" if reached.std is None else f"± {reached.std:.1f} ({seeds} seeds)"
    return f'{reached.mean:.1f} <span class="re2-muted">{deviation}</span>'
