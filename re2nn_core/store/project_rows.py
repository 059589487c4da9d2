"""The project's own row: read, held against other writers, marked as changed. For this package alone."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Connection, Row, Select, func, select

from re2nn_core.errors import NotFoundError
from re2nn_core.store.records import ProjectRecord
from re2nn_core.store.schema import EventRow, ProjectRow
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization, TokenizerKind

# What people decide about changes of rules that a network learned.
REVIEW = "review"


def project_from_row(row: Row[Any]) -> ProjectRecord:
    return ProjectRecord(
        id=row.id,
        name=row.name,
        task=Task(row.task),
        description=row.description,
        tokenization=Tokenization(cast(TokenizerKind, row.tokenizer), row.lowercase),
        sample=row.sample,
        created_at=row.created_at,
        updated_at=row.changed_at,
        ignore_slot_case=row.ignore_slot_case,
        policy=row.policy,
    )


def projects_query() -> Select[Any]:
    """Projects, each with the moment of its newest event as `changed_at`, but for decisions about changes of rules:
    they leave its texts, labels and rules as they are, and what is kept of these as long as nothing changes is large.

    Read from the log, so that people who label do not all write one row.
    """
    changes = (EventRow.project_id == ProjectRow.id, EventRow.kind != REVIEW)
    newest = select(EventRow.created_at).where(*changes).order_by(EventRow.id.desc())
    changed = func.coalesce(newest.limit(1).scalar_subquery(), ProjectRow.updated_at)
    return select(ProjectRow.__table__, changed.label("changed_at"))


def read_project(connection: Connection, project_id: int) -> ProjectRecord:
    row = connection.execute(projects_query().where(ProjectRow.id == project_id)).one_or_none()
    if row is None:
        raise no_such_project(project_id)
    return project_from_row(row)


def hold_project(connection: Connection, project_id: int) -> None:
    """Keep every other writer of this project waiting until the transaction ends.

    In SQLite the writing transaction does so already; the clause is for databases that lock by row.
    """
    # NO KEY: rows that only refer to the project may be written meanwhile.
    query = select(ProjectRow.id).where(ProjectRow.id == project_id).with_for_update(key_share=True)
    if connection.execute(query).one_or_none() is None:
        raise no_such_project(project_id)


def no_such_project(project_id: int) -> NotFoundError:
    return NotFoundError(f"There is no project {project_id}; it may have been deleted. Go back to the projects.")
