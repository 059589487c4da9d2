"""On a server a label is saved in one statement: the same comes of it as step by step, whatever happened before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import update
from support.projects import postgres_server
from support.projects.queue_steps import PEOPLE, STEPS, begin, state, step
from support.projects.span_samples import annotated_project

from re2nn_core.errors import InputError, LeaseLostError, NotFoundError
from re2nn_core.store import Store, given_annotations, lease_next, open_queue, open_store, save, texts_of, verify_store
from re2nn_core.store.queue import leases, save_and_lease
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
    in_one, used = leases._save_in_one_trip, []

    def only_fast(store: Store, *rest: Any) -> Any:
        found = in_one(store, *rest) if store is fast else None
        used.append(found is not None)
        return found

    monkeypatch.setattr(leases, "_save_in_one_trip", only_fast)
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
    assert leases._save_in_one_trip(store, lease.text.id, "x", "Ann", True) is None
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


def test_marks_are_checked_against_their_text_first(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stores[0]
    project = annotated_project(store)
    ids = [record.id for record in texts_of(store, project.id)]
    open_queue(store, project.id, ids)
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    for label, said in (("to_city", "are no spans"), ('[[0,900,"to_city"]]', "900"), ("[oslo]", "are no spans")):
        with pytest.raises(InputError, match=said):
            save(store, lease.text.id, label, "Ann")
        assert given_annotations(store, project.id) == {}
    monkeypatch.setattr(leases, "write_labels", None)  # what the steps would write with
    event, following = save(store, lease.text.id, '[[0,3,"to_city"]]', "Ann")
    assert given_annotations(store, project.id) == {lease.text.id: {"Ann": event.label}}
    assert following is not None
    assert following.text.id == ids[1]


def test_a_plan_made_while_the_tables_were_small_goes_by_keys(stores: tuple[Store, Store]) -> None:
    """Statements that come again keep their plan for hours. One that reads a whole table, which is right for ten rows,
    made each label take longer than the one before it."""
    store = stores[0]
    begin(store, overlap=1)
    with store.writing() as connection:
        connection.exec_driver_sql("ANALYZE")
    values = {"text": 1, "label": "x", "person": "Ann", "assigned": "", "moment": datetime(2026, 1, 1)}
    asked = "EXPLAIN " + save_and_lease._SAVE, {**values, "take_next": True, "fits_text": False}
    with store.single() as connection:
        by_keys = "\n".join(connection.exec_driver_sql(*asked).scalars())
    with store.writing() as connection:
        by_counts = "\n".join(connection.exec_driver_sql(*asked).scalars())
    assert "Index Scan" in by_keys
    assert "Seq Scan" not in by_keys
    assert "Seq Scan" in by_counts, "the tables of this test are not small any more: it shows nothing"
