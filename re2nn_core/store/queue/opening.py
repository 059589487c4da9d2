"""Laying the texts of a project out in an order, for as many people as should judge each. See leases.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.store.assignments import ANYBODY, close_seats, is_free, is_waiting
from re2nn_core.store.checks import check_person, now
from re2nn_core.store.engine.bulk_rows import insert_many
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import standing
from re2nn_core.store.log.events import append_event
from re2nn_core.store.project_rows import hold_project
from re2nn_core.store.queue.views import LEASE_SECONDS, Queue
from re2nn_core.store.queue_cursor import forget_all
from re2nn_core.store.schema import EventRow, QueueRow, SeatRow, TextRow

MOST_OVERLAP = 20
_SEAT = ("project_id", "text_id", "place", "assigned", "done", "closed")


class _Missing(NamedTuple):
    """A seat that a text still needs; `closed` where the text is decided, and that is not to be given out."""

    text_id: int
    place: int
    assigned: str
    closed: bool


def open_queue(  # noqa: PLR0913 - the settings of a queue, each by keyword
    store: Store,
    project_id: int,
    text_ids: Sequence[int],
    *,
    overlap: int = 1,
    blind: bool = False,
    lease_seconds: int = LEASE_SECONDS,
    share_with: Sequence[str] = (),
    with_decided: bool = False,
    laid: Mapping[str, str] | None = None,
    person: str = "",
) -> int:
    """Lay the texts out in this order, in place of the order there was; how many seats wait.

    What is judged or held now stays so. With `share_with` each text goes to `overlap` of these people in turns. What a
    reviewer has decided, or decides later, is assigned only `with_decided`. `laid` is kept in the log: how these texts
    and their order were chosen.
    """
    people = check_queue(overlap, lease_seconds, share_with)
    queue = Queue(overlap, blind, bool(people), lease_seconds, with_decided)
    with store.writing() as connection:
        hold_project(connection, project_id)
        _check_texts(connection, project_id, text_ids)
        of_project = SeatRow.project_id == project_id
        connection.execute(delete(SeatRow).where(of_project, is_waiting(now())))
        missing = _missing(connection, project_id, text_ids, queue, people)
        rows = [(project_id, seat.text_id, seat.place, seat.assigned, False, seat.closed) for seat in missing]
        insert_many(connection, SeatRow.__tablename__, _SEAT, rows)
        keep_queue(connection, project_id, queue)
        close_seats(connection, of_project)
        forget_all(connection, project_id)
        logged: dict[str, Any] = {
            "texts": len(text_ids),
            "overlap": overlap,
            "blind": blind,
            "lease_seconds": lease_seconds,
        }
        logged |= {"with_decided": True} if with_decided else {}
        logged |= {"laid": dict(laid)} if laid else {}
        append_event(connection, project_id, "queue", person=person, data={**logged, "share_with": list(people)})
    return sum(not seat.closed for seat in missing)


@dataclass(frozen=True)
class Planned:
    """What a queue would assign: ids of the `texts` that still need somebody, `seats` to fill, and how many of these
    are each person's, where they are shared out. `decided`: texts left out because a reviewer has decided them;
    `leaving`: texts that wait in the open queue and would be in it no more; `made`: its annotations, which stay."""

    texts: frozenset[int]
    seats: int
    by_person: dict[str, int]
    decided: int = 0
    leaving: int = 0
    made: int = 0


def plan_queue(
    store: Store,
    project_id: int,
    text_ids: Sequence[int],
    *,
    overlap: int = 1,
    lease_seconds: int = LEASE_SECONDS,
    share_with: Sequence[str] = (),
    with_decided: bool = False,
) -> Planned:
    """What `open_queue` would lay out, without doing it."""
    people = check_queue(overlap, lease_seconds, share_with)
    queue = Queue(overlap, lease_seconds=lease_seconds, with_decided=with_decided)
    with store.reading() as connection:
        _check_texts(connection, project_id, text_ids)
        seats = _missing(connection, project_id, text_ids, queue, people)
        waits = select(SeatRow.text_id).where(SeatRow.project_id == project_id, is_free(now())).distinct()
        leaving = {*connection.execute(waits).scalars()} - {*text_ids}
        done = select(func.count(SeatRow.id)).where(SeatRow.project_id == project_id, SeatRow.done)
        made = connection.execute(done).scalar_one()
    waiting = [seat for seat in seats if not seat.closed]
    shares = Counter(seat.assigned for seat in waiting if seat.assigned != ANYBODY)
    return Planned(
        frozenset(seat.text_id for seat in waiting),
        len(waiting),
        {person: shares[person] for person in people},
        len({seat.text_id for seat in seats if seat.closed}),
        len(leaving),
        made,
    )


def close_queue(store: Store, project_id: int, *, person: str = "") -> None:
    """Assign no more texts. Labels stay."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        connection.execute(delete(SeatRow).where(SeatRow.project_id == project_id))
        connection.execute(delete(QueueRow).where(QueueRow.project_id == project_id))
        forget_all(connection, project_id)
        append_event(connection, project_id, "queue", person=person, data={"closed": True})


