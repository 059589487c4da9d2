"""experiment: the published tables and figures, run again (Jiang et al., EMNLP 2020, section 4, and EMNLP 2021)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.options import PATH, json_option
from re2nn_core.commands.experiments.experiment_options import (
    Running,
    Share,
    Source,
    any_model_option,
    running_options,
    source_options,
)
from re2nn_core.commands.experiments.experiment_series import beta_command, curve_command
from re2nn_core.commands.experiments.experiment_text import (
    cell_text,
    cells_text,
    figures_of,
    figures_with_runs,
    parameter_text,
)
from re2nn_core.commands.experiments.slot_filling.experiment import slot_figures, slot_text, slots_command
from re2nn_core.errors import InputError
from re2nn_core.experiments.runs.published_systems import PARAMETER_MODELS


@click.group("experiment")
def experiment_command() -> None:
    """Run the published tables and figures again.

    Each command trains for several seeds and tells mean and standard deviation, the published figure beside; each
    takes --json. With --output FILE all figures are kept after every run, and what the file has is not run again.

    \b
    Example: re2nn experiment classification --data SMS --portion 0.01 --seeds 4 --output results.json
    """


@experiment_command.command("classification")
@source_options
@click.option("--portion", type=Share(), default=1.0, show_default=True, help="Share of train; 0 is zero-shot.")
@any_model_option
@click.option(
    "--on-rest",
    is_flag=True,
    help="Measure on the training texts that a seed does not draw, in the place of test: with a small portion these "
    "are many more.",
)
@running_options
def classification_command(
    source: Source, portion: float, model: str, on_rest: bool, running: Running, as_json: bool
) -> Answer | int:
    """Tell the accuracy of a model trained on a portion of train.

    The portion is drawn anew for each seed. Below 10% a dev set of the same size is drawn as well; from 10% on
    all of dev is used. 0 trains nothing. Beside the networks of rules any of the papers' other systems can be
    measured.

    \b
    Example: re2nn experiment classification --data ATIS --portion 0.01 --model fa-rnn --seeds 4 --json
    """
    from re2nn_core.experiments.datasets.classification import on_rest_of_train
    from re2nn_core.experiments.result_tables.table import summaries

    data = on_rest_of_train(source.data()) if on_rest else source.data()
    outcome = running.run([running.cell(data, portion, model)])
    (cell,), (summary,) = outcome.cells, summaries(outcome.cells)
    return running.told(Answer(figures_with_runs(summary, cell), cell_text(summary)), outcome, as_json=as_json)


experiment_command.add_command(curve_command)
experiment_command.add_command(beta_command)
experiment_command.add_command(slots_command)


@experiment_command.command("parameters")
@source_options
@running_options
def parameters_command(source: Source, running: Running, as_json: bool) -> Answer | int:
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
    return once.told(Answer({"rows": rows}, parameter_text(rows)), outcome, as_json=as_json)


@experiment_command.command("show")
@click.argument("file", type=PATH)
@json_option
def show_command(file: Path) -> Answer:
    """Show the table of a file of results, measured beside published.

    \b
    Example: re2nn experiment show results.json
    """
    from re2nn_core.experiments.result_tables.classification import read_results
    from re2nn_core.experiments.result_tables.slot_filling import (
        holds_slots,
        ordered_slots,
        read_slot_results,
        summarise_slots,
    )
    from re2nn_core.experiments.result_tables.table import ordered, summaries

    if not file.exists():
        raise InputError(
            f"{file}: there is no such file. Write one with: "
            f"re2nn experiment classification --data SMS --portion 0.01 --output {file}"
        )
    if holds_slots(file):
        cells = [summarise_slots(cell) for cell in ordered_slots(read_slot_results(file).values())]
        slots = [summary for summary in cells if summary is not None]
        return Answer({"cells": [slot_figures(summary) for summary in slots]}, slot_text(slots))
    found = summaries(ordered(read_results(file).values()))
    if not found:
        raise InputError(f"{file} holds no run yet. Give it as --output to re2nn experiment classification.")
    return Answer({"cells": [figures_of(summary) for summary in found]}, cells_text(found))
