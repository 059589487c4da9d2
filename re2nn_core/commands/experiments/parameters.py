"""experiment parameters: how many parameters the networks have, beside the published numbers."""

from __future__ import annotations

from dataclasses import replace

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands.experiments._common.options import DataSource, Running, running_options, source_options
from re2nn_core.commands.experiments._common.text import parameter_text
from re2nn_core.experiments.runs.published_systems import PARAMETER_MODELS


@click.command("parameters", cls=GroupedCommand)
@source_options
@running_options
def parameters_command(source: DataSource, running: Running, as_json: bool) -> CommandResult | int:
    """Count the parameters of the networks.

    Without a data set, on all published ones. Nothing is trained.

    \b
    Example: re2nn experiment parameters --data ATIS
    """
    from re2nn_core.experiments.datasets.classification import KNOWN
    from re2nn_core.experiments.published import published_parameters

    named = [source] if source.name or source.own else [replace(source, name=name) for name in KNOWN]
    sets = {data.name: data for data in (one.data() for one in named)}
    once = replace(running, seeds=running.seeds[:1])  # all seeds have as many
    outcome = once.run([once.cell(data, 0.0, model) for data in sets.values() for model in PARAMETER_MODELS])
    rows = [
        {
            "data": cell.data,
            "model": cell.model,
            "parameters": record.parameters,
            "free_parameters": record.free_parameters,
            "published": published_parameters(sets[cell.data].folder, cell.data, cell.model),
        }
        for cell in outcome.cells
        for record in cell.runs.values()
    ]
    return once.prediction_so_far(CommandResult({"rows": rows}, parameter_text(rows)), outcome, as_json=as_json)
