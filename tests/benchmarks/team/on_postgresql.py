"""Another benchmark of this folder on a PostgreSQL server that is started for it and waits for the disk at each commit.

    python tests/benchmarks/team/on_postgresql.py sessions.py [--sessions 25 ...]

What follows is the benchmark and its options; `--database` is added. Exit code: the benchmark's, 2 where there is none
of that name or no PostgreSQL on this machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[2])]

from support.projects.postgres_server import MISSING, binaries, running_server


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("benchmark", type=click.Choice(["kill.py", "kill_exchange.py", "million.py", "sessions.py"]))
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def main(benchmark: str, options: tuple[str, ...]) -> None:
    """Run BENCHMARK with its OPTIONS on a new database of a new server."""
    if binaries() is None:
        raise click.UsageError(MISSING)
    with running_server(safe=True) as server:
        command = [sys.executable, str(HERE / benchmark), *options, "--database", server.database()]
        sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