def check_queue(overlap: int, lease_seconds: int, share_with: Sequence[str]) -> tuple[str, ...]:
    """The people, each once; InputError for settings that no queue can have."""
    if not 1 <= overlap <= MOST_OVERLAP:
        raise InputError(f"The overlap must be a whole number from 1 to {MOST_OVERLAP} (got {overlap}).")
    if not 10 <= lease_seconds <= 7 * 86_400:
        raise InputError(f"A lease lasts from 10 seconds to a week (got {lease_seconds} seconds).")
    people = tuple(dict.fromkeys(check_person(name) for name in share_with))
    if people and len(people) < overlap:
        raise InputError(
            f"{overlap} annotators are required for each text, but the queue names {len(people)}. "
            "Name more annotators, or lower the overlap."
        )
    return people


def _check_texts(connection: Connection, project_id: int, text_ids: Sequence[int]) -> None:
    own = set(connection.execute(select(TextRow.id).where(TextRow.project_id == project_id)).scalars())
    foreign = next((text_id for text_id in text_ids if text_id not in own), None)
    if foreign is not None:
        raise NotFoundError(f"There is no text with the id {foreign} in this project. Load the texts again.")


def _missing(
    connection: Connection, project_id: int, text_ids: Sequence[int], queue: Queue, people: Sequence[str]
) -> list[_Missing]:
    """The seats that are missing, in the texts' order."""
    taken, decided = _taken(connection, project_id), _decided(connection, project_id)
    if queue.with_decided:
        decided = frozenset()
    seats: list[_Missing] = []
    # Whose turn it is; decided texts take none, so that shares stay equal.
    turn = 0
    for place, text_id in enumerate(dict.fromkeys(text_ids)):
        closed = text_id in decided
        for assigned in _seats(turn, taken.get(text_id, frozenset()), queue.overlap, people):
            seats.append(_Missing(text_id, place, assigned, closed))
        turn += not closed
    return seats


def _decided(connection: Connection, project_id: int) -> frozenset[int]:
    """Ids of the texts that a reviewer has decided."""
    query = select(TextRow.id).where(TextRow.project_id == project_id, TextRow.decided)
    return frozenset(connection.execute(query).scalars())


def _taken(connection: Connection, project_id: int) -> dict[int, frozenset[str]]:
    """Who has annotated each text or holds it now."""
    annotated = standing(project_id).with_only_columns(EventRow.text_id, EventRow.person)
    held = select(SeatRow.text_id, SeatRow.holder).where(SeatRow.project_id == project_id, ~is_waiting(now()))
    people: dict[int, frozenset[str]] = {}
    for query in (annotated, held):
        for text_id, person in connection.execute(query):
            people[text_id] = people.get(text_id, frozenset()) | {person}
    return people


def _seats(first: int, taken: frozenset[str], overlap: int, people: Sequence[str]) -> list[str]:
    """To whom the seats that a text still needs are assigned; `first`: whose turn it is."""
    needed = max(0, overlap - len(taken))
    if not people:
        return [ANYBODY] * needed
    turn = [people[(first + step) % len(people)] for step in range(len(people))]
    return [person for person in turn if person not in taken][:needed]


def keep_queue(connection: Connection, project_id: int, queue: Queue) -> None:
    """Write how the texts are assigned from now on."""
    values = {
        "overlap": queue.overlap,
        "blind": queue.blind,
        "shared": queue.shared,
        "lease_seconds": queue.lease_seconds,
        "with_decided": queue.with_decided,
    }
    this = update(QueueRow).where(QueueRow.project_id == project_id).values(values)
    if not connection.execute(this).rowcount:
        connection.execute(insert(QueueRow).values(project_id=project_id, **values))
