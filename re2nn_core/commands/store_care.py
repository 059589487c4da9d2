"""backup, restore, verify: looking after the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.options import PATH, json_option
from re2nn_core.errors import ConflictError

if TYPE_CHECKING:
    from re2nn_core.store.backup import Kept

database_option = click.option(
    "--database",
    metavar="FILE|URL",
    help="The database. [default: $RE2NN_DATABASE_URL, else the file in $RE2NN_HOME or the user's data folder]",
)


@click.command("backup")
@click.argument("file", type=PATH)
@database_option
@click.option("--overwrite", is_flag=True, help="Replace FILE where it is there already.")
@json_option
def backup_command(file: Path, database: str | None, overwrite: bool) -> Answer:
    """Write all projects, labels, rule versions, runs and models into FILE, while people go on working.

    \b
    Example: re2nn backup friday.zip
    """
    from re2nn_core.store import open_store, write_backup

    if file.exists() and not overwrite:
        raise ConflictError(f"{file} is there already. Name another file, or give --overwrite.")
    with open_store(database) as store:
        return _told(write_backup(store, file), file, "written to")


@click.command("restore")
@click.argument("file", type=PATH)
@database_option
@json_option
def restore_command(file: Path, database: str | None) -> Answer:
    """Bring the backup FILE into an empty database, of either kind: SQLite or PostgreSQL.

    \b
    Example: re2nn restore friday.zip --database ~/again/re2nn.sqlite3
    """
    from re2nn_core.store import open_store, read_backup

    with open_store(database) as store:
        return _told(read_backup(store, file), file, "restored from")


@click.command("verify")
@database_option
@json_option
def verify_command(database: str | None) -> Answer:
    """Check the database and compare its tables with its log, from which they must follow. Exit code 1: they do not.

    \b
    Example: re2nn verify
    """
    from re2nn_core.store import open_store, verify_store

    with open_store(database) as store:
        faults = verify_store(store)
        name = store.name
    told = "\n".join(faults) if faults else f"{name}: everything follows from the log."
    return Answer({"database": name, "faults": list(faults)}, told, ok=not faults)


def _told(kept: Kept, file: Path, done: str) -> Answer:
    data = {"file": str(file), "projects": kept.projects, "rows": kept.rows, "files": kept.files}
    told = f"{counted(kept.projects, 'project')}, {counted(kept.rows, 'row')} and {counted(kept.files, 'file')}"
    return Answer(data, f"{told} of models {done} {file}")
