"""What a queue is, and how far it is: everything about it that only reads. See leases.py."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, func, select
from sqlalchemy.orm import aliased

from re2nn_core.store.assignments import is_free
from re2nn_core.store.checks import now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import standing
from re2nn_core.store.project_rows import read_project
from re2nn_core.store.queue_cursor import is_resolved
from re2nn_core.store.records import TextRecord
from re2nn_core.store.schema import EventRow, ProjectRow, QueueRow, SeatRow, TextRow
from re2nn_core.store.texts import read_text

LEASE_SECONDS = 600


@dataclass(frozen=True)
class Queue:
    """How texts are assigned: `overlap` people judge each, `blind` without seeing what others said; `shared`: some
    are one person's alone; a lease lasts `lease_seconds`; `with_decided`: adjudicated texts are assigned too."""

    overlap: int = 1
    blind: bool = False
    shared: bool = False
    lease_seconds: int = LEASE_SECONDS
    with_decided: bool = False


@dataclass(frozen=True)
class Lease:
    """A text that is one person's until `held_until`."""

    text: TextRecord
    person: str
    held_until: datetime


@dataclass(frozen=True)
class QueueCounts:
    """Seats of a queue: judged, at work, waiting; texts that were flagged; `second`: texts that somebody has annotated
    and that wait for more annotations. A seat that a decision closed waits for nobody."""

    done: int
    held: int
    waiting: int
    flagged: int
    second: int = 0


def get_queue(store: Store, project_id: int) -> Queue | None:
    """How the project's texts are assigned; None where no queue was opened. NotFoundError where there is no such
    project."""
    with store.reading() as connection:
        queue = read_queue(connection, project_id)
        if queue is None:
            read_project(connection, project_id)
        return queue


def leases_of(store: Store, project_id: int, person: str) -> tuple[Lease, ...]:
    """The texts that are this person's now, as after a reload of the page; those taken first in front."""
    query = select(TextRow.__table__, SeatRow.held_until).join(SeatRow, SeatRow.text_id == TextRow.id)
    query = query.where(SeatRow.project_id == project_id, SeatRow.holder == person, ~SeatRow.done)
    query = query.where(SeatRow.held_until >= now()).order_by(SeatRow.held_until, SeatRow.id)
    with store.reading() as connection:
        queue = read_queue(connection, project_id) or Queue()
        return tuple(
            Lease(shown_to(TextRecord(*row[:-1]), person, queue.blind), person, row.held_until)
            for row in connection.execute(query)
        )


def flagged_texts(store: Store, project_id: int) -> tuple[tuple[TextRecord, str, str], ...]:
    """Flagged texts, each with who did it and the note, the newest in front. What a reviewer has decided is
    none of them any more."""
    flags = standing(project_id, ("flag",)).subquery()
    query = select(TextRow.__table__, flags.c.person, flags.c.value).join(flags, flags.c.text_id == TextRow.id)
    query = query.where(~TextRow.decided)
    with store.reading() as connection:
        rows = connection.execute(query.order_by(flags.c.id.desc()))
        return tuple((TextRecord(*row[:-2]), row[-2], row[-1] or "") for row in rows)


def count_queue(store: Store, project_id: int) -> QueueCounts:
    """How far the queue is."""
    of_project = SeatRow.project_id == project_id
    moment = now()
    held = ~SeatRow.done & (SeatRow.held_until >= moment)
    # In one walk over the seats: with a hundred thousand of them each further one is felt.
    seats = select(
        func.count(case((SeatRow.done, 1))), func.count(case((held, 1))), func.count(case((is_free(moment), 1)))
    ).where(of_project)
    with store.reading() as connection:
        done, at_work, waiting = connection.execute(seats).one()
        queue = read_queue(connection, project_id)
        flags = standing(project_id, ("flag",)).subquery()
        flag = select(func.count(flags.c.text_id.distinct())).join(TextRow, TextRow.id == flags.c.text_id)
        flagged = connection.execute(flag.where(~TextRow.decided)).scalar_one()
        second = 0
        if queue is not None and queue.overlap > 1:
            first = aliased(SeatRow)
            has_one = select(first.id).where(first.text_id == SeatRow.text_id, first.done).exists()
            more = select(func.count(SeatRow.text_id.distinct())).where(of_project, ~SeatRow.done, ~SeatRow.closed)
            second = connection.execute(more.where(has_one)).scalar_one()
    return QueueCounts(done, at_work, waiting, flagged, second)


