"""Opening the database, and the two kinds of transaction that everything else in this package uses.

SQLite in WAL mode: readers never wait for the writer. A writing transaction takes the write lock at its
start (BEGIN IMMEDIATE), so that what it reads is still true when it writes, from any thread or process.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from re2nn_core.errors import ConflictError, DataFileError, InputError
from re2nn_core.store.schema import SCHEMA_VERSION, STEPS, Base, SchemaVersionRow

HOME_VARIABLE = "RE2NN_HOME"
DATABASE_NAME = "re2nn.sqlite3"
# How long a transaction waits for another one's lock before it gives up.
BUSY_SECONDS = 30.0
_WRITING = "re2nn_writing"


class Store:
    """An open database and the folder of files beside it. Safe to share between threads.

    One for each process is enough. Close it, or use it in a `with` block.
    """

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._writing_engine = engine.execution_options(**{_WRITING: True})
        self.path = path

    @property
    def url(self) -> str:
        """What `open_store` takes to open the same database in another process."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def folder(self) -> Path:
        """Where the database lies, and everything that belongs to it."""
        return self.path.parent

    @property
    def models_folder(self) -> Path:
        """Where each run has a folder of its own."""
        return self.folder / "models"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database and writes nothing."""
        with self._errors_for_people(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed at the end of the block, or undone where the block raises."""
        with self._errors_for_people(), self._writing_engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _errors_for_people(self) -> Iterator[None]:
        """The database's own errors as errors of this package, which pages know how to show."""
        try:
            yield
        except IntegrityError as error:
            raise ConflictError(
                "Somebody else changed the same thing at the same moment, and nothing was stored. "
                "Load it again and repeat your change."
            ) from error
        except DBAPIError as error:
            if _is_busy(error):
                raise ConflictError(
                    f"The database was busy for {BUSY_SECONDS:.0f} seconds; nothing was stored. Try again."
                ) from error
            if "not a database" in str(error.orig):
                raise DataFileError(f"{self.path} is not an SQLite database. Name another file.") from error
            raise DataFileError(
                f"The database {self.path} cannot be used: {error.orig}. "
                "See that the disk has room and that the file and its folder may be written."
            ) from error


def default_store_path() -> Path:
    """The database in the folder that RE2NN_HOME names, or else in the user's own data folder."""
    home = os.environ.get(HOME_VARIABLE) or platformdirs.user_data_dir("re2nn-studio", appauthor=False)
    return Path(home).expanduser().resolve() / DATABASE_NAME


def open_store(database: str | Path | None = None) -> Store:
    """Open a database by its path or its sqlite:/// address, made where there is none; or the default one."""
    path = _database_path(database)
    if path.is_dir():
        raise InputError(f"{path} is a folder. Name a file in it, for example {path / DATABASE_NAME}.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataFileError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_connection)
    event.listen(engine, "begin", _begin)
    store = Store(engine, path)
    try:
        _prepare_schema(store)
    except BaseException:
        store.close()
        raise
    return store


def _database_path(database: str | Path | None) -> Path:
    if database is None:
        return default_store_path()
    if isinstance(database, Path) or "://" not in database:
        name = str(database)
    else:
        try:
            url = make_url(database)
        except ArgumentError as error:
            raise InputError(f"{database!r} is no database address. Give sqlite:///path/to/file.") from error
        if url.get_backend_name() != "sqlite":
            raise InputError(
                f"The database {url.render_as_string()} is of a kind this version cannot use. "
                "Give a file, or sqlite:///path/to/file."
            )
        name = url.database or ""
    if name.strip() in ("", ":memory:"):
        raise InputError("A database in memory cannot be shared with the processes that train. Give a file.")
    return Path(name).expanduser().resolve()


def _prepare_connection(connection: sqlite3.Connection, entry: ConnectionPoolEntry) -> None:
    # The driver's own guess at where transactions begin is switched off; `_begin` says it.
    connection.isolation_level = None
    # SQLite's own lower() knows ASCII alone, and a search should find "Ärger" for "ärger".
    connection.create_function("lower", 1, lambda text: text if text is None else str(text).lower(), deterministic=True)
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _prepare_schema(store: Store) -> None:
    """Check the schema's version, and make the tables in a database that is empty."""
    with store.reading() as connection:
        _check_version(connection, store.path)
    _switch_to_wal(store.path)
    with store.writing() as connection:
        # Looked at again: another process may have made the tables since, perhaps newer ones.
        version = _check_version(connection, store.path)
        if version is None:
            Base.metadata.create_all(connection)
            connection.execute(insert(SchemaVersionRow).values(version=SCHEMA_VERSION))
        elif version < SCHEMA_VERSION:
            for step in range(version, SCHEMA_VERSION):
                connection.exec_driver_sql(STEPS[step + 1])
            connection.execute(update(SchemaVersionRow).values(version=SCHEMA_VERSION))


def _check_version(connection: Connection, path: Path) -> int | None:
    """The version of a database, None of an empty one; refuses a newer one, and one of another program."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if SchemaVersionRow.__tablename__ not in tables:
        raise DataFileError(f"{path} is a database of another program. Name another file.")
    version = connection.execute(select(SchemaVersionRow.version)).scalar()
    if version is None:
        raise DataFileError(f"{path} names no schema version, so it is damaged. Restore it from a copy.")
    if version > SCHEMA_VERSION:
        raise DataFileError(
            f"{path} was written by a newer version of this program (schema {version}; this one reads up to "
            f"{SCHEMA_VERSION}). Install the newer version, or name another file."
        )
    return version


def _switch_to_wal(path: Path, attempts: int = 100) -> None:
    """Set the journal mode, which the file remembers. SQLite does not wait for a lock here, so this does."""
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        for attempt in range(attempts):
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if attempt == attempts - 1:
                    raise DataFileError(f"The database {path} cannot be used: {error}. Try again.") from error
            time.sleep(0.05)


def _is_busy(error: DBAPIError) -> bool:
    return isinstance(error, OperationalError) and "locked" in str(error.orig)
