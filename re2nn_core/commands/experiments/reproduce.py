"""reproduce: a table or figure of the papers run again, cell by cell, beside what was published."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult, show
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, given_options, note
from re2nn_core.commands._common.ray_options import cluster_of, ray_options
from re2nn_core.commands._common.watching import stop_on_interrupt
from re2nn_core.commands.experiments._common.options import INTERRUPTED, Names, exposed_json_option
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.experiments.reproduce.output.results import Filled
    from re2nn_core.experiments.reproduce.run_table import TableOutcome, TableProgress
    from re2nn_core.experiments.reproduce.runs.plan import ChosenCells
    from re2nn_core.experiments.reproduce.tables.spec import PaperTable


@click.command("reproduce", cls=GroupedCommand)
@click.argument("table", required=False)
@click.option("--quick", is_flag=True, help="A smaller version: one seed, fewer cells, about a quarter of an hour.")
@click.option("--seeds", type=int, help="How many, from 0 on. [default: 4; with --quick 1]")
@click.option("--cores", type=int, default=2, show_default=True, help="Number of cells that run in parallel.")
@ray_options("What runs the cells of --cores: processes of this computer, or Ray.")
@click.option("--only", type=Names(), default=(), metavar="ROW,ROW", help="Only these rows.")
@click.option(
    "--columns", type=Names(), default=(), metavar="COLUMN,...", help="Only these columns: ATIS, 1% or 'ATIS 1%'."
)
@click.option(
    "--minutes", type=float, help="Time limit: start no cell that would end later. [default: none; with --quick 17]"
)
@click.option("--output", type=PATH, help="Folder of the results. [default: results in the user's data folder]")
@click.option("--folder", type=PATH, help="Folder of the published data, as for re2nn experiment.")
@click.option("--again", is_flag=True, help="Also repeat runs that the folder already has.")
@click.option("--mixed-vectors", is_flag=True, help="Continue although earlier runs used word vectors of another kind.")
@click.option(
    "--take", type=PATH, multiple=True, help="Import the runs of re2nn experiment --output, or of another runs.json."
)
@click.option("--show", "only_show", is_flag=True, help="Only show existing results.")
@exposed_json_option
def reproduce_command(  # noqa: PLR0913 - a command's parameters are its options
    table: str | None,
    quick: bool,
    seeds: int | None,
    cores: int,
    engine: str,
    address: str | None,
    only: tuple[str, ...],
    columns: tuple[str, ...],
    minutes: float | None,
    output: Path | None,
    folder: Path | None,
    again: bool,
    mixed_vectors: bool,
    take: tuple[Path, ...],
    only_show: bool,
    as_json: bool,
) -> CommandResult | int:
    """Run a table or figure of the papers again; without TABLE list all of them.

    Runs in the folder of results are not repeated: a stopped run continues, and all tables of a folder share their
    runs. The folder gets runs.json, the table as JSON, CSV, Markdown and HTML, and a figure as HTML.

    \b
    Example: re2nn reproduce emnlp2020-table5 --quick
    """
    from re2nn_core.experiments.reproduce.run_table import QUICK_MINUTES, WantedTable, run_table, tasks_wanted
    from re2nn_core.experiments.reproduce.runs.plan import chosen_cells
    from re2nn_core.experiments.reproduce.runs.stored import own_folder
    from re2nn_core.experiments.reproduce.runs.vector_kinds import BUILTIN_TAKEN, takes_builtin
    from re2nn_core.experiments.reproduce.tables.catalog import find_table

    found = None if table is None else find_table(table)
    place = output or own_folder()
    for file in take:
        _take(file, place)
    if found is None:
        _refuse_without_table()
        return _listing(place, seeds or 4, cores)
    if found.why_not:
        raise InputError(f"{found.name} cannot be run. {found.why_not}")
    chosen = chosen_cells(found, quick=quick, rows=only, columns=columns)
    if only_show:
        _refuse_with_show()
        return _shown(found, chosen, place)
    if not any(cell.job for cell in chosen.cells):
        reasons = " ".join(dict.fromkeys(cell.why_not for cell in chosen.cells))
        raise InputError(f"None of {counted(len(chosen.cells), 'cell')} of {found.name} can be run here. {reasons}")
    wanted = WantedTable(
        table=found,
        chosen=chosen,
        seeds=(1 if quick else 4) if seeds is None else seeds,
        cores=cores,
        output=place,
        data=_data_folder(folder),
        minutes=QUICK_MINUTES if quick and minutes is None else minutes,
        again=again,
        mixed=mixed_vectors,
        cluster=cluster_of(engine, address),
    )
    note(f"{found.paper}, {found.number}: {found.title}. Results in {place}.")
    if takes_builtin(tasks_wanted(wanted)):
        note(BUILTIN_TAKEN)
    with stop_on_interrupt() as should_stop:
        outcome = run_table(wanted, on_progress=_report, should_stop=should_stop)
    _write_figure(outcome.filled, place)
    prediction = _prediction(outcome, place, quick=quick)
    if outcome.stopped:
        note("Stopped. The same command goes on from there.")
        show(prediction, as_json=as_json)
        return INTERRUPTED
    return prediction


def _refuse_without_table() -> None:
    """InputError for options that say something of one table."""
    if given := given_options("quick", "only", "columns", "minutes", "again", "mixed_vectors", "only_show"):
        named = given.replace("--only-show", "--show")
        raise InputError(f"Without a TABLE all are listed. Name one with {named}: re2nn reproduce emnlp2020-table5 ...")


def _refuse_with_show() -> None:
    """InputError for options that say how something is run."""
    if given := given_options("seeds", "cores", "engine", "address", "minutes", "again", "mixed_vectors"):
        raise InputError(f"With --show nothing is run: all runs that there are count. Leave out {given}.")


def _data_folder(folder: Path | None) -> Path:
    """The folder of the published data. InputError where it is not there."""
    from re2nn_core.experiments.datasets.classification import benchmark_folder

    try:
        return benchmark_folder(folder)
    except InputError as error:
        # Which files to give instead is of no use here: the tables are of these data alone.
        raise InputError(str(error).partition("\nFor texts of your own")[0]) from error


def _report(progress: TableProgress) -> None:
    from re2nn_core.text.remaining_time import duration_in_words

    done = progress.done
    job = done.task.job
    what = f"[{progress.number} of {progress.of}] {job.key.partition('/')[2].replace('/', '  ')}  seed {done.task.seed}"
    if done.error:
        note(f"{what}: not run. {done.error}")
        return
    if done.elsewhere:
        note(f"{what}: another command is at it.")
        return
    took = "run by another process" if done.had else f"{done.seconds:.1f} s"
    left = "" if not progress.seconds_left else f"; about {duration_in_words(progress.seconds_left)} left"
    note(f"{what}: {progress.value or 'done'}  ({took}{left})")


def _prediction(outcome: TableOutcome, place: Path, *, quick: bool) -> CommandResult:
    from re2nn_core.experiments.reproduce.output.as_data import values_of
    from re2nn_core.experiments.reproduce.output.as_text import text_of

    found = outcome.filled
    data = {
        **values_of(found),
        "quick": quick,
        "seconds": outcome.seconds,
        "errors": [{"job": done.task.job.key, "seed": done.task.seed, "error": done.error} for done in outcome.errors],
        "no_time_for_seconds": outcome.skipped_seconds,
        "no_time_for": [{"job": task.job.key, "seed": task.seed} for task in outcome.skipped],
        "stopped": outcome.stopped,
        "folder": str(place),
    }
    reported = [text_of(found)]
    if quick:
        reported.append(
            "This is the smaller version: one seed, and only some cells. Leave out --quick for all of them."
        )
    if outcome.skipped:
        reported.append(_no_time(outcome))
    reported.append(f"Table as HTML, Markdown, CSV and JSON: {place / found.table.name}.*")
    return CommandResult(data, "\n".join(reported))


def _no_time(outcome: TableOutcome) -> str:
    """`There was no time for 3 runs; the same command goes on with them, for about 12 minutes.`"""
    from re2nn_core.text.remaining_time import duration_in_words

    seconds, count = outcome.skipped_seconds, len(outcome.skipped)
    them = "it" if count == 1 else "them"
    about = f", for about {duration_in_words(seconds)}" if seconds else ""
    return f"There was no time for {counted(count, 'run')}; run the same command to continue with {them}{about}."


def _shown(table: PaperTable, chosen: ChosenCells, place: Path) -> CommandResult:
    """What the folder has of a table, and where it has nothing what comes with the program."""
    from re2nn_core.experiments.reproduce.output.as_data import values_of
    from re2nn_core.experiments.reproduce.output.as_text import text_of
    from re2nn_core.experiments.reproduce.output.results import filled, joined_kept_runs
    from re2nn_core.experiments.reproduce.run_table import with_reasons
    from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, read_runs
    from re2nn_core.experiments.reproduce.runs.stored import stored_runs

    own = read_runs(place / FILE_NAME)
    found = with_reasons(filled(table, joined_kept_runs(own, [stored_runs()]), chosen.cells, chosen.left_out), {})
    here = len(filled(table, own, chosen.cells).measured)
    source = {"folder": str(place), "cells_of_folder": here, "cells_that_come_with_it": len(found.measured) - here}
    reported = "All figures come with the program."
    if here:
        reported = (
            f"The runs of {counted(here, 'cell')} are in {place} and replace those of the same seeds that come with "
            "the program. All others come with the program."
        )
    return CommandResult(
        {**values_of(found), **source}, "\n".join([text_of(found), *([reported] if found.measured else [])])
    )


def _listing(place: Path, seeds: int, cores: int) -> CommandResult:
    """All tables, a line each."""
    from re2nn_core.experiments.reproduce.output.listing import listed_tables, listing_text
    from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, read_runs
    from re2nn_core.experiments.reproduce.runs.stored import stored_runs

    found = listed_tables(read_runs(place / FILE_NAME), stored_runs(), seeds, cores)
    return CommandResult(
        {"folder": str(place), "tables": [asdict(one) for one in found]}, listing_text(found, place, cores)
    )


def _take(file: Path, place: Path) -> None:
    from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME
    from re2nn_core.experiments.reproduce.runs.take import take_over

    took = take_over(file, place / FILE_NAME)
    note(f"{file}: {counted(took.taken, 'run')} imported, {took.left} not (no table has their settings).")


def _write_figure(found: Filled, place: Path) -> None:
    """The figure of a table whose picture the paper has."""
    if found.table.curve is None or not found.measured:
        return
    from re2nn_core.experiments.reproduce.output.lines import groups_of, table_lines
    from re2nn_core.plots.experiments import PlottedLine, write_figure
    from re2nn_core.plots.reproduced import as_file, curves_figure

    curve = found.table.curve
    for group in groups_of(found):
        lines = [PlottedLine(*points) for points in table_lines(found, group)]
        title = f"{found.table.paper}, {found.table.number}" + (f": {group}" if group else "")
        figure = curves_figure(lines, below=curve.below, beside=curve.beside, title=title)
        ending = f"-{group.lower()}" if group else ""
        write_figure(as_file(figure), place / f"{found.table.name}{ending}.figure.html")
