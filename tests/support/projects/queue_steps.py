"""Everything that people do with the texts of a queue, step by step, for tests that do it to two stores alike."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update

from re2nn_core.errors import ConflictError, InputError, LeaseLostError, NotFoundError
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    DECISION,
    Store,
    create_project,
    flag,
    lease_next,
    open_queue,
    record_decision,
    record_label,
    resolve_flag,
    save,
    skip,
    texts_of,
    undo_last_action,
)
from re2nn_core.store.checks import now
from re2nn_core.store.schema import EventRow, SeatRow, TextRow
from re2nn_core.text.corpus import Corpus, Example

PEOPLE = ("Ann", "Bob", "Cleo")


def begin(store: Store, *, overlap: int, blind: bool = False, shared: bool = False) -> list[int]:
    examples = Corpus(tuple(Example(f"text {number}", None) for number in range(8)))
    project = create_project(store, name="Two", examples=examples, rules_text="", logic_text="", author="Ann")
    ids = [text.id for text in texts_of(store, project.id)]
    open_queue(store, project.id, ids, overlap=overlap, blind=blind, share_with=PEOPLE if shared else ())
    return ids


def state(store: Store) -> list[Any]:
    """All that labelling changes, without its moments."""
    with store.reading() as connection:
        seats = select(SeatRow.id, SeatRow.text_id, SeatRow.holder, SeatRow.held_until.is_(None), SeatRow.done)
        events = select(EventRow.kind, EventRow.text_id, EventRow.person, EventRow.value, EventRow.undoes.is_(None))
        texts = select(TextRow.id, TextRow.label, TextRow.annotator).order_by(TextRow.id)
        in_order = (seats.order_by(SeatRow.id), events.order_by(EventRow.id), texts)
        return [[tuple(row) for row in connection.execute(query)] for query in in_order]


def outcome(work: Callable[[], Any]) -> Any:
    """What came of it: the text leased next, or what was raised."""
    try:
        done = work()
    except (LeaseLostError, NotFoundError, InputError, ConflictError) as error:
        return str(error)
    lease = done[1] if isinstance(done, tuple) and len(done) == 2 else done
    if not hasattr(lease, "text"):
        return None
    return lease.text.id, lease.text.label, lease.text.annotator, lease.person


def expire(store: Store, text_id: int) -> None:
    with store.writing() as connection:
        over = now() - timedelta(minutes=1)
        held = update(SeatRow).where(SeatRow.text_id == text_id, ~SeatRow.done, SeatRow.held_until.is_not(None))
        connection.execute(held.values(held_until=over))


def step(store: Store, what: str, person: str, text_id: int, label: str) -> Any:
    match what:
        case "lease":
            return outcome(lambda: lease_next(store, 1, person))
        case "save":
            return outcome(lambda: save(store, text_id, label, person))
        case "save alone":
            return outcome(lambda: save(store, text_id, label, person, take_next=False))
        case "skip":
            return outcome(lambda: skip(store, text_id, person))
        case "flag":
            return outcome(lambda: flag(store, text_id, person))
        case "undo":
            return outcome(lambda: undo_last_action(store, 1, person, ANNOTATION_EVENTS))
        case "record":
            return outcome(lambda: record_label(store, text_id, label, person))
        case "settle":
            return outcome(lambda: resolve_flag(store, text_id, person, None if label == "x" else label))
        case "decide":
            return outcome(lambda: record_decision(store, text_id, label, person))
        case "take the decision back":
            return outcome(lambda: undo_last_action(store, 1, person, (DECISION,)))
        case _:
            expire(store, text_id)
            return None


STEPS = ("lease", "lease", "save", "save", "save", "save", "save alone", "skip", "flag", "undo", "record", "expire")
REVIEWING = ("settle", "settle", "decide", "take the decision back")
