"""What commands that work on projects share: the folder of projects, the open store, progress on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands.options import PATH

if TYPE_CHECKING:
    from re2nn_core.store import Store

home_option = click.option(
    "--home", type=PATH, help="Folder of projects and models. [default: $RE2NN_HOME or the user's data folder]"
)
_EVERY_SECONDS = 0.5


@contextmanager
def opened(home: Path | None) -> Iterator[Store]:
    """The store in a folder, closed at the end."""
    from re2nn_core.store import open_store

    store = open_store(None if home is None else _database_in(home))
    try:
        yield store
    finally:
        store.close()


def _database_in(home: Path) -> Path:
    from re2nn_core.store.database import DATABASE_NAME

    return home / DATABASE_NAME


@contextmanager
def progress_notes(done: str) -> Iterator[Callable[[float], None]]:
    """A callback that tells the share done, on a terminal alone and now and then."""
    shown = sys.stderr.isatty()
    last = time.monotonic()
    told = False

    def tell(share: float) -> None:
        nonlocal last, told
        if shown and time.monotonic() - last >= _EVERY_SECONDS:
            last, told = time.monotonic(), True
            click.echo(f"\r{share:4.0%} {done}", nl=False, err=True)

    try:
        yield tell
    finally:
        if told:
            click.echo("\r" + " " * 20 + "\r", nl=False, err=True)
