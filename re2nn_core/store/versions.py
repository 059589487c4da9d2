"""Versions of a project's rules: saved one after the other, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from re2nn_core.errors import ConflictError, NotFoundError
from re2nn_core.store.checks import check_person, check_text, now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import append_event
from re2nn_core.store.project_rows import hold_project, read_project
from re2nn_core.store.records import RuleVersion
from re2nn_core.store.schema import RuleVersionRow

_COLUMNS = RuleVersionRow.__table__
# What the log tells of a version besides its author and its number.
LOGGED = ("rules_text", "logic_text", "sentences_text", "message")


def save_version(
    store: Store,
    project_id: int,
    *,
    rules_text: str,
    logic_text: str,
    author: str,
    message: str = "",
    expected_number: int | None,
    sentences_text: str | None = None,
) -> RuleVersion:
    """Save rules and logic as the next version. `sentences_text` None keeps the sentences of the newest one.

    `expected_number` is the version that was edited: where somebody has saved a newer one since, this raises
    ConflictError and saves nothing. None saves without that check.
    """
    version = check_version(rules_text, logic_text, author, message, sentences_text or "")
    with store.writing() as connection:
        hold_project(connection, project_id)
        newest = _newest(connection, project_id)
        if expected_number is not None and newest.number != expected_number:
            raise _edited_since(newest, expected_number)
        if sentences_text is None:
            version["sentences_text"] = newest.sentences_text
        insert_version(connection, project_id, newest.number + 1, version)
        return _newest(connection, project_id)


def latest_version(store: Store, project_id: int) -> RuleVersion:
    with store.reading() as connection:
        read_project(connection, project_id)
        return _newest(connection, project_id)


def get_version(store: Store, version_id: int) -> RuleVersion:
    """The version with this id, as a run names it. NotFoundError where there is none."""
    with store.reading() as connection:
        row = connection.execute(select(_COLUMNS).where(RuleVersionRow.id == version_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no rule version with the id {version_id}; its project may be deleted.")
    return _version(row)


def version_by_number(store: Store, project_id: int, number: int) -> RuleVersion:
    """Version `number` of a project, as people count them. NotFoundError where there is none."""
    with store.reading() as connection:
        read_project(connection, project_id)
        query = select(_COLUMNS).where(RuleVersionRow.project_id == project_id, RuleVersionRow.number == number)
        row = connection.execute(query).one_or_none()
        if row is None:
            newest = _newest(connection, project_id).number
            raise NotFoundError(f"There are no rules v{number}; this project has v1 to v{newest}.")
    return _version(row)


def list_versions(store: Store, project_id: int) -> tuple[RuleVersion, ...]:
    """All versions of a project, the newest in front."""
    query = select(_COLUMNS).where(RuleVersionRow.project_id == project_id).order_by(RuleVersionRow.number.desc())
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(_version(row) for row in connection.execute(query))


def check_version(
    rules_text: str, logic_text: str, author: str, message: str, sentences_text: str = ""
) -> dict[str, Any]:
    """What a version holds, as it will be stored; InputError for what cannot be."""
    return {
        "rules_text": check_text(rules_text, "the rules"),
        "logic_text": check_text(logic_text, "the label logic"),
        "sentences_text": check_text(sentences_text, "the rules' sentences"),
        "author": check_person(author, "the author's name"),
        "message": check_text(message, "the message").strip(),
    }


def as_logged(data: Mapping[str, Any]) -> dict[str, Any]:
    """What an event says of its version; those from before there were sentences have none."""
    return {key: data.get(key, "") if key == "sentences_text" else data[key] for key in LOGGED}


def insert_version(
    connection: Connection, project_id: int, number: int, version: dict[str, Any], moment: datetime | None = None
) -> None:
    moment = moment or now()
    connection.execute(
        insert(RuleVersionRow).values(project_id=project_id, number=number, created_at=moment, **version)
    )
    logged = {"number": number, **{key: version[key] for key in LOGGED}}
    append_event(connection, project_id, "version", person=version["author"], data=logged, moment=moment)


def _newest(connection: Connection, project_id: int) -> RuleVersion:
    query = select(_COLUMNS).where(RuleVersionRow.project_id == project_id).order_by(RuleVersionRow.number.desc())
    return _version(connection.execute(query.limit(1)).one())


def _edited_since(newest: RuleVersion, expected: int) -> ConflictError:
    moment = newest.created_at.strftime("%Y-%m-%d %H:%M UTC")
    if newest.number < expected:
        return ConflictError(
            f"Your edit started from rules v{expected}, but the newest are v{newest.number}. Load the rules again."
        )
    return ConflictError(
        f"{newest.author} saved rules v{newest.number} on {moment}, after you opened rules v{expected}. "
        f"Nothing was saved. Compare your edit with rules v{newest.number}, then save again on top of it."
    )


def _version(row: Row[Any]) -> RuleVersion:
    return RuleVersion(**row._mapping)
