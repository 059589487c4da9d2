"""Measures speed, size and agreement, and says which targets are reached.

    python tests/benchmarks/run.py                        everything; results/speed.json
    python tests/benchmarks/run.py match edit --output somewhere.json

Published rules and texts are read where they lie beside the repository; what needs them is left out where they are
not there. Times are medians of several runs on one thread.
"""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import numpy as np
import torch
from benchmarks.measures import MEASURES, Row, published
from benchmarks.tagging_measures import SLOT_MEASURES

ALL = {**MEASURES, **SLOT_MEASURES}


@click.command()
@click.argument("measures", nargs=-1, type=click.Choice(list(ALL)))
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "speed.json", show_default=False)
def main(measures: tuple[str, ...], output: Path) -> None:
    """Measure; without names, everything."""
    torch.set_num_threads(1)
    if not published():
        click.echo("The published rules and texts are not here; only made-up ones are measured.", err=True)
    rows: list[Row] = []
    for name in measures or ALL:
        for row in ALL[name]():
            click.echo(line(row))
            rows.append(row)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(report(rows), indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")
    missed = [row for row in rows if row.reached is False]
    sys.exit(1 if missed else 0)


def line(row: Row) -> str:
    """One row as text."""
    verdict = {None: "", True: "reached", False: "MISSED"}[row.reached]
    target = "" if row.target is None else f"{'>=' if row.at_least else '<='} {row.target:,g}"
    return f"{row.measure:8} {row.name:64} {row.measured:>14,.4g} {row.unit:12} {target:12} {verdict}"


def report(rows: list[Row]) -> dict[str, object]:
    """All rows with what they were measured on."""
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "numpy": np.__version__,
        "torch": torch.__version__,
        "rows": [asdict(row) | {"reached": row.reached} for row in rows],
    }


if __name__ == "__main__":
    main()
