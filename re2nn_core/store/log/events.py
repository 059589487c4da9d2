"""The log of all that is done: only ever added to, in the transaction of the change that an event tells of.

project             made, with its settings
rename, slot_case   a setting changed
texts               added: how many, from which position, and their digest (the texts themselves never change)
label               a text's label
skip, flag          a text that a person passes over, or that a reviewer has to look at
decide              a reviewer's label for a text
settle              a text's flags dealt with: given back, or labelled
undo                one of these five taken back
policy              which labels train
version             rules saved, whole
review              changes that a network learned accepted, rejected, edited or opened again
run, run_end        work asked for; how it ended
run_found           a run taken for lost is alive
queue, share        how texts are assigned, and to whom
delete              a project is gone, and its events with it
person              an account was made, changed or shut (never a secret)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from re2nn_core.store.checks import check_person, check_text, now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.project_rows import read_project
from re2nn_core.store.schema import EventRow, TextRow

# A reviewer deals with the flags of a text: those before it stand no more, as long as it is not taken back itself.
RESOLVE = "settle"
# What one person does to one text, and can take back.
ANNOTATION_EVENTS = ("label", "skip", "flag", RESOLVE)
# What a reviewer makes of them.
DECISION = "decide"
REVIEW_STATES = ("open", "accepted", "rejected", "edited")
_COLUMNS = EventRow.__table__
_INSERT_ONE = insert(EventRow).returning(_COLUMNS)
_INSERT_MANY = insert(EventRow).returning(_COLUMNS, sort_by_parameter_order=True)


@dataclass(frozen=True)
class Event:
    """One line of the log. `person` is empty where nobody was named; `text_id` where no single text was meant."""

    id: int
    kind: str
    person: str
    created_at: datetime
    text_id: int | None = None
    value: str | None = None
    data: dict[str, Any] | None = None
    undoes: int | None = None


def list_events(  # noqa: PLR0913 - filters, each by keyword
    store: Store,
    project_id: int,
    *,
    kinds: Sequence[str] = (),
    person: str | None = None,
    text_id: int | None = None,
    text_ids: Sequence[int] | None = None,
    number: int | None = None,
    search: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int | None = 100,
) -> tuple[Event, ...]:
    """The log of a project, the newest event in front; `before` is the id behind which the next page begins.

    `number` is a text's place, counted from 1; `search` a part of a text, in any case; `since` and `until` are the
    first moment and the one behind the last.
    """
    query = select(_COLUMNS).where(EventRow.project_id == project_id).order_by(EventRow.id.desc()).limit(limit)
    if text_ids is not None:
        query = query.where(EventRow.text_id.in_(list(text_ids)))
    if number is not None or search:
        meant = select(TextRow.id).where(TextRow.project_id == project_id)
        if number is not None:
            meant = meant.where(TextRow.position == number - 1)
        if search:
            meant = meant.where(TextRow.text.icontains(check_text(search, "the search"), autoescape=True))
        query = query.where(EventRow.text_id.in_(meant))
    if since is not None:
        query = query.where(EventRow.created_at >= since)
    if until is not None:
        query = query.where(EventRow.created_at < until)
    if kinds:
        query = query.where(EventRow.kind.in_(kinds))
    if person is not None:
        query = query.where(EventRow.person == person)
    if text_id is not None:
        query = query.where(EventRow.text_id == text_id)
    if before is not None:
        query = query.where(EventRow.id < before)
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(
            Event(row.id, row.kind, row.person, row.created_at, row.text_id, row.value, row.data, row.undoes)
            for row in connection.execute(query)
        )


def append_event(
    connection: Connection,
    project_id: int | None,
    kind: str,
    *,
    person: str = "",
    value: str | None = None,
    data: dict[str, Any] | None = None,
    moment: datetime | None = None,
) -> None:
    """Add an event about a project as a whole."""
    person = check_person(person) if person else ""
    logged = {"kind": kind, "value": value, "data": data, "person": person}
    connection.execute(insert(EventRow).values(project_id=project_id, created_at=moment or now(), **logged))


def append_annotations(
    connection: Connection, events: list[dict[str, Any]], person: str, *, batch: int | None = None
) -> list[Any]:
    """Add what one person did to texts as one action; the rows as they were written.

    Each of `events` has project_id, text_id, kind, value, and undoes where something is taken back. `batch`: the first
    event of the action that one more event belongs to.
    """
    moment = now()
    fixed = {"undoes": None, "data": None, "batch": batch}
    rows = [{**fixed, **event, "person": person, "created_at": moment} for event in events]
    first = connection.execute(_INSERT_ONE, rows[0]).one()
    if len(rows) == 1:
        return [first]
    others = [{**row, "batch": first.id} for row in rows[1:]]
    written = connection.execute(_INSERT_MANY, others)
    return [first, *written]


def people_in_log(store: Store, project_id: int | None = None) -> tuple[str, ...]:
    """Everybody whom the log of a project names, or (None) that of any project, by name."""
    query = select(EventRow.person).where(EventRow.person != "").distinct()
    with store.reading() as connection:
        if project_id is not None:
            read_project(connection, project_id)
            query = query.where(EventRow.project_id == project_id)
        return tuple(sorted(connection.execute(query).scalars()))
