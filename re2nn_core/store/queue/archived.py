"""A queue taken out of one store and put into another: how texts are given out, and every place in it.

Texts are named by their position. A place that is only held for a while is free in the copy. The queue comes from a
file that anybody may have written, so all of it is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, select

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.store.assignments import ANYBODY, close_seats
from re2nn_core.store.checks import check_person
from re2nn_core.store.engine.bulk_rows import insert_many
from re2nn_core.store.engine.database import Store
from re2nn_core.store.queue.opening import check_queue, keep_queue
from re2nn_core.store.queue.views import Queue, get_queue
from re2nn_core.store.replay.derived_tables import wrong_seats
from re2nn_core.store.schema import SeatRow, TextRow

_SEAT = ("project_id", "text_id", "place", "assigned", "holder", "done", "closed")
_AGAIN = "Export the project again."
# SQLite's and PostgreSQL's largest whole number of this kind.
_MOST_PLACE = 2**31 - 1


@dataclass(frozen=True)
class KeptSeat:
    """A place in a queue. `assigned` is empty where anybody may have it; `annotated_by` None where it waits."""

    position: int
    place: int
    assigned: str
    annotated_by: str | None


@dataclass(frozen=True)
class KeptQueue:
    """A queue by itself."""

    queue: Queue
    seats: tuple[KeptSeat, ...]


def read_kept_queue(store: Store, project_id: int) -> KeptQueue | None:
    """The queue of a project; None where there is none."""
    queue = get_queue(store, project_id)
    if queue is None:
        return None
    query = select(TextRow.position, SeatRow.place, SeatRow.assigned, SeatRow.holder, SeatRow.done)
    query = query.join(TextRow, TextRow.id == SeatRow.text_id).where(SeatRow.project_id == project_id)
    with store.reading() as connection:
        rows = connection.execute(query.order_by(SeatRow.id))
        seats = (KeptSeat(row.position, row.place, row.assigned, row.holder if row.done else None) for row in rows)
        return KeptQueue(queue, tuple(seats))


def queue_lines(kept: KeptQueue) -> Iterator[Any]:
    """A queue as plain JSON: its settings, then each place."""
    yield asdict(kept.queue)
    for seat in kept.seats:
        yield [seat.position, seat.place, seat.assigned, seat.annotated_by]


def queue_from_lines(lines: Iterable[Any]) -> KeptQueue:
    """A queue as it was read from a file; DataFileError where it cannot be one."""
    first, *others = [*lines] or [None]
    return KeptQueue(_queue(first), tuple(_seat(line, number) for number, line in enumerate(others, start=2)))


def _queue(line: Any) -> Queue:
    kinds = {"overlap": int, "blind": bool, "shared": bool, "lease_seconds": int, "with_decided": bool}
    if not isinstance(line, dict) or {key: type(value) for key, value in line.items()} != kinds:
        raise DataFileError(f"The queue has other settings than expected: {line!r}. {_AGAIN}")
    return Queue(**line)


def _seat(line: Any, number: int) -> KeptSeat:
    match line:
        case [int(position), int(place), str(assigned), str() | None as annotated_by] if 0 <= place <= _MOST_PLACE:
            return KeptSeat(position, place, assigned, annotated_by)
    raise DataFileError(f"Line {number} of the queue cannot be {line!r}. {_AGAIN}")


def check_kept_queue(kept: KeptQueue, texts: int) -> None:
    """InputError for a queue that cannot be one of so many texts."""
    check_queue(kept.queue.overlap, kept.queue.lease_seconds, ())
    annotated: set[tuple[int, str]] = set()
    for seat in kept.seats:
        where = f"a place of text {seat.position} in the queue"
        if not 0 <= seat.position < texts:
            raise InputError(f"The queue has text {seat.position}, which does not exist. {_AGAIN}")
        if seat.assigned != ANYBODY:
            check_person(seat.assigned, f"the annotator of {where}")
        if seat.annotated_by is None:
            continue
        check_person(seat.annotated_by, f"the annotator of {where}")
        if (seat.position, seat.annotated_by) in annotated:
            raise InputError(f"In the queue {seat.annotated_by} has text {seat.position} twice. {_AGAIN}")
        annotated.add((seat.position, seat.annotated_by))


def write_kept_queue(connection: Connection, project_id: int, kept: KeptQueue) -> None:
    """The rows of a checked queue, behind the history of its project. InputError where these two do not agree."""
    texts = select(TextRow.position, TextRow.id).where(TextRow.project_id == project_id)
    text_ids = dict(connection.execute(texts).tuples().all())
    rows = [
        (project_id, text_ids[seat.position], seat.place, seat.assigned, by, by is not None, False)
        for seat in kept.seats
        for by in (seat.annotated_by,)
    ]
    insert_many(connection, SeatRow.__tablename__, _SEAT, rows)
    keep_queue(connection, project_id, kept.queue)
    close_seats(connection, SeatRow.project_id == project_id)
    if wrong := wrong_seats(connection, project_id):
        raise InputError(f"{len(wrong):,} places of the queue refer to annotations that do not exist. {_AGAIN}")
