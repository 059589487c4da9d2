"""Opening a database by its path or its address."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.files import error_in_words
from re2nn_core.store.engine import database, postgres, sqlite
from re2nn_core.store.engine.addresses import read_address
from re2nn_core.store.engine.database import Store
from re2nn_core.store.engine.migrate import prepare_schema


def open_store(address: str | Path | None = None) -> Store:
    """Open a database by its path or its address (sqlite:///..., postgresql://...), made where there is none.

    None: the one that RE2NN_DATABASE_URL names, or else the default file. DataFileError where it cannot be made.
    """
    where = read_address(address)
    if where.path is None:
        engine = postgres.postgres_engine(where.url, database.BUSY_SECONDS)
    else:
        try:
            where.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataFileError(
                f"The folder {where.folder} cannot be made: {error_in_words(error, where.folder)}"
            ) from error
        engine = sqlite.sqlite_engine(where.url, database.BUSY_SECONDS)
    store = Store(engine, where, database.BUSY_SECONDS)
    try:
        prepare_schema(store)
    except BaseException:
        store.close()
        raise
    return store
