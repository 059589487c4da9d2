"""A backup brought into a database that is made for it: where that fails, nothing that was made stays behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from re2nn_core.store.backup.whole_store import BackupCounts, read_backup
from re2nn_core.store.engine.addresses import read_address
from re2nn_core.store.engine.opening import open_store

# The database, SQLite's own files beside it, and the one by which writers take turns.
_FILES = ("", "-wal", "-shm", "-journal", "-turn")


def restore_backup(database: str | Path | None, file: Path) -> BackupCounts:
    """Bring a backup into the database of this path or address, made where there is none. See `read_backup`."""
    where = read_address(database)
    made = None if where.path is None or where.path.exists() else where.path
    folders = [folder for folder in (where.folder, *where.folder.parents) if not folder.exists()]
    try:
        with open_store(database) as store:
            return read_backup(store, file)
    except BaseException:
        if made is not None:
            for end in _FILES:
                made.with_name(f"{made.name}{end}").unlink(missing_ok=True)
        for folder in folders:
            # One that somebody else has put something into meanwhile stays.
            with suppress(OSError):
                folder.rmdir()
        raise
