"""Kills the process that labels at random moments, with a signal that nothing can catch, again and again.

    python tests/benchmarks/team/kill.py [--kills 100] [--database URL]

After each kill every label that was acknowledged must be there; at the end the database must pass its check, everything
must follow from the log, and the export must open. Without --database: a new SQLite file.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2])]

from re2nn_core.services.projects.archives import export_project, read_archive
from re2nn_core.store import (
    Store,
    count_texts,
    create_project,
    given_annotations,
    lease_next,
    open_queue,
    open_store,
    save,
    texts_of,
    verify_store,
)
from re2nn_core.text.corpus import Corpus, Example

_LONGEST = 0.7


@dataclass(frozen=True)
class Killed:
    """`acknowledged` labels of all rounds, those `lost` of them, and what the check and the export found wrong."""

    kills: int
    acknowledged: int
    lost: int
    faults: tuple[str, ...]
    texts_exported: int

    @property
    def fine(self) -> bool:
        return self.acknowledged > 0 and not self.lost and not self.faults and self.texts_exported > 0


def label_until_killed(database: str, project_id: int, threads: int) -> None:
    """The process that is killed: threads that label, each acknowledged label written out as a line."""
    printing = threading.Lock()

    def one(person: str) -> None:
        lease = lease_next(store, project_id, person)
        while lease is not None:
            text_id, label = lease.text.id, f"label {lease.text.position % 5}"
            _, lease = save(store, text_id, label, person)
            with printing:
                sys.stdout.write(f"{json.dumps([text_id, person, label])}\n")
                sys.stdout.flush()

    with open_store(database) as store:
        started = [threading.Thread(target=one, args=(f"person {number}",)) for number in range(threads)]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()


def kill_again_and_again(store: Store, *, kills: int, threads: int = 4, seed: int = 0) -> Killed:
    """Let a process label and kill it, so many times."""
    draw = random.Random(seed)
    examples = Corpus(tuple(Example(f"text {number}", None, "train") for number in range(400 * kills)))
    project = create_project(store, name="Kill", examples=examples, rules_text="", logic_text="", author="benchmark")
    # Leases of the dead end by themselves; here nobody waits for them.
    open_queue(store, project.id, [text.id for text in texts_of(store, project.id)])
    acknowledged: dict[tuple[int, str], str] = {}
    lost = 0
    for _ in range(kills):
        acknowledged |= _one_life(store, project.id, threads, draw.uniform(0, _LONGEST))
        there = given_annotations(store, project.id)
        lost += sum(1 for (text, who), label in acknowledged.items() if there.get(text, {}).get(who) != label)
    exported = read_archive(export_project(store, project.id)).corpus
    faults = list(verify_store(store))
    if len(exported) != count_texts(store, project.id):
        faults.append(f"the export holds {len(exported)} texts")
    return Killed(kills, len(acknowledged), lost, tuple(faults), len(exported))


def _one_life(store: Store, project_id: int, threads: int, seconds: float) -> dict[tuple[int, str], str]:
    """What a process acknowledged that is killed so long after its first label."""
    command = [sys.executable, __file__, "--worker", str(store.path or store.url), str(project_id), str(threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = [first, *process.stdout.read().splitlines(keepends=True)]
    whole = [json.loads(line) for line in lines if line.endswith("\n")]
    return {(text_id, person): label for text_id, person, label in whole}


@click.command()
@click.option("--kills", default=100, show_default=True)
@click.option("--threads", default=4, show_default=True)
@click.option("--database", help="An empty database; a new SQLite file where it is left out.")
def main(kills: int, threads: int, database: str | None) -> None:
    """Print what was found as JSON; exit code 1 where anything is wrong."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(database or str(Path(folder) / "kill.sqlite3")) as store,
    ):
        found = kill_again_and_again(store, kills=kills, threads=threads)
    click.echo(json.dumps({**vars(found), "fine": found.fine}))
    sys.exit(0 if found.fine else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        label_until_killed(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
