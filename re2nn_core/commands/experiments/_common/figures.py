"""The figures of curve and beta: the option that asks for one, a line of it, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.options import PATH, note

if TYPE_CHECKING:
    from re2nn_core.experiments.result_tables.table import Spread
    from re2nn_core.plots.experiments import PlottedLine


figure_option = click.option("--figure", type=PATH, help="HTML file for the figure; it needs no network.")


def write(figure: Any, path: Path) -> None:
    """Write the figure, and say where it is."""
    from re2nn_core.plots.experiments import write_figure

    write_figure(figure, path)
    note(f"The figure is in {path}.")


def line(name: str, places: Sequence[str], spreads: Sequence[Spread]) -> PlottedLine:
    """A line of means with their deviations."""
    from re2nn_core.plots.experiments import PlottedLine

    return PlottedLine(name, tuple(places), tuple(one.mean for one in spreads), tuple(one.std for one in spreads))
