"""import: a project from files of texts, or more texts for one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.inputs import refuse_missing, tell_left_out
from re2nn_core.commands.options import PATH, TASKS, Reading, data_options, json_option, note, tokenization_options
from re2nn_core.commands.store_options import home_option, opened, progress_notes
from re2nn_core.errors import InputError
from re2nn_core.text.corpus import SPLITS
from re2nn_core.text.tokenization import Tokenization

_KINDS = "CSV, TSV, JSONL, TXT, Parquet, CoNLL, DocBin, Label Studio, Prodigy, doccano"
_NOTES = 8


@click.command("import")
@click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
@click.option("--project", "name", required=True, metavar="NAME", help="Name of the project.")
@click.option("--add", is_flag=True, help="Add the texts to a project that exists; else a new one is made.")
@click.option("--task", type=click.Choice(TASKS), help="Labels or slots. [default: by what the first file holds]")
@click.option("--split", type=click.Choice(SPLITS), help="The split of rows that name none.")
@click.option(
    "--person",
    metavar="NAME",
    help="Who does it, as the log tells. Where people have accounts, an owner. [default: command line]",
)
@data_options
@tokenization_options
@home_option
@json_option
def import_command(
    files: tuple[Path, ...],
    name: str,
    add: bool,
    task: str | None,
    split: str | None,
    person: str | None,
    home: Path | None,
    tokenization: Tokenization | None,
    reading: Reading,
) -> Answer:
    """Make a project from files of texts, with the labels or slots and the splits that they hold.

    FILE is CSV, TSV, JSONL, plain lines, Parquet, CoNLL, spaCy's DocBin (.spacy), JSON of Label Studio, JSONL of
    Prodigy or doccano, or a Hugging Face datasets folder. What it is, is found from what it holds; --format says it:
    csv, tsv, jsonl, txt, parquet, conll, spacy, label-studio, prodigy, doccano, huggingface. Rows that cannot be read
    are told with line and reason, and the others are kept. A file of which nothing can be read leaves nothing behind.

    \b
    Example: re2nn import texts.csv --project Flights
             re2nn import more.jsonl --project Flights --add --split test
    """
    from re2nn_core.exchange.large_files import Reading as FileReading
    from re2nn_core.services.exchanging import import_more, import_new, project_named
    from re2nn_core.services.people import AT_THE_MACHINE

    person = person or AT_THE_MACHINE

    for file in files:
        if not file.is_dir():
            refuse_missing(file, _KINDS)
    as_file = FileReading(
        reading.file_format, reading.encoding, reading.header, reading.text_column, reading.label_column, split=split
    )
    with opened(home) as store, progress_notes("read") as told:
        if add:
            project = project_named(store, name)
            _refuse_other(project.task, task, tokenization)
            done = import_more(store, project, files, person=person, reading=as_file, on_progress=told)
        else:
            done = import_new(
                store,
                files,
                name=name,
                person=person,
                task=task,
                tokenization=tokenization,
                reading=as_file,
                on_progress=told,
            )
    for read in done.files:
        for said in read.notes[:_NOTES]:
            note(f"{read.name}: {said}")
        tell_left_out(read.bad_rows, read.name, every=reading.all_faults)
    return Answer(_data(done), _text(done))


def _refuse_other(task: str, asked: str | None, tokenization: Tokenization | None) -> None:
    """InputError for what a project that exists has decided already."""
    if asked not in (None, task):
        raise InputError(f"The project is one for {task}, not {asked}. Leave --task out.")
    if tokenization is not None:
        raise InputError("How texts become words is decided by the project. Leave --tokenizer and --no-lowercase out.")


def _data(done: Any) -> dict[str, Any]:
    left_out = [
        {"file": read.name, "line": bad.line, "reason": bad.reason} for read in done.files for bad in read.bad_rows
    ]
    return {
        "project": done.project.name,
        "task": done.project.task,
        "tokenizer": done.project.tokenization.kind,
        "texts": done.added,
        "left_out": left_out,
        "notes": [f"{read.name}: {said}" for read in done.files for said in read.notes],
    }


def _text(done: Any) -> str:
    left_out = sum(len(read.bad_rows) for read in done.files)
    rest = f"; {counted(left_out, 'row')} left out" if left_out else ""
    return f"{done.project.name}: {counted(done.added, 'text')} added ({done.project.task}){rest}."
