"""import: a project from files of texts or from an archive, or more texts for one.

The module is not called `import`, which is a keyword of Python.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import refuse_missing, report_left_out
from re2nn_core.commands._common.options import (
    DATA_OPTIONS,
    PATH,
    ReadingOptions,
    data_options,
    given_options,
    json_option,
    logic_option,
    note,
    tokenization_options,
)
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.store_options import Database, database_options, opened, progress_notes
from re2nn_core.commands.data.given_rules import given_rules, saved_in_words
from re2nn_core.errors import InputError
from re2nn_core.exchange.counted_offsets import OFFSET_UNITS, OffsetUnit
from re2nn_core.exchange.formats import formats_in_words, refuse_unknown_format
from re2nn_core.task import Task
from re2nn_core.text.corpus import SPLITS
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.store import Store

_KINDS = f"{formats_in_words()} (a folder), or the archive of a project"
_NOTES = 8


@click.command("import", cls=GroupedCommand)
@click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
@click.option("--project", "name", required=True, metavar="NAME", help="Name of the project.")
@click.option("--add", is_flag=True, help="Add the texts to a project that exists; else a new one is made.")
@click.option(
    "--again", is_flag=True, help="With --add: also add texts that the project already has with the same annotation."
)
@click.option("--no-rules", is_flag=True, help="Suggest no first rules from the texts.")
@click.option("--rules", "rules_path", type=PATH, help="Rules of the new project, in place of suggested ones.")
@logic_option
@click.option(
    "--task",
    type=click.Choice([task.value for task in Task]),
    help="Labels or slots. [default: by what the first file holds]",
)
@click.option("--split", type=click.Choice(SPLITS), help="The split of rows that name none.")
@click.option("--split-column", metavar="NAME", help="Column of train, dev, test; found in the file.")
@click.option(
    "--offsets",
    type=click.Choice(OFFSET_UNITS),
    metavar="UNIT",
    help="What offsets of spans count, where no quoted words show it: characters, utf-16, bytes or words; from 1, with "
    "the last one included, or both: words-from-1-inclusive.",
)
@click.option(
    "--hold-out",
    type=click.IntRange(1, 50),
    metavar="PERCENT",
    help="Percentage of the texts of each label for the split test, where no split is named.",
)
@click.option(
    "--person",
    metavar="NAME",
    help="Name for the project log; where accounts exist, that of an owner. [default: 'command line', which needs no "
    "account and may do everything]",
)
@data_options
@tokenization_options
@database_options
@json_option
def import_command(  # noqa: PLR0913 - a command's parameters are its options
    files: tuple[Path, ...],
    name: str,
    add: bool,
    task: Task | None,
    split: str | None,
    person: str | None,
    again: bool,
    no_rules: bool,
    rules_path: Path | None,
    logic_path: Path | None,
    split_column: str | None,
    offsets: OffsetUnit | None,
    hold_out: int | None,
    database: Database,
    tokenization: Tokenization | None,
    reading: ReadingOptions,
) -> CommandResult:
    """Create a project from files of texts, with the labels or slots and the splits in them.

    FILE is CSV, TSV, JSONL, plain lines, Parquet, CoNLL, spaCy's DocBin (.spacy), JSON of Label Studio, JSONL of
    Prodigy or doccano, or a Hugging Face datasets folder. The format is detected; --format overrides it. Rows that
    cannot be read are listed with line and reason, and the others are kept. A file without a readable row creates
    nothing. First rules are suggested from the labels or slots as rules v1; --no-rules suggests none, and --rules
    with --logic gives your own, whose task is that of the project.

    Plain lines without annotation for a project of slots: --format txt, and --task slots for a new project.

    Where the files name no split, --hold-out 20 puts a fifth of the texts of each label into the split test, so that
    figures can be measured on texts that were not used for training.

    An archive (.zip of `re2nn export`) becomes a project equal to the one it was written from, named NAME.

    With --add, texts that the project already has with the same annotation are left out; --again adds them too. Texts
    that it has with another annotation are added and listed.

    \b
    Example: re2nn import texts.csv --project Flights --hold-out 20
             re2nn import texts.csv --project Flights --rules rules.txt --logic logic.toml
             re2nn import more.jsonl --project Flights --add --split test
             re2nn import flights.zip --project "Flights again"
    """
    from re2nn_core.exchange.large_files import FileReading as FileReading
    from re2nn_core.services.projects.archives import is_archive
    from re2nn_core.services.projects.exchanging import import_more, import_new, project_named
    from re2nn_core.services.projects.import_report import imported_in_words
    from re2nn_core.services.team.people import AT_THE_MACHINE

    refuse_unknown_format(reading.file_format)
    for file in files:
        if not file.is_dir():
            refuse_missing(file, _KINDS)
    rules = Sources(rules_path, logic_path, None, tokenization, task)
    archives = [file for file in files if is_archive(file)]
    if archives:
        return _from_archive(archives[0], files, name, person or AT_THE_MACHINE, database)
    _refuse_for_other_way(add, again)
    written, own = given_rules(rules), list[str]()
    if hold_out is not None and (add or split is not None):
        raise InputError(
            "--hold-out draws the test texts of a new project. Leave it out with "
            f"{'--add' if add else '--split, which names one split for all'}."
        )
    as_file = FileReading(
        reading.file_format,
        reading.encoding,
        reading.header,
        reading.text_column,
        reading.label_column,
        split_column,
        split,
        reading.strip_html,
        offsets=offsets,
    )
    with opened(database) as store, progress_notes("read") as reported:
        who = _who(store, person)
        if add:
            project = project_named(store, name)
            _refuse_other(project.task, task, tokenization)
            done = import_more(
                store, project, files, person=who, reading=as_file, keep_doubles=again, on_progress=reported
            )
        else:
            done = import_new(
                store,
                files,
                name=name,
                person=who,
                task=task if written is None else rules.task,
                tokenization=tokenization,
                reading=as_file,
                suggest_rules=not no_rules,
                rules=None if written is None else (written.rules_text, written.logic_text),
                hold_out=hold_out,
                on_progress=reported,
            )
            own = [] if written is None else [saved_in_words(written)]
    for read in done.files:
        for message in read.notes[:_NOTES]:
            note(f"{read.name}: {message}")
        if len(read.notes) > _NOTES:
            note(f"{read.name}: and {counted(len(read.notes) - _NOTES, 'more note')}, which --json lists.")
        report_left_out(read.bad_rows, read.name, every=reading.all_faults)
    return CommandResult(_data(done), "\n".join([*imported_in_words(done), *own]))


def _who(store: Store, person: str | None) -> str:
    """Who the log names; where people have accounts and nobody was named, that is reported."""
    from re2nn_core.services.team.people import AT_THE_MACHINE
    from re2nn_core.store import has_accounts

    if person is None and has_accounts(store):
        note(f"The log will name '{AT_THE_MACHINE}' as the user. Use --person NAME to name the account.")
    return person or AT_THE_MACHINE


def _from_archive(file: Path, files: tuple[Path, ...], name: str, person: str, database: Database) -> CommandResult:
    """A new project from the archive of one."""
    from re2nn_core.services.projects.archives import MOST_BYTES_HERE
    from re2nn_core.services.projects.projects import import_archive
    from re2nn_core.store import count_texts

    if len(files) > 1:
        raise InputError(f"{file} is the archive of a whole project. Import it alone.")
    if given := given_options("add", "again", "rules_path", "logic_path").replace("-path", ""):
        raise InputError(
            f"{file} is the archive of a whole project, with its own rules and annotations, and cannot be added to "
            f"another one. Leave {given} out and give a new name with --project."
        )
    named = ("task", "split", "split_column", "offsets", "hold_out", "tokenizer", "no_lowercase", "file_format")
    if given := given_options(*named, *DATA_OPTIONS):
        raise InputError(f"{file} is the archive of a whole project, which contains this setting. Leave {given} out.")
    with opened(database) as store:
        project = import_archive(store, file, person, name=name, most_bytes=MOST_BYTES_HERE)
        texts = count_texts(store, project.id)
    data = {"project": project.name, "task": project.task, "texts": texts, "archive": True}
    message = "rules, annotations and settings are those of the archive"
    return CommandResult(data, f"{project.name}: {counted(texts, 'text')} from an archive ({project.task}); {message}.")


def _refuse_for_other_way(add: bool, again: bool) -> None:
    """InputError for an option that says nothing with or without --add."""
    if again and not add:
        raise InputError("--again is for texts that are added to a project. Write --add too, or leave it out.")
    if add and (given := given_options("no_rules", "rules_path", "logic_path")):
        options, verb = given.replace("-path", ""), "are" if " and " in given else "is"
        raise InputError(f"{options} {verb} for a new project; --add changes no rules. Leave it out.")


def _refuse_other(task: Task, asked: str | None, tokenization: Tokenization | None) -> None:
    """InputError for what a project that exists has decided already."""
    if asked not in (None, task):
        raise InputError(f"The project is one for {task}, not {asked}. Leave --task out.")
    if tokenization is not None:
        raise InputError("The project already has a tokenizer. Leave --tokenizer and --no-lowercase out.")


def _data(done: Any) -> dict[str, Any]:
    left_out = [
        {"file": read.name, "line": bad.line, "reason": bad.reason} for read in done.files for bad in read.bad_rows
    ]
    return {
        "project": done.project.name,
        "task": done.project.task,
        "tokenizer": done.project.tokenization.kind,
        "texts": done.added,
        "starter_rules": list(done.rules),
        "held_out": done.held_out or None,
        "already_there": done.already,
        "other_answer": done.differing,
        "repeated": {
            "texts": done.repeats.texts,
            "other_answer": done.repeats.differing,
            "leaked": done.repeats.leaked,
        },
        "columns": [_columns(read) for read in done.files if read.columns is not None],
        "left_out": left_out,
        "notes": [f"{read.name}: {message}" for read in done.files for message in read.notes],
    }


def _columns(read: Any) -> dict[str, Any]:
    """Which columns of a file were read, and what speaks for the one of labels."""
    chosen = read.columns
    label = next((column for column in chosen.columns if column.name == chosen.label), None)
    return {
        "file": read.name,
        "rows": chosen.rows,
        "text": chosen.text,
        "label": chosen.label,
        "label_values": None if label is None else label.distinct,
        "label_filled": None if label is None else label.filled,
        "split": chosen.split,
        "not_read": list(chosen.not_read),
        "candidates": list(chosen.candidates),
        "remarks": list(chosen.remarks),
        "evidence": [
            {"name": column.name, "filled": column.filled, "values": column.distinct, "kind": column.kind}
            for column in chosen.columns
        ],
    }
