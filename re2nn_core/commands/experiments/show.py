"""experiment show: the table of a file of results."""

from __future__ import annotations

from pathlib import Path

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import PATH, json_option
from re2nn_core.commands.experiments._common.text import cells_text, slot_summary_figures, slot_text, summary_figures
from re2nn_core.errors import InputError


@click.command("show")
@click.argument("file", type=PATH)
@json_option
def show_command(file: Path) -> CommandResult:
    """Show the table of a file of results, measured next to published figures.

    \b
    Example: re2nn experiment show results.json
    """
    from re2nn_core.experiments.result_tables.classification import read_results
    from re2nn_core.experiments.result_tables.slot_filling import (
        file_holds_slots,
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
    if file_holds_slots(file):
        cells = [summarise_slots(cell) for cell in ordered_slots(read_slot_results(file).values())]
        slots = [summary for summary in cells if summary is not None]
        return CommandResult({"cells": [slot_summary_figures(summary) for summary in slots]}, slot_text(slots))
    found = summaries(ordered(read_results(file).values()))
    if not found:
        raise InputError(f"{file} holds no run yet. Give it as --output to re2nn experiment classification.")
    return CommandResult({"cells": [summary_figures(summary) for summary in found]}, cells_text(found))