def waiting_for(store: Store, project_id: int) -> dict[str, int]:
    """For whom annotations wait that nobody has in hand: person -> how many; under "" those that anybody may give. What
    is flagged waits for a reviewer and is left out."""
    flags = standing(project_id, ("flag",)).subquery()
    query = select(SeatRow.assigned, func.count(SeatRow.id)).where(SeatRow.project_id == project_id, is_free(now()))
    query = query.where(SeatRow.text_id.not_in(select(flags.c.text_id))).group_by(SeatRow.assigned)
    with store.reading() as connection:
        read_project(connection, project_id)
        return {assigned: int(count) for assigned, count in connection.execute(query.order_by(SeatRow.assigned))}


def waiting_everywhere(store: Store, person: str) -> tuple[tuple[str, int], ...]:
    """What is shared out to one person and not annotated yet, in their hands or not: each project that has such texts,
    by name, and how many."""
    undo = aliased(EventRow)
    taken_back = select(undo.id).where(undo.undoes == EventRow.id).correlate(EventRow).exists()
    flag = EventRow.text_id == SeatRow.text_id, EventRow.kind == "flag", ~taken_back, ~is_resolved()
    flagged = select(EventRow.id).where(*flag).correlate(SeatRow).exists()
    query = select(ProjectRow.name, func.count(SeatRow.id)).join(SeatRow, SeatRow.project_id == ProjectRow.id)
    query = query.where(SeatRow.assigned == person, ~SeatRow.done, ~SeatRow.closed, ~flagged)
    with store.reading() as connection:
        rows = connection.execute(query.group_by(ProjectRow.id, ProjectRow.name).order_by(ProjectRow.name))
        return tuple((name, int(count)) for name, count in rows)


def queue_texts(store: Store, project_id: int) -> frozenset[int]:
    """Ids of the texts that have a place in the queue, judged ones too."""
    query = select(SeatRow.text_id).where(SeatRow.project_id == project_id).distinct()
    with store.reading() as connection:
        read_project(connection, project_id)
        return frozenset(connection.execute(query).scalars())


def left_for(store: Store, text_id: int) -> tuple[str, ...]:
    """Who may still judge a text, by its open places: names, and "" where anybody may."""
    query = select(SeatRow.assigned).where(SeatRow.text_id == text_id, ~SeatRow.done).distinct()
    with store.reading() as connection:
        read_text(connection, text_id)
        return tuple(connection.execute(query.order_by(SeatRow.assigned)).scalars())


def given_annotations(store: Store, project_id: int) -> dict[int, dict[str, str]]:
    """For each text what each person said of it last and did not take back: text id -> person -> label."""
    query = standing(project_id).with_only_columns(EventRow.text_id, EventRow.person, EventRow.value)
    found: dict[int, dict[str, str]] = {}
    with store.reading() as connection:
        read_project(connection, project_id)
        for row in connection.execute(query.order_by(EventRow.id)):
            found.setdefault(int(row.text_id), {})[row.person] = str(row.value)
    return found


def same_texts(store: Store, text_id: int) -> tuple[int, ...]:
    """Ids of all texts of the project that are word for word this one, itself included, in their order."""
    with store.reading() as connection:
        text = read_text(connection, text_id)
        query = select(TextRow.id).where(TextRow.project_id == text.project_id, TextRow.text == text.text)
        return tuple(connection.execute(query.order_by(TextRow.position)).scalars())


def read_queue(connection: Connection, project_id: int) -> Queue | None:
    row = connection.execute(select(QueueRow.__table__).where(QueueRow.project_id == project_id)).one_or_none()
    return None if row is None else queue_of(row)


def queue_of(row: Any) -> Queue:
    """The queue of a row that holds its columns."""
    return Queue(row.overlap, row.blind, row.shared, row.lease_seconds, row.with_decided)


def shown_to(text: TextRecord, person: str, blind: bool) -> TextRecord:
    """The text as this person may see it: in a blind queue without what others said, and without the label that it
    came with, which is somebody's too."""
    if not blind:
        return text
    own = text.annotator == person
    return replace(text, gold=None, label=text.label if own else None, annotator=person if own else None)
