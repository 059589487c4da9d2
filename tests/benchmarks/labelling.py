"""Fifty people labelling at once, on both kinds of database.

    python tests/benchmarks/labelling.py [--annotators 50] [--texts 100000] [--labels N]

The same as `re2nn bench labelling` once on a new SQLite file and once on a PostgreSQL server that is started for it,
which waits for the disk at each commit as one in use does. Exit code 1 where a label was lost or given twice, something
went wrong, or saving took longer than the target.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from support.projects.postgres_server import MISSING, binaries, running_server

from re2nn_core.services.annotation.annotation_load_test import measure_labelling
from re2nn_core.store import open_store

TARGET_MS = 250.0


def measure(address: str, annotators: int, texts: int, labels: int | None) -> dict[str, Any]:
    """The figures of one database."""
    with open_store(address) as store:
        found = measure_labelling(store, annotators=annotators, texts=texts, labels=labels)
    rate = round(found.labels / found.seconds) if found.seconds else None
    return {**vars(found), "labels_per_second": rate, "target_ms": TARGET_MS, "load": os.getloadavg()[0]}


@click.command()
@click.option("--annotators", default=50, show_default=True)
@click.option("--texts", default=100_000, show_default=True)
@click.option("--labels", type=int, help="End after so many labels.")
def main(annotators: int, texts: int, labels: int | None) -> None:
    """Print the figures as JSON."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        found["sqlite"] = measure(str(Path(folder) / "bench.sqlite3"), annotators, texts, labels)
        click.echo(json.dumps({"database": "sqlite", **found["sqlite"]}))
        if binaries() is None:
            click.echo(MISSING, err=True)
        else:
            os.environ["RE2NN_HOME"] = folder
            with running_server(safe=True) as server:
                found["postgresql"] = measure(server.database(), annotators, texts, labels)
            click.echo(json.dumps({"database": "postgresql", **found["postgresql"]}))
    fine = all(
        not (one["lost"] or one["double"] or one["errors"]) and one["p99_ms"] <= TARGET_MS for one in found.values()
    )
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
