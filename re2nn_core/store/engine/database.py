"""The open database, and the kinds of transaction that everything else in this package uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from re2nn_core.errors import ConflictError, UnavailableError
from re2nn_core.store.engine import postgres, sqlite
from re2nn_core.store.engine.addresses import Address
from re2nn_core.store.engine.fair_semaphore import InTurn
from re2nn_core.store.engine.group_commit import Together

# How long a transaction waits for another one's lock before it gives up.
BUSY_SECONDS = 30.0
# Enough to keep a server busy, and few enough that each has its answer soon.
_SINGLES = 6

Result = TypeVar("Result")


class Store:
    """An open database and the folder of files beside it. Safe to share between threads.

    One for each process is enough. Close it, or use it in a `with` block.
    """

    def __init__(self, engine: Engine, address: Address, busy_seconds: float = BUSY_SECONDS) -> None:
        self._engine = engine
        self._address = address
        self._busy_seconds = busy_seconds
        self._writing_engine = engine.execution_options(**{sqlite.WRITING: True})
        self._reading_engine = engine
        self._single_engine: Engine | None = None
        if address.path is None:
            one_state = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            self._reading_engine = engine.execution_options(**one_state)
            self._single_engine = postgres.singles_engine(engine.url, busy_seconds, _SINGLES)
        self._together = Together(self.writing)
        self._singles = InTurn(_SINGLES)

    @property
    def url(self) -> str:
        """What `open_store` takes to open the same database in another process; with its password."""
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def name(self) -> str:
        """How messages call the database: its file, or its address without the password."""
        return self._address.name

    @property
    def path(self) -> Path | None:
        """The database's file; None where it is on a server."""
        return self._address.path

    @property
    def folder(self) -> Path:
        """Where the database's file lies, or would lie, and everything that belongs to it."""
        return self._address.folder

    @property
    def models_folder(self) -> Path:
        """Where each run has a folder of its own."""
        return self.folder / "models"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database and writes nothing."""
        with self._errors_for_people(), self._connected(self._reading_engine) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed at the end of the block, or undone where the block raises."""
        with (
            self._errors_for_people(),
            self._connected(self._writing_engine) as connection,
            connection.begin() as transaction,
        ):
            yield connection
            if transaction.is_active:  # the block may have undone its work
                with self._outcome_unknown():
                    transaction.commit()

    @contextmanager
    def single(self) -> Iterator[Connection]:
        """On a server alone: each statement is a transaction of its own, committed when its answer comes, with no trip
        for beginning and end. For short work: few are let in at once, in the order in which they came."""
        if self._single_engine is None:
            raise ValueError("A file has no connections of this kind.")
        with (
            self._errors_for_people(),
            self._singles.one(),
            self._connected(self._single_engine) as connection,
            self._outcome_unknown(),
        ):
            yield connection

    def quickly(self, work: Callable[[Connection], Result]) -> Result:
        """Do short work in a writing transaction; the answer once it is committed.

        A file has one writer at a time and the disk takes its time for each commit, so the work of all threads that
        come meanwhile shares the next one. Work that raises is undone alone. On a server each has its own; where the
        connection is lost before the commit, which undoes it, the work is done once more.
        """
        if self.path is not None:
            with self._errors_for_people():
                return self._together.do(work)
        try:
            return self._in_transaction(work)
        except UnavailableError as error:
            if not getattr(error.__cause__, "connection_invalidated", False):
                raise
            return self._in_transaction(work)

    def _in_transaction(self, work: Callable[[Connection], Result]) -> Result:
        with self.writing() as connection:
            return work(connection)

    def close(self) -> None:
        self._engine.dispose()
        if self._single_engine is not None:
            self._single_engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _connected(self, engine: Engine) -> Connection:
        return engine.connect() if self.path is not None else postgres.connected(engine)

    @contextmanager
    def _outcome_unknown(self) -> Iterator[None]:
        """What is done in here is stored, or not, where the connection is lost meanwhile."""
        try:
            yield
        except DBAPIError as error:
            if error.connection_invalidated:
                raise postgres.error_of_unknown_outcome(error, self.name) from error
            raise

    @contextmanager
    def _errors_for_people(self) -> Iterator[None]:
        """The database's own errors as errors of this package, which pages know how to show."""
        try:
            yield
        except IntegrityError as error:
            raise ConflictError(
                "Another user changed the same data at the same time, so nothing was stored. "
                "Reload and repeat your change."
            ) from error
        except PoolTimeoutError as error:
            raise ConflictError("Too many users are active; nothing was stored. Try again.") from error
        except DBAPIError as error:
            if self.path is None:
                raise postgres.postgres_error(error, self.name, self._busy_seconds) from error
            raise sqlite.sqlite_error(error, self.name, self._busy_seconds) from error
