"""All tables in a line each: what it shows, how much was run, how long the rest takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.experiments.reproduce.output.results import filled, joined_kept_runs
from re2nn_core.experiments.reproduce.runs.plan import missing_tasks, seconds_in_all
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns
from re2nn_core.experiments.reproduce.tables.catalog import TABLES
from re2nn_core.experiments.reproduce.tables.spec import PaperTable
from re2nn_core.experiments.reproduce.tables.systems import can_run
from re2nn_core.text.remaining_time import duration_in_words


@dataclass(frozen=True)
class Listed:
    """A table. Counts are of cells; `can_run` those whose system and data are there, `stored` those that come with the
    program. `seconds_left`: of the runs that the folder lacks, on the cores that were asked for; `unknown` of these
    runs are like nothing that was run."""

    name: str
    title: str
    cells: int
    can_run: int
    run: int
    stored: int
    seconds_left: float
    unknown: int
    why_not: str


def listed_tables(own: KeptRuns, stored: KeptRuns, seeds: int, cores: int) -> tuple[Listed, ...]:
    """All tables; `own` are the runs of the folder."""
    known = joined_kept_runs(own, [stored])
    return tuple(_listed(table, own, stored, known, seeds, max(1, cores)) for table in TABLES.values())


def _listed(table: PaperTable, own: KeptRuns, stored: KeptRuns, known: KeptRuns, seeds: int, cores: int) -> Listed:
    seconds, unknown = seconds_in_all(missing_tasks(table.cells, seeds, own), known)
    return Listed(
        name=table.name,
        title=table.title,
        cells=len(table.cells),
        can_run=sum(cell.job is not None and can_run(cell.job) for cell in table.cells),
        run=len(filled(table, own).measured),
        stored=len(filled(table, stored).measured),
        seconds_left=round(seconds / cores, 1),
        unknown=unknown,
        why_not=table.why_not,
    )


def listing_text(found: Sequence[Listed], folder: Path, cores: int) -> str:
    """A line for each table, and how to run one."""
    width = max(len(one.name) for one in found)
    lines = [f"{one.name.ljust(width)}  {one.title}: {_state(one)}" for one in found]
    return "\n".join(
        [
            *lines,
            "",
            f"Run: cells with figures in {folder}; stored: cells with figures that come with the program. Times "
            f"are for {cores} cores, by what was measured before.",
            "Run one with: re2nn reproduce emnlp2020-table5 --quick",
        ]
    )


def _state(one: Listed) -> str:
    if one.why_not:
        return f"cannot be run. {one.why_not}"
    reported = [f"{one.cells} cells, {one.run} run, {one.stored} stored"]
    if one.can_run < one.cells:
        reported.append(f"{one.cells - one.can_run} cannot be run here")
    if one.seconds_left or one.unknown:
        more = f" and {one.unknown} runs of unknown length" if one.unknown else ""
        left = "left" if one.run else "to run it here"
        reported.append(
            f"{left}: about {duration_in_words(one.seconds_left)}{more}" if one.seconds_left else f"{left}:{more[4:]}"
        )
    return ", ".join(reported)
