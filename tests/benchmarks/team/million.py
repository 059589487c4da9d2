"""A million texts: brought into a project, counted, the first page read, and written out again.

    python tests/benchmarks/team/million.py [--texts 1000000] [--database URL]

Prints seconds (of the wall and of the processor) of each step and the largest memory of the process; exit code 1 past a
target. Without --database: a new SQLite file.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2])]

from re2nn_core.services.projects.archives import write_project
from re2nn_core.store import (
    count_texts,
    create_project,
    delete_project,
    import_texts,
    list_texts,
    open_store,
)
from re2nn_core.text.corpus import Corpus, Example

IMPORT_SECONDS, EXPORT_SECONDS, MEMORY_MB = 60.0, 60.0, 1024.0
WORDS = [
    "show",
    "me",
    "all",
    "flights",
    "from",
    "boston",
    "to",
    "denver",
    "on",
    "monday",
    "morning",
    "what",
    "is",
    "the",
    "cheapest",
    "fare",
    "please",
]
LABELS = ("flight", "fare", "ground", "meal", None)


def examples(count: int) -> Iterator[Example]:
    """Texts of some ten words, no two alike."""
    draw = random.Random(0)
    for number in range(count):
        words = " ".join(draw.choices(WORDS, k=9))
        yield Example(f"{words} {number}", LABELS[number % len(LABELS)], "train")


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    wall, processor = time.perf_counter(), time.process_time()
    prediction = work()
    seconds = {"wall_s": time.perf_counter() - wall, "processor_s": time.process_time() - processor}
    return prediction, {name: round(value, 2) for name, value in seconds.items()}


def measure(database: str, texts: int, folder: Path) -> dict[str, Any]:
    """The figures of all steps."""
    found: dict[str, Any] = {"texts": texts}
    with open_store(database) as store:
        project = create_project(
            store, name="Million", examples=Corpus(()), rules_text="", logic_text="", author="benchmark"
        ).id
        added, found["import"] = timed(lambda: import_texts(store, project, examples(texts)))
        counted, found["count"] = timed(lambda: count_texts(store, project))
        page, found["first_page"] = timed(lambda: list_texts(store, project, limit=50))
        written, found["export"] = timed(lambda: write_project(store, project, folder / "million.zip"))
        found["right"] = added == counted == written == texts and len(page) == min(50, texts)
        delete_project(store, project)
    # Linux counts in KiB.
    found["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    steps = ("import", "count", "first_page")
    found["import_to_page_s"] = round(sum(found[step]["wall_s"] for step in steps), 2)
    return found


@click.command()
@click.option("--texts", default=1_000_000, show_default=True)
@click.option("--database", help="A database; a project is made there and deleted again.")
def main(texts: int, database: str | None) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        found = measure(database or str(Path(folder) / "million.sqlite3"), texts, Path(folder))
    click.echo(json.dumps(found))
    within = (
        found["import_to_page_s"] <= IMPORT_SECONDS
        and found["export"]["wall_s"] <= EXPORT_SECONDS
        and found["memory_mb"] <= MEMORY_MB
    )
    sys.exit(0 if found["right"] and within else 1)


if __name__ == "__main__":
    main()
