"""The options --engine and --address of commands whose work Ray can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.options import Command
from re2nn_core.errors import InputError

if TYPE_CHECKING:
    from re2nn_core.jobs.ray_cluster import RayCluster


def ray_options(engine_help: str) -> Callable[[Command], Command]:
    """Both options."""

    def added(command: Command) -> Command:
        address = click.option(
            "--address", help="Address of a Ray cluster, HOST:PORT. [default: $RAY_ADDRESS or Ray on this computer]"
        )
        names = click.Choice(["processes", "ray"])
        engine = click.option("--engine", type=names, default="processes", show_default=True, help=engine_help)
        return engine(address(command))

    return added


def cluster_of(engine: str, address: str | None) -> RayCluster | None:
    """The cluster that was asked for; None for processes of this computer. InputError for an address without Ray."""
    if address is not None and engine != "ray":
        raise InputError("--address is that of a Ray cluster. Write --engine ray too, or leave it out.")
    if engine != "ray":
        return None
    # Imported here: with it comes the store, which takes half a second.
    from re2nn_core.jobs.ray_cluster import cluster_at

    return cluster_at(address)
