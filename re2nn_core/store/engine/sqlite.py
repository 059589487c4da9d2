"""SQLite: write-ahead log, foreign keys, and writers that wait their turn.

Readers never wait for the writer. A writing transaction takes the write lock at its start (BEGIN IMMEDIATE), so that
what it reads is still true when it writes, from any thread or process. SQLite's own waiting sleeps longer and longer,
up to a tenth of a second, so that whoever has waited longest waits longer still; here every waiter asks again after a
millisecond. And who has just written would be first to ask again: so everybody goes through a turnstile, a locked file
beside the database, in which the next one waits alone for the write lock.
"""

from __future__ import annotations

import importlib
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import ModuleType

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from re2nn_core.errors import ConflictError, DataFileError, Re2nnError, UnavailableError
from re2nn_core.files import no_space

fcntl: ModuleType | None
try:
    fcntl = importlib.import_module("fcntl")
except ImportError:  # not on Windows
    fcntl = None

WRITING = "re2nn_writing"
_LEAST_NAP, _LONGEST_NAP = 0.0005, 0.0015
# Enough for all the threads of a server with many sessions; those that wait hold one each.
_CONNECTIONS = 64


def sqlite_engine(url: URL, busy_seconds: float) -> Engine:
    engine = create_engine(url, connect_args={"timeout": busy_seconds}, pool_size=8, max_overflow=_CONNECTIONS)
    event.listen(engine, "connect", _prepare_connection)
    event.listen(engine, "begin", lambda connection: _begin(connection, busy_seconds))
    return engine


def _prepare_connection(connection: sqlite3.Connection, entry: ConnectionPoolEntry) -> None:
    # The driver's own guess at where transactions begin is switched off; `_begin` says it.
    connection.isolation_level = None
    # SQLite's own lower() knows ASCII alone, and a search should find "Ärger" for "ärger".
    connection.create_function("lower", 1, lambda text: text if text is None else str(text).lower(), deterministic=True)
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection, busy_seconds: float) -> None:
    if not connection.get_execution_options().get(WRITING, False):
        connection.exec_driver_sql("BEGIN")
        return
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101 - the engine above makes no other
    deadline = time.monotonic() + busy_seconds
    driver.execute("PRAGMA busy_timeout=0")
    try:
        with _turnstile(f"{connection.engine.url.database}-turn"):
            _wait_for_turn(driver, deadline)
    finally:
        driver.execute(f"PRAGMA busy_timeout={int(busy_seconds * 1000)}")


@contextmanager
def _turnstile(name: str) -> Iterator[None]:
    """Alone until the end of the block, among the processes and threads that write; or not, where the system knows no
    such locks: the database's own lock holds all the same.

    Whoever is in front gives up at a deadline, and so does the next one at once, whose own is over by then. Waiting
    here costs nothing; asking again and again took the processor more time than the writing.
    """
    if fcntl is None:
        yield
        return
    try:
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)  # which also unlocks it


def _wait_for_turn(driver: sqlite3.Connection, deadline: float) -> None:
    while True:
        try:
            driver.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                # As SQLAlchemy, which did not send the statement, would have raised it.
                raise OperationalError("BEGIN IMMEDIATE", None, error) from error
        time.sleep(random.uniform(_LEAST_NAP, _LONGEST_NAP))


def switch_to_wal(path: Path, busy_seconds: float, attempts: int = 100) -> None:
    """Set the journal mode, which the file remembers. SQLite does not wait for a lock here, so this does.
    DataFileError where it cannot be used."""
    with closing(sqlite3.connect(path, timeout=busy_seconds)) as connection:
        for attempt in range(attempts):
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if attempt == attempts - 1:
                    raise DataFileError(f"The database {path} cannot be used: {error}. Try again.") from error
            time.sleep(0.05)


def _code_of(error: BaseException | None) -> int:
    """SQLite's primary code of an error, 0 where it has none; the bits above are details."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def sqlite_error(error: DBAPIError, name: str, busy_seconds: float) -> Re2nnError:
    """SQLite's error as one of this package."""
    reason, code = str(error.orig), _code_of(error.orig)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConflictError(f"The database was busy for {busy_seconds:.0f} seconds; nothing was stored. Try again.")
    if code == sqlite3.SQLITE_NOTADB:
        return DataFileError(f"{name} is not an SQLite database. Name another file.")
    if code == sqlite3.SQLITE_CORRUPT:
        return DataFileError(f"The database {name} is damaged: {reason}. Restore it from a backup: re2nn restore FILE")
    if code == sqlite3.SQLITE_FULL:
        return UnavailableError(f"{no_space(name)} Nothing was stored.")
    return DataFileError(
        f"The database {name} cannot be used: {reason}. "
        "See that the disk has room and that the file and its folder may be written."
    )
