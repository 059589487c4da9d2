"""Making the tables, or bringing those of an older version up to date: Alembic with the files in `migrations`.

A new database gets all tables at once; a test holds that this is what the migrations come to.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text

from re2nn_core.errors import DataFileError
from re2nn_core.store.engine import database
from re2nn_core.store.engine.database import Store
from re2nn_core.store.engine.postgres import check_encoding, hold_tables
from re2nn_core.store.engine.sqlite import switch_to_wal
from re2nn_core.store.schema import SCHEMA_VERSION, Base, SchemaVersionRow

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
# Alembic's own table. Versions 1 and 2 were written without it and say their number in schema_version alone.
_STAMP = "alembic_version"


def prepare_schema(store: Store) -> None:
    """Check the schema's version, make the tables in a database that is empty, upgrade those of an older one."""
    with store.reading() as connection:
        version = check_schema_version(connection, store.name)
    if store.path is not None:
        switch_to_wal(store.path, database.BUSY_SECONDS)
    elif version is None:
        with store.reading() as connection:
            check_encoding(connection, store.name)
    if version == SCHEMA_VERSION:
        return
    with store.writing() as connection:
        if store.path is None:
            hold_tables(connection)
        # Looked at again: another process may have made the tables since, perhaps newer ones.
        version = check_schema_version(connection, store.name)
        if version is None:
            Base.metadata.create_all(connection)
            connection.execute(insert(SchemaVersionRow).values(version=SCHEMA_VERSION))
            _stamp(connection, SCHEMA_VERSION)
        elif version < SCHEMA_VERSION:
            _stamp(connection, version)
            upgrade(connection)


def check_schema_version(connection: Connection, name: str) -> int | None:
    """The version of a database, None of an empty one; refuses a newer one, and one of another program.
    DataFileError."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if SchemaVersionRow.__tablename__ not in tables:
        raise DataFileError(f"{name} is a database of another program. Name another one.")
    version = connection.execute(select(SchemaVersionRow.version)).scalar()
    if version is None:
        raise DataFileError(f"{name} names no schema version, so it is damaged. Restore it from a copy.")
    if version > SCHEMA_VERSION:
        raise DataFileError(
            f"{name} was written by a newer version of this program (schema {version}; this one reads up to "
            f"{SCHEMA_VERSION}). Install the newer version, or name another file."
        )
    return version


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations that the database has not seen, in the transaction that is open."""
    # Loaded only where there is something to mend.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    # A per cent sign in a path is no sign of that file format.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, to)


def _stamp(connection: Connection, version: int) -> None:
    """Tell Alembic where the database stands, unless it knows."""
    if _STAMP in inspect(connection).get_table_names():
        return
    connection.execute(text(f"CREATE TABLE {_STAMP} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text(f"INSERT INTO {_STAMP} (version_num) VALUES (:version)"), {"version": str(version)})
