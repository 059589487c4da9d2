"""The queue of a project: who judges which text next, so that nobody gets what somebody else has.

`open_queue` (opening.py) lays the texts out in an order, each with as many seats as people should judge it.
`lease_next` gives a person the first text that is theirs to have, for a limited time; `save`, `skip` and `flag` end
that and give the next one in the same transaction. See store/assignments.py for what becomes of a seat.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import IntegrityError

from re2nn_core.errors import ConflictError, InputError, LeaseLostError, NotFoundError
from re2nn_core.store.assignments import ANYBODY, finish_own_seat, lease_seat, let_go, seats_of_text, take_seats
from re2nn_core.store.checks import check_label, check_person, check_text, now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import check_annotation, event_of, hold_texts, project_of, write_labels
from re2nn_core.store.log.events import append_annotations
from re2nn_core.store.queue.save_and_lease import save_and_lease
from re2nn_core.store.queue.views import Lease, Queue, get_queue, queue_of, read_queue, shown_to
from re2nn_core.store.queue_cursor import is_time, move_on
from re2nn_core.store.records import LabelEvent
from re2nn_core.store.schema import ProjectRow, QueueRow, SeatRow, TextRow
from re2nn_core.store.texts import read_text
from re2nn_core.text.tokenization import Tokenization

_TRIES = 5
_TEXT_AND_QUEUE = (
    select(TextRow.project_id, TextRow.text, ProjectRow.task, ProjectRow.tokenizer, ProjectRow.lowercase)
    .add_columns(QueueRow.overlap, QueueRow.blind, QueueRow.shared, QueueRow.lease_seconds, QueueRow.with_decided)
    .join(ProjectRow, ProjectRow.id == TextRow.project_id)
    .outerjoin(QueueRow, QueueRow.project_id == TextRow.project_id)
    .where(TextRow.id == bindparam("of_text"))
)
Annotation = TypeVar("Annotation")


def lease_next(store: Store, project_id: int, person: str) -> Lease | None:
    """The next text for this person; None where nothing is left for them."""
    person = check_person(person)
    queue = _open_queue_of(store, project_id)
    return _again(lambda: store.quickly(lambda connection: _next(connection, project_id, queue, person)))


def extend_lease(store: Store, project_id: int, text_id: int, person: str) -> datetime:
    """Hold a text anew for the whole time; LeaseLostError where somebody else has it by now. When the lease ends."""
    queue = _open_queue_of(store, project_id)
    until = now() + timedelta(seconds=queue.lease_seconds)
    own = update(SeatRow).where(SeatRow.text_id == text_id, SeatRow.holder == person, ~SeatRow.done)
    with store.writing() as connection:
        if not connection.execute(own.values(held_until=until)).rowcount:
            raise _lost(connection, text_id, queue)
    return until


def save(
    store: Store, text_id: int, label: str, person: str, *, take_next: bool = True
) -> tuple[LabelEvent, Lease | None]:
    """Store the label of a leased text and lease the next one, both or neither.

    LeaseLostError where the time was over and somebody else has the text: then nothing was stored.
    """
    person = check_person(person)
    if store.path is None:
        saved = _again(lambda: _save_in_one_trip(store, text_id, label, person, take_next))
        if saved is not None:
            return saved

    def work(connection: Connection) -> tuple[LabelEvent, Lease | None]:
        project_id, checked, queue = _meant(connection, text_id, label)
        # The text's row before its seats, as everywhere: so nobody waits in a circle.
        [event] = write_labels(connection, project_id, [(text_id, checked)], person)
        if queue is not None:
            _finish_seat(connection, text_id, person, queue)
            _come_further(connection, project_id, queue, person, event.id)
        following = _next(connection, project_id, queue, person) if take_next and queue is not None else None
        return event_of(event), following

    return _again(lambda: store.quickly(work))


def _save_in_one_trip(
    store: Store, text_id: int, label: str, person: str, take_next: bool
) -> tuple[LabelEvent, Lease | None] | None:
    """The same for a server, where somebody's own seat is to be finished in a queue that is one for all; else None, and
    nothing was done."""
    with store.single() as connection:
        checked, fits_text = _checked(connection, text_id, label)
        moment = now()
        ways: dict[str, Any] = {"assigned": ANYBODY, "moment": moment, "take_next": take_next, "fits_text": fits_text}
        saved = None if checked is None else save_and_lease(connection, text_id, checked, person, **ways)
    if checked is None or saved is None:
        return None
    project_id = saved.project_id

    def at_last(connection: Connection) -> Lease | None:
        queue = read_queue(connection, project_id)
        return None if queue is None else _next(connection, project_id, queue, person)

    event = LabelEvent(saved.event_id, text_id, checked, person, "label", moment)
    if is_time(event.id):
        store.quickly(lambda connection: move_on(connection, project_id, person, ANYBODY))
    if saved.text is not None:
        return event, Lease(shown_to(saved.text, person, saved.blind), person, saved.until)
    # What was kept of how far they are may be too far.
    return event, _again(lambda: store.quickly(at_last)) if take_next else None


def _checked(connection: Connection, text_id: int, label: str) -> tuple[str | None, bool]:
    """The answer as it is stored, and whether it was checked against its text, which takes a trip: what may be spans
    is. None where it cannot be a label: the steps say why."""
    if label.startswith("["):
        return _meant(connection, text_id, label)[1], True
    try:
        return check_label(label), False
    except InputError:
        return None, False


def skip(store: Store, text_id: int, person: str) -> Lease | None:
    """Leave a text to others; this person does not get it again, unless they undo it. The next lease."""
    return _pass_on(store, text_id, person, "skip", None)


def flag(store: Store, text_id: int, person: str, note: str = "") -> Lease | None:
    """Flag a text for somebody to look at: nobody gets it until the flag is undone. The next lease."""
    return _pass_on(store, text_id, person, "flag", check_text(note, "the note").strip())


def _open_queue_of(store: Store, project_id: int) -> Queue:
    queue = get_queue(store, project_id)
    if queue is None:
        raise NotFoundError("This project has no queue. Choose an order and open one.")
    return queue


def _next(connection: Connection, project_id: int, queue: Queue, person: str) -> Lease | None:
    moment = now()
    until = moment + timedelta(seconds=queue.lease_seconds)
    for assigned in _kinds_of_seats(queue, person):
        text_id = lease_seat(connection, project_id, person, assigned, moment, until)
        if text_id is not None:
            return Lease(shown_to(read_text(connection, text_id), person, queue.blind), person, until)
    return None


def _kinds_of_seats(queue: Queue, person: str) -> tuple[str, ...]:
    """To whom the seats are assigned that this person may have."""
    return (person, ANYBODY) if queue.shared else (ANYBODY,)


def _come_further(connection: Connection, project_id: int, queue: Queue, person: str, event_id: int) -> None:
    """Now and then: keep how far the person has come."""
    if is_time(event_id):
        for assigned in _kinds_of_seats(queue, person):
            move_on(connection, project_id, person, assigned)


def _meant(connection: Connection, text_id: int, label: str) -> tuple[int, str, Queue | None]:
    """The text's project, the label as it is stored, and how the project's texts are given out."""
    row = connection.execute(_TEXT_AND_QUEUE, {"of_text": text_id}).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no text with the id {text_id}; its project may have been deleted.")
    tokenization = Tokenization(row.tokenizer, row.lowercase)
    checked = check_annotation(label, text_id, row.text, row.task, tokenization)
    queue = None if row.overlap is None else queue_of(row)
    return row.project_id, checked, queue


def _finish_seat(connection: Connection, text_id: int, person: str, queue: Queue) -> None:
    if finish_own_seat(connection, text_id, person):
        return
    take_seats(connection, [text_id], person)
    seats = seats_of_text(connection, text_id)
    if seats and not any(seat.holder == person for seat in seats):
        raise _lost(connection, text_id, queue)


def _lost(connection: Connection, text_id: int, queue: Queue) -> LeaseLostError:
    holders = [seat for seat in seats_of_text(connection, text_id) if seat.holder is not None]
    who = "somebody else" if queue.blind or not holders else holders[0].holder
    what = "has annotated it" if holders and holders[0].done else "has it now"
    return LeaseLostError(
        f"Your time for this text ran out, and {who} {what}. Nothing was stored. Continue with the next text."
    )


def _pass_on(store: Store, text_id: int, person: str, kind: str, value: str | None) -> Lease | None:
    person = check_person(person)
    with store.reading() as connection:
        project_id = project_of(connection, [text_id])
        queue = read_queue(connection, project_id)

    def work(connection: Connection) -> Lease | None:
        if kind == "flag":
            # Whoever resolves the flags of a text meanwhile has resolved this one too, or has not: told by the order.
            hold_texts(connection, [text_id])
        logged: dict[str, Any] = {"project_id": project_id, "text_id": text_id, "kind": kind, "value": value}
        [event] = append_annotations(connection, [logged], person)
        # A flag ends what others have of it too.
        own = (SeatRow.holder == person,) if kind == "skip" else ()
        let_go(connection, SeatRow.text_id == text_id, *own)
        if queue is None:
            return None
        _come_further(connection, project_id, queue, person, event.id)
        return _next(connection, project_id, queue, person)

    return _again(lambda: store.quickly(work))


def _again(work: Callable[[], Annotation]) -> Annotation:
    """Try again where the same person took a seat of the same text in another window at the same moment."""
    for _ in range(_TRIES - 1):
        try:
            return work()
        except ConflictError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
    return work()
