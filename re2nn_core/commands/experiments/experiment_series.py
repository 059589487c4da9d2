"""experiment curve and experiment beta: several cells side by side, and their figures (Jiang et al., EMNLP 2020,
figures 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.options import PATH, note
from re2nn_core.commands.experiments.experiment_options import (
    Model,
    Running,
    Share,
    Shares,
    Source,
    model_option,
    running_options,
    source_options,
)
from re2nn_core.commands.experiments.experiment_text import beta_text, curve_text, figures_of, share
from re2nn_core.errors import InputError

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.table import Spread, Summary
    from re2nn_core.plots.experiments import Line

figure_option = click.option("--figure", type=PATH, help="HTML file for the figure; it needs no network.")


@click.command("curve")
@source_options
@click.option("--portions", type=Shares(), default="0,0.01,0.1,1", show_default=True, help="Shares of train.")
@click.option(
    "--model",
    "models",
    type=Model(),
    multiple=True,
    default=("fa-rnn",),
    show_default=True,
    help="The system to measure; may be given several times.",
)
@click.option("--label", help="Precision and recall of this label, instead of means over labels.")
@figure_option
@running_options
def curve_command(
    source: Source,
    portions: tuple[float, ...],
    models: tuple[str, ...],
    label: str | None,
    figure: Path | None,
    running: Running,
    as_json: bool,
) -> Answer | int:
    """Tell precision and recall against the amount of data.

    \b
    Example: re2nn experiment curve --data SMS --portions 0,0.01,0.1,1 --label spam --figure curve.html
    """
    from re2nn_core.experiments.result_tables.table import check_label, summaries

    data = source.data()
    if label is not None:
        check_label(label, data.name, dict.fromkeys(example.label or "" for example in data.test))
    outcome = running.run([running.cell(data, one, model) for model in dict.fromkeys(models) for one in portions])
    found = summaries(outcome.cells, label=label)
    if figure is not None:
        from re2nn_core.plots.experiments import amount_figure

        _write(amount_figure(_curve_lines(found, label), data=data.name), figure)
    figures = {"data": data.name, "label": label, "rows": [figures_of(summary) for summary in found]}
    return running.told(Answer(figures, curve_text(found, label)), outcome, as_json=as_json)


@click.command("beta")
@source_options
@click.option("--betas", type=Shares(), default="0.3,0.5,0.7,1", show_default=True, help="Weights of the rules.")
@click.option("--portion", type=Share(), default=1.0, show_default=True, help="Share of train.")
@model_option
@figure_option
@running_options
def beta_command(
    source: Source,
    betas: tuple[float, ...],
    portion: float,
    model: str,
    figure: Path | None,
    running: Running,
    as_json: bool,
) -> Answer | int:
    """Tell what beta costs before training and gives after.

    Beta is the weight of the rules beside that of the word vectors (equation 6).

    \b
    Example: re2nn experiment beta --data QC --betas 0.3,0.5,0.7,1 --figure beta.html
    """
    from re2nn_core.experiments.result_tables.table import summarise

    if running.settings.get("rule_weight") is not None:
        raise InputError("Write all values of beta as --betas 0.3,0.5, and leave out --rule-weight.")
    data = source.data()
    outcome = running.run([running.cell(data, portion, model, rule_weight=beta) for beta in betas])
    # Where it was stopped, the last betas have no cell or no run.
    both = zip(betas, map(summarise, outcome.cells), strict=False)
    found = [(beta, summary) for beta, summary in both if summary is not None]
    if figure is not None:
        from re2nn_core.plots.experiments import beta_figure

        _write(beta_figure(_beta_lines(found), data=data.name), figure)
    rows = [
        {"beta": beta, "zero_shot_difference": round(summary.zero_shot.mean - summary.rules, 2), **figures_of(summary)}
        for beta, summary in found
    ]
    return running.told(Answer({"data": data.name, "rows": rows}, beta_text(found)), outcome, as_json=as_json)


def _write(figure: Any, path: Path) -> None:
    from re2nn_core.plots.experiments import write_figure

    write_figure(figure, path)
    note(f"The figure is in {path}.")


def _curve_lines(found: Sequence[Summary], label: str | None) -> list[Line]:
    """Accuracy, precision and recall of each model."""
    of_label = "" if label is None else f" of {label}"
    models = list(dict.fromkeys(summary.model for summary in found))
    lines = []
    for model in models:
        own = [summary for summary in found if summary.model == model]
        places = [share(summary.portion) for summary in own]
        before = f"{model}, " if len(models) > 1 else ""
        lines += [
            _line(f"{before}accuracy", places, [summary.test for summary in own]),
            _line(f"{before}precision{of_label}", places, [summary.precision for summary in own]),
            _line(f"{before}recall{of_label}", places, [summary.recall for summary in own]),
        ]
    return lines


def _beta_lines(found: Sequence[tuple[float, Summary]]) -> list[Line]:
    """Trained and untrained network, and the rules."""
    from re2nn_core.experiments.result_tables.table import Spread

    places = [f"{beta:g}" for beta, _ in found]
    return [
        _line("trained", places, [summary.test for _, summary in found]),
        _line("untrained", places, [summary.zero_shot for _, summary in found]),
        _line("rules", places, [Spread(summary.rules, None) for _, summary in found]),
    ]


def _line(name: str, places: Sequence[str], spreads: Sequence[Spread]) -> Line:
    from re2nn_core.plots.experiments import Line

    return Line(name, tuple(places), tuple(one.mean for one in spreads), tuple(one.std for one in spreads))
