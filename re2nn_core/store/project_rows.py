"""The project's own row: read, held against other writers, marked as changed. For this package alone."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Connection, Row, select, update

from re2nn_core.errors import NotFoundError
from re2nn_core.store.checks import now
from re2nn_core.store.records import ProjectRecord
from re2nn_core.store.schema import ProjectRow
from re2nn_core.text.tokenization import Tokenization, TokenizerKind


def project_from_row(row: Row[Any]) -> ProjectRecord:
    return ProjectRecord(
        id=row.id,
        name=row.name,
        task=row.task,
        description=row.description,
        tokenization=Tokenization(cast(TokenizerKind, row.tokenizer), row.lowercase),
        sample=row.sample,
        created_at=row.created_at,
        updated_at=row.updated_at,
        ignore_slot_case=row.ignore_slot_case,
    )


def read_project(connection: Connection, project_id: int) -> ProjectRecord:
    row = connection.execute(select(ProjectRow.__table__).where(ProjectRow.id == project_id)).one_or_none()
    if row is None:
        raise no_such_project(project_id)
    return project_from_row(row)


def hold_project(connection: Connection, project_id: int) -> None:
    """Keep every other writer of this project waiting until the transaction ends.

    In SQLite the writing transaction does so already; the clause is for databases that lock by row.
    """
    query = select(ProjectRow.id).where(ProjectRow.id == project_id).with_for_update()
    if connection.execute(query).one_or_none() is None:
        raise no_such_project(project_id)


def touch_project(connection: Connection, project_id: int) -> None:
    """Note that the project changed now."""
    connection.execute(update(ProjectRow).where(ProjectRow.id == project_id).values(updated_at=now()))


def no_such_project(project_id: int) -> NotFoundError:
    return NotFoundError(f"There is no project {project_id}; it may have been deleted. Go back to the projects.")
