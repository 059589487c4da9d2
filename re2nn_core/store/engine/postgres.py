"""PostgreSQL: the same schema for teams whose server is another machine, or who outgrow one file.

The driver is psycopg, an extra of its own. Statements that come again are prepared by it after a few times.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError

from re2nn_core.errors import ConflictError, DataFileError, InputError, Re2nnError, UnavailableError
from re2nn_core.store.engine.addresses import without_password

# Together below the hundred connections that a server allows as it comes, with room for the processes that train. Those
# of the pool stay open, with their prepared statements; one more is made anew for each time that it is needed.
_POOL, _OVERFLOW = 30, 30
_CONNECT_SECONDS = 10
_BY_KEYS = " ".join(
    f"-c {setting}"
    for setting in (
        "plan_cache_mode=force_generic_plan",
        "enable_seqscan=off",
        "enable_bitmapscan=off",
        "enable_hashjoin=off",
        "enable_mergejoin=off",
    )
)
# Firewalls forget connections that were silent for long.
_RECYCLE_SECONDS = 900
# Any number will do that nothing else takes: who has it may make or change tables.
_TABLES_LOCK = 7_259_001
_LOCKED = ("55P03", "40P01", "40001", "57014")
_NOT_ALLOWED = ("42501",)
_READ_ONLY = ("25006",)
_FULL = ("53100",)
_NOTHING = "Nothing was stored."
# Between the two attempts to reach a server, which may be at its start.
_PAUSE_SECONDS = 0.5


def postgres_engine(url: URL, busy_seconds: float) -> Engine:
    """Connections for everything that reads or writes."""
    return _engine(url, _waits(url, busy_seconds), pool_size=_POOL, max_overflow=_OVERFLOW)


def singles_engine(url: URL, busy_seconds: float, most: int) -> Engine:
    """At most so many connections, on which each statement is a transaction of its own, for short statements that come
    again and again. Their rows are found by keys, so their plan is made once and for all: one that the server made from
    its counts of rows, while a table was small, reads all of the table long after it has grown."""
    options = f"{_waits(url, busy_seconds)} {_BY_KEYS}"
    return _engine(url, options, pool_size=most, max_overflow=0, isolation_level="AUTOCOMMIT")


def _waits(url: URL, busy_seconds: float) -> str:
    """The settings of a connection; those that the address names count."""
    given = url.query.get("options")
    return given if isinstance(given, str) else f"-c lock_timeout={int(busy_seconds * 1000)}"


def _engine(url: URL, options: str, **ways: Any) -> Engine:
    arguments = {"connect_timeout": _CONNECT_SECONDS, "application_name": "re2nn"}
    own = {name: value for name, value in arguments.items() if name not in url.query}
    try:
        return create_engine(
            url, connect_args={**own, "options": options}, pool_recycle=_RECYCLE_SECONDS, pool_pre_ping=True, **ways
        )
    except ModuleNotFoundError as error:
        raise InputError(
            f"The database {without_password(url)} needs the package psycopg. "
            "Install it: pip install 're2nn-studio[postgresql]'"
        ) from error


def hold_tables(connection: Connection) -> None:
    """Let one process at a time make or change tables, until the transaction ends."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _TABLES_LOCK})


def check_encoding(connection: Connection, name: str) -> None:
    """DataFileError for a database that cannot hold every language."""
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise DataFileError(
            f"The database {name} keeps texts as {encoding}, which cannot hold every language. "
            "Create it again: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0"
        )


def connected(engine: Engine) -> Connection:
    """A connection that answers. One that the pool held while the server was restarted is replaced (the pool asks each
    before it is used); a server that does not answer is asked once more."""
    try:
        return engine.connect()
    except OperationalError:
        time.sleep(_PAUSE_SECONDS)
        return engine.connect()


def error_of_unknown_outcome(error: DBAPIError, name: str) -> DataFileError:
    """The error of a change that may have been stored: so it is not tried again by itself."""
    return DataFileError(
        f"The connection to the database {name} was lost while a change was stored: {_reason_of(error)}. It may be "
        "stored or not: load the page again and look before you repeat it."
    )


def _reason_of(error: DBAPIError) -> str:
    reason = str(error.orig).strip().splitlines()
    return reason[0].removesuffix(".") if reason else type(error.orig).__name__


def postgres_error(error: DBAPIError, name: str, busy_seconds: float) -> Re2nnError:
    """The server's error as one of this package."""
    reason = _reason_of(error)
    state = getattr(error.orig, "sqlstate", None)
    if state in _LOCKED:
        return ConflictError(f"The database was busy for {busy_seconds:.0f} seconds; nothing was stored. Try again.")
    if state in _NOT_ALLOWED:
        return DataFileError(
            f"The user of {name} may not do this: {reason}. Grant the right to read, write and make tables there."
        )
    if state in _READ_ONLY:
        return DataFileError(f"The database {name} can only be read: {reason}. Name the server that is written to.")
    if state in _FULL:
        return UnavailableError(f"No space left on the disk of the server of {name}. Make room there. {_NOTHING}")
    if error.connection_invalidated:
        return UnavailableError(f"The connection to the database {name} was lost: {reason}. {_NOTHING} Try again.")
    if state is None or state.startswith(("08", "28", "3D", "53", "57")):
        return UnavailableError(
            f"The database {name} cannot be reached: {reason}. "
            "Check that the server runs and that name, password and database in RE2NN_DATABASE_URL are correct."
        )
    return DataFileError(f"The database {name} cannot be used: {reason}.")
