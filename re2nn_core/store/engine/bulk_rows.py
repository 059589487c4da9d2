"""Many rows at once: prepared once and stepped through on SQLite, COPY on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

One = TypeVar("One")


def batched(values: Iterable[One], size: int) -> Iterator[list[One]]:
    """The values in lists of `size`, the last one shorter."""
    rest = iter(values)
    while piece := list(islice(rest, size)):
        yield piece


def insert_many(connection: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of plain values. `table` and `columns` are names from the schema, never what a user wrote."""
    if not rows:
        return
    names = ", ".join(f'"{column}"' for column in columns)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(columns))
        connection.exec_driver_sql(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', [tuple(row) for row in rows])
        return
    statement = f'COPY "{table}" ({names}) FROM STDIN'
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as error:
        # As SQLAlchemy, which knows nothing of COPY, would have raised it.
        raise DBAPIError(statement, None, error) from error
