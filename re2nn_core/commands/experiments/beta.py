"""experiment beta: what the weight of the rules changes before and after training (Jiang et al., EMNLP 2020,
figure 3)."""

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
    Running,
    Share,
    Shares,
    model_option,
    running_options,
    source_options,
)
from re2nn_core.commands.experiments._common.text import beta_text, summary_figures
from re2nn_core.errors import InputError

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.table import Summary
    from re2nn_core.plots.experiments import PlottedLine


@click.command("beta", cls=GroupedCommand)
@source_options
@click.option("--betas", type=Shares(), default="0.3,0.5,0.7,1", show_default=True, help="Weights of the rules.")
@click.option("--portion", type=Share(), default=1.0, show_default=True, help="Share of train.")
@model_option
@figure_option
@running_options
def beta_command(
    source: DataSource,
    betas: tuple[float, ...],
    portion: float,
    model: str,
    figure: Path | None,
    running: Running,
    as_json: bool,
) -> CommandResult | int:
    """Report accuracy before and after training for several values of beta.

    Beta is the weight of the rules against that of the word vectors (equation 6).

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

        write(beta_figure(_beta_lines(found), data=data.name), figure)
    rows = [
        {
            "beta": beta,
            "zero_shot_difference": round(summary.zero_shot.mean - summary.rules, 2),
            **summary_figures(summary),
        }
        for beta, summary in found
    ]
    return running.prediction_so_far(
        CommandResult({"data": data.name, "rows": rows}, beta_text(found)), outcome, as_json=as_json
    )


def _beta_lines(found: Sequence[tuple[float, Summary]]) -> list[PlottedLine]:
    """Trained and untrained network, and the rules."""
    from re2nn_core.experiments.result_tables.table import Spread

    places = [f"{beta:g}" for beta, _ in found]
    return [
        line("trained", places, [summary.test for _, summary in found]),
        line("untrained", places, [summary.zero_shot for _, summary in found]),
        line("rules", places, [Spread(summary.rules, None) for _, summary in found]),
    ]
