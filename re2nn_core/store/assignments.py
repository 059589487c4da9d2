"""Seats: the annotations that texts wait for. What a label, an undo or a lease does to them. For this package alone.

A seat is free (no holder, or `held_until` is over), held, or done. Its holder stays named when the time is over, until
somebody else takes it: who comes back late and finds the seat free still has it. All seats of a text are closed while
it is decided, unless the queue gives out decided texts too: a closed seat goes to nobody, and who holds it may still
save.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, bindparam, func, not_, or_, select, update
from sqlalchemy.orm import aliased

from re2nn_core.store.checks import now
from re2nn_core.store.engine.bulk_rows import batched
from re2nn_core.store.queue_cursor import begin_again, nothing_in_the_way, within_reach
from re2nn_core.store.schema import EventRow, QueueRow, SeatRow, TextRow

ANYBODY = ""
_PIECE = 500
_SEAT: Table = SeatRow.metadata.tables[SeatRow.__tablename__]


def is_waiting(moment: Any) -> Any:
    """Not done, and held by nobody any more."""
    return and_(~_SEAT.c.done, or_(_SEAT.c.held_until.is_(None), _SEAT.c.held_until < moment))


def is_free(moment: Any) -> Any:
    """Not done, held by nobody any more, and not closed: somebody may have it."""
    return and_(is_waiting(moment), ~_SEAT.c.closed)


def should_be_closed() -> Any:
    """Whether the text of a seat is adjudicated, and its queue assigns no such texts."""
    decided = select(TextRow.id).where(TextRow.id == _SEAT.c.text_id, TextRow.decided).correlate(_SEAT).exists()
    open_to_all = select(QueueRow.project_id).where(QueueRow.project_id == _SEAT.c.project_id, QueueRow.with_decided)
    return and_(decided, ~open_to_all.correlate(_SEAT).exists())


def close_seats(connection: Connection, *which: Any) -> int:
    """Close the seats of decided texts, and open those of texts that are decided no more; how many changed."""
    wrong = update(_SEAT).where(*which, _SEAT.c.closed != should_be_closed())
    return connection.execute(wrong.values(closed=not_(_SEAT.c.closed))).rowcount


def _no_other_seat() -> Any:
    """The person has no seat of the text but this one."""
    other = _SEAT.alias("other")
    mine = and_(other.c.text_id == _SEAT.c.text_id, other.c.holder == bindparam("of_person"))
    return ~select(other.c.id).where(mine, other.c.id != _SEAT.c.id).correlate(_SEAT).exists()


def _lease() -> Any:
    free = (
        select(_SEAT.c.id)
        .where(within_reach(), is_free(bindparam("moment")))
        .where(_no_other_seat(), nothing_in_the_way(bindparam("of_person")))
        .order_by(_SEAT.c.place, _SEAT.c.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=_SEAT)
    )
    held: dict[str, Any] = {"holder": bindparam("of_person"), "held_until": bindparam("until")}
    return update(_SEAT).where(_SEAT.c.id == free.scalar_subquery()).values(held).returning(_SEAT.c.text_id)


def _finish(*which: Any) -> Any:
    return update(_SEAT).where(*which).values(done=True, held_until=None, holder=bindparam("of_person"))


def _first_free() -> Any:
    among = _SEAT.c.text_id.in_(bindparam("of_texts", expanding=True))
    first = select(func.min(_SEAT.c.id)).where(among, is_free(bindparam("moment")), _no_other_seat())
    return first.group_by(_SEAT.c.text_id).scalar_subquery()


# Made once: putting such a statement together takes longer than running it.
_LEASE = _lease()
_OWN = _SEAT.c.holder == bindparam("of_person")
_FINISH_ONE = _finish(_SEAT.c.text_id == bindparam("of_text"), _OWN)
_FINISH_OWN = _finish(_SEAT.c.text_id.in_(bindparam("of_texts", expanding=True)), _OWN)
_FINISH_FREE = _finish(_SEAT.c.id.in_(_first_free()))


def take_seats(connection: Connection, text_ids: Sequence[int], person: str) -> None:
    """Mark one seat of each of these texts as done by this person, as far as there is one to have."""
    which = {"of_texts": list(text_ids), "of_person": person}
    connection.execute(_FINISH_OWN, which)
    connection.execute(_FINISH_FREE, {**which, "moment": now()})


def finish_own_seat(connection: Connection, text_id: int, person: str) -> bool:
    """Mark the seat of this person as done; False where they have none of this text."""
    return bool(connection.execute(_FINISH_ONE, {"of_text": text_id, "of_person": person}).rowcount)


def lease_seat(
    connection: Connection, project_id: int, person: str, assigned: str, moment: datetime, until: datetime
) -> int | None:
    """Hold the first free seat that this person may have, in one statement, so that nobody can come between; its text.

    Rows that somebody else is about to take are stepped over, in databases that lock by row.
    """
    which = {"of_project": project_id, "of_person": person, "of_assigned": assigned, "moment": moment, "until": until}
    text_id = connection.execute(_LEASE, which).scalar_one_or_none()
    if text_id is None and begin_again(connection, project_id, person, assigned):
        text_id = connection.execute(_LEASE, which).scalar_one_or_none()
    return text_id


def give_back_seats(connection: Connection, project_id: int, person: str, text_ids: Sequence[int]) -> None:
    """Open the seats of texts of which this person's annotation was taken back; one text alone stays theirs for a
    while, so that they can judge it anew."""
    until = held_until(connection, project_id)
    if until is None:
        return
    open_again = [text_id for text_id in text_ids if not _has_annotated(connection, text_id, person)]
    alone = len(open_again) == 1
    holds = {"holder": person, "held_until": until} if alone else {"holder": None, "held_until": None}
    for piece in batched(open_again, _PIECE):
        seats = update(SeatRow).where(SeatRow.text_id.in_(piece), SeatRow.holder == person, SeatRow.done)
        connection.execute(seats.values(done=False, **holds))
    if alone:
        hold_text(connection, open_again[0], person, until)


def free_seats_of(connection: Connection, person: str) -> int:
    """Let go whatever this person holds, in all projects; how many seats these were."""
    held = select(_SEAT.c.id).where(_SEAT.c.holder == person, ~_SEAT.c.done).order_by(_SEAT.c.id).with_for_update()
    seats = list(connection.execute(held).scalars())
    for piece in batched(seats, _PIECE):
        connection.execute(update(_SEAT).where(_SEAT.c.id.in_(piece)).values(holder=None, held_until=None))
    return len(seats)


def hold_text(connection: Connection, text_id: int, person: str, until: datetime) -> None:
    """Hold a free seat of one text, where there is one and the person has none of it yet."""
    other = aliased(SeatRow)
    has_one = select(other.id).where(other.text_id == text_id, other.holder == person, other.id != SeatRow.id).exists()
    free = select(SeatRow.id).where(SeatRow.text_id == text_id, is_free(now()), ~has_one)
    free = free.where(SeatRow.assigned.in_((ANYBODY, person)))
    seat = free.order_by(SeatRow.id).limit(1).with_for_update(skip_locked=True).scalar_subquery()
    connection.execute(update(SeatRow).where(SeatRow.id == seat).values(holder=person, held_until=until))


def let_go(connection: Connection, *which: Any) -> None:
    """Let nobody hold these seats any more, as far as they are not done."""
    connection.execute(update(SeatRow).where(*which, ~SeatRow.done).values(holder=None, held_until=None))


def held_until(connection: Connection, project_id: int) -> datetime | None:
    """When a lease that begins now ends; None where the project has no queue."""
    query = select(QueueRow.lease_seconds).where(QueueRow.project_id == project_id)
    seconds = connection.execute(query).scalar_one_or_none()
    return None if seconds is None else now() + timedelta(seconds=seconds)


def seats_of_text(connection: Connection, text_id: int) -> Sequence[Row[Any]]:
    query = select(SeatRow.__table__).where(SeatRow.text_id == text_id).order_by(SeatRow.id)
    return connection.execute(query).all()


def _has_annotated(connection: Connection, text_id: int, person: str) -> bool:
    undo = aliased(EventRow)
    taken_back = select(undo.id).where(undo.undoes == EventRow.id).exists()
    query = select(EventRow.id).where(EventRow.text_id == text_id, EventRow.person == person)
    return connection.execute(query.where(EventRow.kind == "label", ~taken_back).limit(1)).first() is not None
