"""What commands that work on projects share: the folder of projects, the open store, progress on stderr."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.options import PATH, Command, with_options
from re2nn_core.errors import InputError

if TYPE_CHECKING:
    from re2nn_core.store import Store

# A file, an address, or None for the usual one.
Database = str | Path | None
_HOME = "Folder of projects and models. [default: $RE2NN_HOME or the user's data folder]"
_DATABASE = "The database: a file, or a PostgreSQL address. [default: $RE2NN_DATABASE_URL, else the file in --home]"
_EVERY_SECONDS = 0.5


def database_options(function: Command) -> Command:
    """--home and --database, of which one alone may be given, handed on as `database`.
    InputError where both are given."""

    @functools.wraps(function)
    def wrapped(*, home: Path | None, database: str | None, **rest: Any) -> Any:
        if home is not None and database is not None:
            raise InputError("--home and --database both name the database. Use only one of them.")
        return function(database=database if home is None else _database_in(home), **rest)

    options = (
        click.option("--home", type=PATH, help=_HOME),
        click.option("--database", metavar="FILE|URL", help=_DATABASE),
    )
    return with_options(options, wrapped)


@contextmanager
def opened(database: Database) -> Iterator[Store]:
    """The store, closed at the end."""
    from re2nn_core.store import open_store

    store = open_store(database)
    try:
        yield store
    finally:
        store.close()


def _database_in(home: Path) -> Path:
    from re2nn_core.store.engine.addresses import DATABASE_NAME

    return home / DATABASE_NAME


@contextmanager
def progress_notes(done: str) -> Iterator[Callable[[float], None]]:
    """A callback that reports the share done, on a terminal alone and now and then."""
    shown = sys.stderr.isatty()
    last = time.monotonic()
    reported = False

    def report_progress(share: float) -> None:
        nonlocal last, reported
        if shown and time.monotonic() - last >= _EVERY_SECONDS:
            last, reported = time.monotonic(), True
            click.echo(f"\r{share:4.0%} {done}", nl=False, err=True)

    try:
        yield report_progress
    finally:
        if reported:
            click.echo("\r" + " " * 20 + "\r", nl=False, err=True)
