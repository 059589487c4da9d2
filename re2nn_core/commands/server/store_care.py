"""backup, restore, verify: looking after the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.options import PATH, json_option
from re2nn_core.commands._common.store_options import Database, database_options, opened
from re2nn_core.commands._common.written_files import refuse_database
from re2nn_core.errors import ConflictError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.store.backup.whole_store import Kept


@click.command("backup")
@click.argument("file", type=PATH)
@database_options
@click.option("--overwrite", is_flag=True, help="Replace FILE where it is there already.")
@json_option
def backup_command(file: Path, database: Database, overwrite: bool) -> Answer:
    """Write all projects, labels, rule versions, runs and models into FILE, while people go on working.

    \b
    Example: re2nn backup friday.zip
    """
    from re2nn_core.store import write_backup

    refuse_database(file, database)
    if file.exists() and not overwrite:
        raise ConflictError(f"{file} is there already. Name another file, or give --overwrite.")
    with opened(database) as store:
        return _told(write_backup(store, file), file, "written to")


@click.command("restore")
@click.argument("file", type=PATH)
@database_options
@json_option
def restore_command(file: Path, database: Database) -> Answer:
    """Bring the backup FILE into an empty database, of either kind: SQLite or PostgreSQL.

    \b
    Example: re2nn restore friday.zip --database ~/again/re2nn.sqlite3
    """
    from re2nn_core.store import restore_backup

    return _told(restore_backup(database, file), file, "restored from")


@click.command("verify")
@database_options
@json_option
def verify_command(database: Database) -> Answer:
    """Check the database and compare its tables with its log, from which they must follow. Exit code 1: they do not.

    \b
    Example: re2nn verify
    """
    from re2nn_core.store import verify_store

    with opened(database) as store:
        faults = verify_store(store)
        name = store.name
    told = "\n".join(faults) if faults else f"{name}: everything follows from the log."
    return Answer({"database": name, "faults": list(faults)}, told, ok=not faults)


def _told(kept: Kept, file: Path, done: str) -> Answer:
    data = {"file": str(file), "projects": kept.projects, "rows": kept.rows, "files": kept.files}
    told = f"{counted(kept.projects, 'project')}, {counted(kept.rows, 'row')} and {counted(kept.files, 'file')}"
    return Answer(data, f"{told} of models {done} {file}")
