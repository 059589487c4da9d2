"""export: the texts of a project as a file, or the whole project as an archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, json_option, note
from re2nn_core.commands._common.store_options import Database, database_options, opened, progress_notes
from re2nn_core.commands._common.written_files import refuse_database, refuse_outputs
from re2nn_core.errors import InputError
from re2nn_core.exchange.formats import ARCHIVE, NAMES
from re2nn_core.text.corpus import SPLITS
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.exchange.export import Unheld

FORMATS = (*NAMES, ARCHIVE)
_LISTED = 10


@click.command("export", cls=GroupedCommand)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--project", "name", required=True, metavar="NAME", help="Name of the project.")
@click.option("--format", "format_name", type=click.Choice(FORMATS), help="[default: by the ending of FILE]")
@click.option("--split", type=click.Choice(SPLITS), help="Only texts of this split. [default: all]")
@click.option("--every-label", is_flag=True, help="Also labels that do not train yet by the project's policy.")
@click.option("--leave-out", is_flag=True, help="Leave out texts that the format cannot hold, and list them.")
@click.option("--slot-blanks", is_flag=True, help="Write blanks for the _ in names of slots.")
@database_options
@json_option
def export_command(
    file: Path,
    name: str,
    format_name: str | None,
    split: str | None,
    every_label: bool,
    leave_out: bool,
    slot_blanks: bool,
    database: Database,
) -> CommandResult:
    """Write the texts of a project to FILE, with the labels or spans that stand for them now, and their splits. Where
    the project trains on agreed or decided labels alone, the others are left out.

    The ending says the format: .csv, .tsv, .jsonl, .txt, .parquet, .conll, .spacy, .json (Label Studio), .zip (an
    archive); --format names the others. A Hugging Face data set becomes a folder. What is written, `re2nn import` reads
    back. FILE is there whole or not at all.

    An archive holds the project as it is: texts, every label whether it trains or not, all versions of the rules, who
    said and decided what and when, the policy and the queue. Trained runs are in none of these files: `re2nn backup`.

    \b
    Example: re2nn export --project Flights texts.jsonl
             re2nn export --project Flights --format label-studio tasks.json
             re2nn export --project Flights flights.zip
    """
    from re2nn_core.exchange.file_plan import is_guarded_file
    from re2nn_core.exchange.formats import GUARDED, format_called, format_of_path
    from re2nn_core.services.projects.archives import write_project
    from re2nn_core.services.projects.exchanging import export_texts, project_named
    from re2nn_core.services.team.training_labels import labelled_material_of

    if format_name != "huggingface":
        refuse_outputs("file")
        refuse_database(file, database)
    archive = format_name == ARCHIVE or (format_name is None and file.suffix.lower() == ".zip")
    if archive and split is not None:
        raise InputError("An archive holds the whole project. Leave --split out, or choose another format.")
    chosen = None if archive else format_called(format_name) if format_name else format_of_path(file)
    with opened(database) as store, progress_notes("written") as reported:
        project = project_named(store, name)
        if chosen is None:
            count = write_project(store, project.id, file)
            held = {"project": project.name, "format": ARCHIVE, "texts": count, "file": str(file)}
            return CommandResult(
                held, f"{file}: {project.name} with {counted(count, 'text')} as an archive, without trained runs."
            )
        left_out: list[Unheld] = []
        count = export_texts(
            store, project, file, chosen, split=split, every_label=every_label, leave_out=leave_out,
            slot_blanks=slot_blanks, on_progress=reported, on_left_out=left_out.extend,
        )  # fmt: skip
        waiting = 0 if every_label else len(labelled_material_of(store, project).waiting)
    for one in left_out[:_LISTED]:
        note(f"left out: {one}: {one.reason}")
    if len(left_out) > _LISTED:
        note(f"and {len(left_out) - _LISTED:,} more; --json lists all of them.")
    data = {"project": project.name, "format": chosen.name, "texts": count, "waiting": waiting, "file": str(file)}
    data |= {"left_out": [{"text": one.number, "reason": one.reason} for one in left_out]} if leave_out else {}
    waits = (
        f" {counted(waiting, 'label')} of the project may not train yet and stay out. On Team, Review, a reviewer "
        "decides or confirms them; --every-label writes them as they are."
        if waiting
        else ""
    )
    lacks = f" It holds no {chosen.lacks}." if chosen.lacks else ""
    if chosen.guarded and is_guarded_file(file, {"csv": ","}.get(chosen.name, "\t"), chosen.name):
        lacks += f" {GUARDED}"
    return CommandResult(data, f"{file}: {counted(count, 'text')} of {project.name} as {chosen.title}.{lacks}{waits}")
