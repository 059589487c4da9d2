"""A wide table as spreadsheets export it, imported as a project: 50,000 rows of 60 columns between semicolons, with
line breaks inside quotes and two forms of dates.

    python tests/benchmarks/import_tables.py [--rows 50000] [--columns 60]

Prints seconds of the wall and of the processor, the largest memory of the process in MB, and which columns were read;
exit code 1 where these are not those of texts and labels.
"""

from __future__ import annotations

import csv
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1])]

from re2nn_core.services.projects.exchanging import import_new
from re2nn_core.store import open_store

WORDS = ["where", "is", "the", "parcel", "that", "my", "sister", "sent", "to", "our", "old", "house", "last", "week"]
KINDS = ("late", "lost", "damaged", "paid")


def write_table(path: Path, rows: int, columns: int) -> None:
    """The table: a text with a line break, a label, two dates, and columns of numbers and words that nobody reads."""
    draw = random.Random(0)
    rest = [f"field {number}" for number in range(columns - 4)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["created", "closed", "comment", "category", *rest])
        for number in range(rows):
            words = " ".join(draw.choices(WORDS, k=9))
            cells = [str(draw.randrange(1000)) if place % 2 else draw.choice(WORDS) for place in range(len(rest))]
            day = number % 28 + 1
            text = f"{words}\nnumber {number}; thanks"
            writer.writerow([f"2024-01-{day:02d}", f"{day}.1.2024", text, KINDS[number % 4], *cells])


@click.command()
@click.option("--rows", default=50_000, show_default=True)
@click.option("--columns", default=60, show_default=True)
def main(rows: int, columns: int) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "comments.csv"
        write_table(path, rows, columns)
        wall, processor = time.perf_counter(), time.process_time()
        with open_store(str(Path(folder) / "tables.sqlite3")) as store:
            done = import_new(store, [path], name="Comments", person="benchmark", suggest_rules=False)
        found = done.files[0].columns
        figures = {
            "rows": rows,
            "columns": columns,
            "file_mb": round(path.stat().st_size / 2**20, 1),
            "wall_s": round(time.perf_counter() - wall, 2),
            "processor_s": round(time.process_time() - processor, 2),
            # Linux counts in KiB.
            "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
            "text": found and found.text,
            "label": found and found.label,
            "texts": done.added,
        }
    click.echo(json.dumps(figures))
    sys.exit((figures["text"], figures["label"], figures["texts"]) != ("comment", "category", rows))


if __name__ == "__main__":
    main()
