"""Kills the process that imports texts, or exports a project, at random moments, again and again.

    python tests/benchmarks/team/kill_exchange.py [--kills 100] [--texts 50000] [--database URL]

After each kill there must be no part of a project: none, or all of it. Whatever file of an export is there must open
and hold everything. At the end the database must pass its check, and the import must work. Without --database: a new
SQLite file.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2])]

from re2nn_core.exchange import export
from re2nn_core.exchange.formats import format_called
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts
from re2nn_core.exchange.tables import delimited
from re2nn_core.exchange.tables.table import Progress
from re2nn_core.services.projects import archives, exchanging
from re2nn_core.services.projects.archives import read_archive, write_project
from re2nn_core.services.projects.exchanging import export_texts, import_new, project_named
from re2nn_core.store import Store, count_texts, delete_project, list_projects, open_store, verify_store
from re2nn_core.store import texts as stored
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

NAME = "Killed"
FORMATS = ("csv", "jsonl", "parquet", "label-studio")
_ARCHIVE = ".zip"
_MOMENT = 0.02
# How many texts the program takes at a time, and after how many it tells how far it is.
_STEPS = (
    (delimited, "_EVERY"),
    (stored, "_PIECE"),
    (exchanging, "_PAGE"),
    (archives, "_AT_ONCE"),
    (export, "_AT_ONCE"),
)


@dataclass(frozen=True)
class KilledExchange:
    """How many imports were killed `before` their project was there, how many exports, how many files of these were
    opened, and what was wrong."""

    imports: int
    before: int
    exports: int
    opened: int
    faults: tuple[str, ...]

    @property
    def fine(self) -> bool:
        return self.before > 0 and self.opened > 0 and not self.faults


def import_once(store: Store, file: str, on_progress: Progress | None = None) -> None:
    """The process that is killed."""
    words = Tokenization()
    import_new(
        store,
        [Path(file)],
        name=NAME,
        person="ann",
        task=Task.CLASSIFICATION,
        tokenization=words,
        on_progress=on_progress,
    )


def export_all(store: Store, folder: str, on_progress: Progress | None = None) -> None:
    """The same."""
    project = project_named(store, NAME)
    write_project(store, project.id, Path(folder) / f"all{_ARCHIVE}")
    for format in FORMATS:
        export_texts(store, project, Path(folder) / f"all.{format}", format_called(format), on_progress=on_progress)


def take_at_once(texts: int) -> None:
    """So few texts at a time that a small file has many steps at which to be killed."""
    for module, name in _STEPS:
        assert hasattr(module, name), f"{module.__name__} has no {name} any more"
        setattr(module, name, texts)


def kill_exchange(
    store: Store, folder: Path, *, kills: int, texts: int, step: int | None = None, seed: int = 0
) -> KilledExchange:
    """Let a process import and kill it, so many times; then one that exports. Both take `step` texts at a time, or
    what the program takes."""
    draw = random.Random(seed)
    source = folder / "texts.csv"
    rows = (f"text  {number},{'ab'[number % 2]}\n" for number in range(texts))
    source.write_text("text,label\n" + "".join(rows), encoding="utf-8")
    faults: list[str] = []
    whole = _life(store, "import", source, step)
    before = 0
    for number in range(kills):
        _forget(store)
        # All over the work, whatever the machine does besides.
        _life(store, "import", source, step, int(whole * (number + draw.random()) / kills), draw)
        found = [(one.project.name, one.texts) for one in list_projects(store)]
        before += not found
        if found not in ([], [(NAME, texts)]):
            faults.append(f"after a kill there is {found}")
    _forget(store)
    import_once(store, str(source))
    opened = whole = 0
    for number in range(kills + 1):
        target = folder / f"exports {number}"
        target.mkdir()
        stop = int(whole * (number - 1 + draw.random()) / kills) if number else None
        whole = max(whole, _life(store, "export", target, step, stop, draw))
        for file in sorted(target.iterdir()):
            opened += not file.name.endswith(".part")
            faults += _wrong(file, texts)
    if count_texts(store, project_named(store, NAME).id) != texts:
        faults.append("the last import is not whole")
    return KilledExchange(kills, before, kills, opened, (*faults, *verify_store(store)))


def _life(
    store: Store,
    what: str,
    path: Path,
    step: int | None,
    stop: int | None = None,
    draw: random.Random | None = None,
) -> int:
    """How many steps a process reported, which is killed a moment after it reported `stop`."""
    command = [sys.executable, __file__, f"--{what}", str(store.path or store.url), str(path), str(step or "")]
    steps = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while steps != stop and process.stdout.readline():
            steps += 1
        if stop is not None:
            time.sleep(0.0 if draw is None else draw.uniform(0, _MOMENT))
            process.kill()
    return steps


def _forget(store: Store) -> None:
    for one in list_projects(store):
        delete_project(store, one.project.id)


def _wrong(file: Path, texts: int) -> Iterator[str]:
    """What is wrong with a file of an export; those that were never finished have names of their own."""
    if file.name.endswith(".part"):
        return
    if file.suffix == _ARCHIVE:
        held = len(read_archive(file.read_bytes()).corpus)
    else:
        reading = FileReading(file.suffix.removeprefix("."))
        held = sum(len(part.examples) for part in label_parts(file, file.name, reading))
    if held != texts:
        yield f"{file.name} holds {held} texts"


@click.command()
@click.option("--kills", default=100, show_default=True)
@click.option("--texts", default=50_000, show_default=True)
@click.option("--database", help="An empty database; a new SQLite file where it is left out.")
def main(kills: int, texts: int, database: str | None) -> None:
    """Print what was found as JSON; exit code 1 where anything is wrong."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(database or str(Path(folder) / "kill.sqlite3")) as store,
    ):
        found = kill_exchange(store, Path(folder), kills=kills, texts=texts)
    click.echo(json.dumps({**vars(found), "fine": found.fine}))
    sys.exit(0 if found.fine else 1)


def a_line(_: float) -> None:
    """Report a step to the process that kills this one."""
    print("on", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] in (["--import"], ["--export"]):
        if sys.argv[4]:
            take_at_once(int(sys.argv[4]))
        with open_store(sys.argv[2]) as killed:
            a_line(0)
            (import_once if sys.argv[1] == "--import" else export_all)(killed, sys.argv[3], a_line)
    else:
        main()
