"""restore: bring a backup into an empty database."""

from __future__ import annotations

from pathlib import Path

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import PATH, json_option
from re2nn_core.commands._common.store_options import Database, database_options
from re2nn_core.commands.server.backup import backup_result


@click.command("restore")
@click.argument("file", type=PATH)
@database_options
@json_option
def restore_command(file: Path, database: Database) -> CommandResult:
    """Bring the backup FILE into an empty database, of either kind: SQLite or PostgreSQL.

    \b
    Example: re2nn restore friday.zip --database ~/again/re2nn.sqlite3
    """
    from re2nn_core.store import restore_backup

    return backup_result(restore_backup(database, file), file, "restored from")
