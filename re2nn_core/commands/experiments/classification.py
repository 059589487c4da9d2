"""experiment classification: the accuracy of a model on a portion of train (Jiang et al., EMNLP 2020, section 4)."""

from __future__ import annotations

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands.experiments._common.options import (
    DataSource,
    Running,
    Share,
    any_model_option,
    running_options,
    source_options,
)
from re2nn_core.commands.experiments._common.text import cell_text, figures_with_runs


@click.command("classification", cls=GroupedCommand)
@source_options
@click.option("--portion", type=Share(), default=1.0, show_default=True, help="Share of train; 0 is zero-shot.")
@any_model_option
@click.option(
    "--on-rest",
    is_flag=True,
    help="Measure on the training texts that a seed does not draw, instead of test: with a small portion these "
    "are many more.",
)
@running_options
def classification_command(
    source: DataSource, portion: float, model: str, on_rest: bool, running: Running, as_json: bool
) -> CommandResult | int:
    """Report the accuracy of a model trained on a portion of train.

    The portion is drawn again for each seed. Below 10% a dev set of the same size is drawn as well; from 10% on
    all of dev is used. 0 trains nothing. The papers' other systems can be measured too.

    \b
    Example: re2nn experiment classification --data ATIS --portion 0.01 --model fa-rnn --seeds 4 --json
    """
    from re2nn_core.experiments.datasets.classification import on_rest_of_train
    from re2nn_core.experiments.result_tables.table import summaries

    data = on_rest_of_train(source.data()) if on_rest else source.data()
    outcome = running.run([running.cell(data, portion, model)])
    (cell,), (summary,) = outcome.cells, summaries(outcome.cells)
    return running.prediction_so_far(
        CommandResult(figures_with_runs(summary, cell), cell_text(summary)), outcome, as_json=as_json
    )
