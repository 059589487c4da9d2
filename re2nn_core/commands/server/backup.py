"""backup: write the whole database into one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import PATH, json_option
from re2nn_core.commands._common.store_options import Database, database_options, opened
from re2nn_core.commands._common.written_files import refuse_database
from re2nn_core.errors import ConflictError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.store.backup.whole_store import BackupCounts


@click.command("backup")
@click.argument("file", type=PATH)
@database_options
@click.option("--overwrite", is_flag=True, help="Replace FILE where it is there already.")
@json_option
def backup_command(file: Path, database: Database, overwrite: bool) -> CommandResult:
    """Write all projects, labels, rule versions, runs and models into FILE. The application can be in use.

    \b
    Example: re2nn backup friday.zip
    """
    from re2nn_core.store import write_backup

    refuse_database(file, database)
    if file.exists() and not overwrite:
        raise ConflictError(f"{file} is there already. Name another file, or give --overwrite.")
    with opened(database) as store:
        return backup_result(write_backup(store, file), file, "written to")


def backup_result(kept: BackupCounts, file: Path, done: str) -> CommandResult:
    """What a backup holds, written or restored."""
    data = {"file": str(file), "projects": kept.projects, "rows": kept.rows, "files": kept.files}
    reported = f"{counted(kept.projects, 'project')}, {counted(kept.rows, 'row')} and {counted(kept.files, 'file')}"
    return CommandResult(data, f"{reported} of models {done} {file}")
