"""Texts that still wait for somebody's annotation, and labels that are given to these alone.

Whoever gives many texts a label at once must not overwrite what others said of some of them a moment ago, nor take a
text out of the hands of somebody who reads it. So what is open is asked in the transaction that writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from re2nn_core.store.assignments import is_free, take_seats
from re2nn_core.store.checks import check_person, now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.flags import flagged_ids
from re2nn_core.store.labels import check_annotations, chunks, hold_texts, project_of, standing, write_labels
from re2nn_core.store.queue.views import read_queue
from re2nn_core.store.schema import EventRow, SeatRow, TextRow


@dataclass(frozen=True)
class OpenText:
    """A text that waits for its first annotation. `label`: the one that it came with."""

    id: int
    label: str | None


def open_texts(store: Store, project_id: int, person: str) -> dict[int, OpenText]:
    """By position: the texts that the queue still assigns (without a queue, those without a label), and that nobody
    has annotated, has flagged or holds now, but this person."""
    person = check_person(person)
    query = select(TextRow.position, TextRow.id, TextRow.label).where(TextRow.project_id == project_id)
    query = query.where(TextRow.annotator.is_(None)).order_by(TextRow.position)
    seat = select(SeatRow.text_id).where(SeatRow.project_id == project_id)
    free = or_(is_free(now()), SeatRow.holder == person)
    with store.reading() as connection:
        if read_queue(connection, project_id) is None:
            query = query.where(TextRow.label.is_(None))
        else:
            query = query.where(TextRow.id.in_(seat.where(~SeatRow.done, free)))
        rows = connection.execute(query).all()
        # A text for several people: one of them may have it in hand.
        held = seat.where(~SeatRow.done, SeatRow.holder != person, SeatRow.held_until >= now())
        away = flagged_ids(connection, project_id) | set(connection.execute(held).scalars())
    return {row.position: OpenText(row.id, row.label) for row in rows if row.id not in away}


def record_open_labels(
    store: Store, labels: Sequence[tuple[int, str]], person: str, *, how: str, first_only: bool = False
) -> tuple[int, ...]:
    """Give those of these texts their labels that wait for this person's annotation, as one action; their ids.

    Left out is what the person has annotated before, what is flagged, what has all the annotations it needs or is in
    other people's hands; and of texts that no queue assigns, what has a label. `first_only`: leave out as well what
    anybody has annotated, where more annotations are wanted.
    """
    person = check_person(person)
    if not labels:
        return ()
    with store.reading() as connection:
        project_id = project_of(connection, [text_id for text_id, _ in labels])
        checked = check_annotations(connection, project_id, labels)

    def write(connection: Connection) -> tuple[int, ...]:
        ids = [text_id for text_id, _ in checked]
        hold_texts(connection, ids)
        waiting = _waiting(connection, project_id, ids, person, first_only=first_only)
        kept = [(text_id, label) for text_id, label in checked if text_id in waiting]
        if kept:
            write_labels(connection, project_id, kept, person, how=how)
        for chunk in chunks([text_id for text_id, _ in kept]):
            take_seats(connection, chunk, person)
        return tuple(text_id for text_id, _ in kept)

    return store.quickly(write)


def _waiting(
    connection: Connection, project_id: int, ids: list[int], person: str, *, first_only: bool
) -> frozenset[int]:
    """Of these texts those that wait for an annotation of this person."""
    moment = now()
    annotated: set[int] = set()
    labelled: set[int] = set()
    open_seat: set[int] = set()
    seated: set[int] = set()
    mine: set[int] = set()
    for chunk in chunks(ids):
        by_people = select(TextRow.id).where(TextRow.id.in_(chunk), TextRow.annotator.is_not(None))
        annotated.update(connection.execute(by_people).scalars())
        with_label = select(TextRow.id).where(TextRow.id.in_(chunk), TextRow.label.is_not(None))
        labelled.update(connection.execute(with_label).scalars())
        own = standing(project_id).where(EventRow.text_id.in_(chunk), EventRow.person == person)
        mine.update(row.text_id for row in connection.execute(own))
        seats = select(SeatRow.text_id, SeatRow.holder, SeatRow.held_until, SeatRow.done, SeatRow.closed)
        for row in connection.execute(seats.where(SeatRow.text_id.in_(chunk))):
            seated.add(row.text_id)
            free = not row.closed and (row.holder is None or row.held_until is None or row.held_until < moment)
            if not row.done and (free or row.holder == person):
                open_seat.add(row.text_id)
    waiting = {text_id for text_id in ids if (text_id in open_seat if text_id in seated else text_id not in labelled)}
    if first_only:
        waiting -= annotated
    return frozenset(waiting - mine - flagged_ids(connection, project_id))
