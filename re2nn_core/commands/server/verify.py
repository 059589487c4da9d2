"""verify: check the database, and compare its tables with its log."""

from __future__ import annotations

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import json_option
from re2nn_core.commands._common.store_options import Database, database_options, opened


@click.command("verify")
@database_options
@json_option
def verify_command(database: Database) -> CommandResult:
    """Check the database and compare its tables with its log, from which they must follow. Exit code 1: they do not.

    \b
    Example: re2nn verify
    """
    from re2nn_core.store import verify_store

    with opened(database) as store:
        faults = verify_store(store)
        name = store.name
    reported = "\n".join(faults) if faults else f"{name}: everything follows from the log."
    return CommandResult({"database": name, "faults": list(faults)}, reported, ok=not faults)
