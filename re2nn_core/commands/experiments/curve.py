"""experiment curve: accuracy, precision and recall against the amount of data (Jiang et al., EMNLP 2020, figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands.experiments._common.figures import figure_option, line, write
from re2nn_core.commands.experiments._common.options import (
    DataSource,
    Model,
    Running,
    Shares,
    running_options,
    source_options,
)
from re2nn_core.commands.experiments._common.text import curve_text, share, summary_figures

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.table import Summary
    from re2nn_core.plots.experiments import PlottedLine


@click.command("curve", cls=GroupedCommand)
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
    source: DataSource,
    portions: tuple[float, ...],
    models: tuple[str, ...],
    label: str | None,
    figure: Path | None,
    running: Running,
    as_json: bool,
) -> CommandResult | int:
    """Report precision and recall against the amount of training data.

    \b
    Example: re2nn experiment curve --data SMS --portions 0,0.01,0.1,1 --label spam --figure curve.html
    """
    from re2nn_core.experiments.result_tables.table import check_known_label, summaries

    data = source.data()
    if label is not None:
        check_known_label(label, data.name, dict.fromkeys(example.label or "" for example in data.test))
    outcome = running.run([running.cell(data, one, model) for model in dict.fromkeys(models) for one in portions])
    found = summaries(outcome.cells, label=label)
    if figure is not None:
        from re2nn_core.plots.experiments import amount_figure

        write(amount_figure(_curve_lines(found, label), data=data.name), figure)
    figures = {"data": data.name, "label": label, "rows": [summary_figures(summary) for summary in found]}
    return running.prediction_so_far(CommandResult(figures, curve_text(found, label)), outcome, as_json=as_json)


def _curve_lines(found: Sequence[Summary], label: str | None) -> list[PlottedLine]:
    """Accuracy, precision and recall of each model."""
    of_label = "" if label is None else f" of {label}"
    models = list(dict.fromkeys(summary.model for summary in found))
    lines = []
    for model in models:
        own = [summary for summary in found if summary.model == model]
        places = [share(summary.portion) for summary in own]
        before = f"{model}, " if len(models) > 1 else ""
        lines += [
            line(f"{before}accuracy", places, [summary.test for summary in own]),
            line(f"{before}precision{of_label}", places, [summary.precision for summary in own]),
            line(f"{before}recall{of_label}", places, [summary.recall for summary in own]),
        ]
    return lines
