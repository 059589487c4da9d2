"""bench: measure on this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import json_option
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.store import Store

_NUMBER = click.IntRange(min=1)
_PROCESSES = 4


@click.group("bench")
def bench_command() -> None:
    """Measure on this machine: how many people can label at once. With --json each measurement is one JSON object.

    \b
    Example: re2nn bench labelling --annotators 50 --texts 10000 --json
    """


@bench_command.command("labelling")
@click.option("--annotators", type=_NUMBER, default=50, show_default=True, help="How many people label at once.")
@click.option("--texts", type=_NUMBER, default=10_000, show_default=True, help="How many texts they share.")
@click.option("--labels", type=_NUMBER, help="End after so many labels. [default: when every text has one]")
@click.option("--overlap", type=_NUMBER, default=1, show_default=True, help="Number of annotators of each text.")
@click.option(
    "--processes", type=_NUMBER, default=_PROCESSES, show_default=True, help="In how many processes their threads are."
)
@click.option(
    "--database",
    metavar="FILE|URL",
    help="The database; a project is made there and deleted again. [default: a new file in a temporary folder]",
)
@json_option
def labelling_command(
    annotators: int, texts: int, labels: int | None, overlap: int, processes: int, database: str | None
) -> CommandResult:
    """Simulate annotators who label synthetic texts as fast as possible, then check for lost or duplicate labels.

    The milliseconds are those from sending a label until it is stored and the next text is assigned. Exit code 1: a
    label was lost or stored twice, or an error occurred.

    \b
    Example: re2nn bench labelling --annotators 50 --texts 100000 --database postgresql://ann@server/trial
    """
    from re2nn_core.services.annotation.annotation_load_test import measure_labelling

    with _database(database) as store:
        found = measure_labelling(
            store, annotators=annotators, texts=texts, labels=labels, overlap=overlap, processes=processes
        )
        name = store.name
    data = {
        "database": name,
        "annotators": annotators,
        "texts": texts,
        "labels": found.labels,
        "lost": found.lost,
        "double": found.double,
        "errors": len(found.errors),
        "first_error": found.errors[0] if found.errors else None,
        "p50_ms": round(found.p50_ms, 1),
        "p99_ms": round(found.p99_ms, 1),
        "seconds": round(found.seconds, 1),
        "processor_ms": round(found.processor_ms, 2),
    }
    reported = (
        f"{counted(found.labels, 'label')} by {counted(annotators, 'annotator')} in {found.seconds:.1f} s: "
        f"{found.lost} lost, {found.double} given twice, {counted(len(found.errors), 'error')}; "
        f"half within {found.p50_ms:.1f} ms, 99 of 100 within {found.p99_ms:.1f} ms; "
        f"{found.processor_ms:.2f} ms of the processor for each"
    )
    more = f"\nThe first error: {found.errors[0]}" if found.errors else ""
    return CommandResult(data, reported + more, ok=not (found.lost or found.double or found.errors))


@contextmanager
def _database(address: str | None) -> Iterator[Store]:
    from re2nn_core.store import open_store

    if address is not None:
        with open_store(address) as store:
            yield store
        return
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "bench.sqlite3") as store:
        yield store
