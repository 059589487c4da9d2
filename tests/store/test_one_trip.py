"""On a server a label is saved in one statement: the same comes of it as step by step, whatever happened before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import postgres_server
import pytest
from sqlalchemy import select, update

from re2nn_core.errors import InputError, LeaseLostError, NotFoundError
from re2nn_core.store import (
    Store,
    create_project,
    flag,
    lease_next,
    open_queue,
    open_store,
    queue,
    record_label,
    save,
    skip,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.store.checks import now
from re2nn_core.store.schema import EventRow, QueueRow, SeatRow, TextRow
from re2nn_core.text.corpus import Corpus, Example

PEOPLE = ("Ann", "Bob", "Cleo")


@pytest.fixture
def stores(postgres: postgres_server.Server) -> Iterator[tuple[Store, Store]]:
    """Two databases to which the same is done: in one statement, and step by step."""
    addresses = postgres.database(), postgres.database()
    with open_store(addresses[0]) as fast, open_store(addresses[1]) as plain:
        yield fast, plain
    for address in addresses:
        postgres.drop(address)


def begin(store: Store, *, overlap: int, blind: bool = False, assigned: bool = False) -> list[int]:
    examples = Corpus(tuple(Example(f"text {number}", None) for number in range(8)))
    project = create_project(store, name="Two", examples=examples, rules_text="", logic_text="", author="Ann")
    ids = [text.id for text in texts_of(store, project.id)]
    people = {"people": PEOPLE} if assigned else {}
    open_queue(store, project.id, ids, overlap=overlap, blind=blind, **people)  # type: ignore[arg-type]
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
    except (LeaseLostError, NotFoundError, InputError) as error:
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
            return outcome(lambda: undo_last_action(store, 1, person, ("label", "skip", "flag")))
        case "record":
            return outcome(lambda: record_label(store, text_id, label, person))
        case _:
            expire(store, text_id)
            return None


_STEPS = ("lease", "lease", "save", "save", "save", "save", "save alone", "skip", "flag", "undo", "record", "expire")


@pytest.mark.parametrize(("seed", "overlap", "blind"), [(0, 1, False), (1, 2, False), (2, 2, True), (3, 3, False)])
def test_one_statement_does_what_the_steps_do(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, seed: int, overlap: int, blind: bool
) -> None:
    fast, plain = stores
    ids = begin(fast, overlap=overlap, blind=blind)
    assert begin(plain, overlap=overlap, blind=blind) == ids
    in_one, used = queue._save_in_one_trip, []

    def only_fast(store: Store, *rest: Any) -> Any:
        found = in_one(store, *rest) if store is fast else None
        used.append(found is not None)
        return found

    monkeypatch.setattr(queue, "_save_in_one_trip", only_fast)
    draw = random.Random(seed)
    for _ in range(70):
        what = draw.choice(_STEPS)
        chosen = what, draw.choice(PEOPLE), draw.choice(ids), draw.choice("xy")
        assert step(fast, *chosen) == step(plain, *chosen), chosen
        assert state(fast) == state(plain), chosen
    assert any(used), "no label was saved in one statement"
    assert verify_store(fast) == ()


def test_a_queue_of_places_of_their_own_goes_step_by_step(stores: tuple[Store, Store]) -> None:
    store = stores[0]
    begin(store, overlap=1)
    with store.writing() as connection:
        connection.execute(update(QueueRow).values(shared=True))
    lease = lease_next(store, 1, "Ann")
    assert lease is not None
    assert queue._save_in_one_trip(store, lease.text.id, "x", "Ann", True) is None
    assert save(store, lease.text.id, "x", "Ann")[1] is not None


def test_nothing_is_written_where_somebody_else_has_the_text(stores: tuple[Store, Store]) -> None:
    store = stores[0]
    begin(store, overlap=1)
    lease = lease_next(store, 1, "Ann")
    assert lease is not None
    before = state(store)
    with pytest.raises(
        LeaseLostError, match="Your time for this text ran out, and Ann has it now. Nothing was stored."
    ):
        save(store, lease.text.id, "x", "Bob")
    assert state(store) == before


def test_a_label_that_cannot_be_stored_is_refused(stores: tuple[Store, Store]) -> None:
    store = stores[0]
    ids = begin(store, overlap=1)
    with suppress(NotFoundError), pytest.raises(InputError, match="the label of text .* is empty"):
        save(store, ids[0], " ", "Ann")
    with pytest.raises(NotFoundError, match="There is no text with the id 999"):
        save(store, 999, "x", "Ann")
