"""On a server a label is saved in one statement: the same comes of it as step by step, whatever happened before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import postgres_server
import pytest
from queue_steps import PEOPLE, STEPS, begin, state, step
from sqlalchemy import update

from re2nn_core.errors import InputError, LeaseLostError, NotFoundError
from re2nn_core.store import (
    Store,
    lease_next,
    open_store,
    queue,
    save,
    verify_store,
)
from re2nn_core.store.schema import QueueRow


@pytest.fixture
def stores(postgres: postgres_server.Server) -> Iterator[tuple[Store, Store]]:
    """Two databases to which the same is done: in one statement, and step by step."""
    addresses = postgres.database(), postgres.database()
    with open_store(addresses[0]) as fast, open_store(addresses[1]) as plain:
        yield fast, plain
    for address in addresses:
        postgres.drop(address)


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
        what = draw.choice(STEPS)
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
