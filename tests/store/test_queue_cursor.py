"""How far somebody is ahead of others costs nothing, and nobody is given another text because of it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, func, select, text
from support.projects.queue_steps import PEOPLE, REVIEWING, STEPS, begin, state, step

from re2nn_core.store import (
    Store,
    create_project,
    lease_next,
    leases_of,
    open_queue,
    open_store,
    queue_cursor,
    record_labels,
    save,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.store.assignments import ANYBODY, lease_seat
from re2nn_core.store.checks import now
from re2nn_core.store.queue import leases
from re2nn_core.store.schema import ReachRow
from re2nn_core.text.corpus import Corpus, Example

TEXTS = 1_200


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two databases to which the same is done: in the first places are moved on behind each annotation, in the other
    never."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            addresses = [str(tmp_path / name) for name in ("kept.db", "plain.db")]
        else:
            server = request.getfixturevalue("postgres")
            addresses = [server.database() for _ in range(2)]
            for address in addresses:
                stack.callback(server.drop, address)
        kept, plain = (stack.enter_context(open_store(address)) for address in addresses)
        yield kept, plain


@pytest.mark.parametrize(
    ("seed", "overlap", "shared"),
    [
        (1, 2, False),
        (3, 2, True),
        pytest.param(0, 1, False, marks=pytest.mark.long),
        pytest.param(2, 3, False, marks=pytest.mark.long),
    ],
)
def test_everybody_gets_the_same_texts(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, seed: int, overlap: int, shared: bool
) -> None:
    kept, plain = stores
    ids = begin(kept, overlap=overlap, shared=shared)
    assert begin(plain, overlap=overlap, shared=shared) == ids
    moving, highest = [False], 0
    monkeypatch.setattr(leases, "is_time", lambda _: moving[0])
    draw = random.Random(seed)
    for number in range(100):
        what = "lay out" if number % 40 == 39 else draw.choice((*STEPS, *REVIEWING) if number % 40 > 20 else STEPS)
        person = draw.choice(PEOPLE)
        in_hand = [lease.text.id for lease in leases_of(plain, 1, person)]
        chosen = what, person, draw.choice(in_hand or ids), draw.choice("xy")
        found = []
        order = draw.sample(ids, len(ids))
        for store in stores:
            moving[0] = store is kept
            if what != "lay out":
                found.append(step(store, *chosen))
            else:
                open_queue(store, 1, order, overlap=overlap, share_with=PEOPLE if shared else ())
        assert found[:1] == found[1:], chosen
        assert state(kept) == state(plain), chosen
        highest = max(highest, *places(kept).values(), 0)
    assert highest > 1, "nobody came further"
    assert places(plain) == {}
    assert verify_store(kept) == ()


def places(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        rows = connection.execute(select(ReachRow.person, func.max(ReachRow.place)).group_by(ReachRow.person))
        return dict(rows.tuples().all())


@pytest.fixture
def ahead(store: Store) -> Callable[[int], Store]:
    """A queue of two annotations each, of which Ann has given one for so many of the first texts."""
    examples = Corpus(tuple(Example(f"text {number}", None) for number in range(TEXTS)))
    create_project(store, name="Far", examples=examples, rules_text="", logic_text="", author="Ann")
    ids = [one.id for one in texts_of(store, 1)]
    open_queue(store, 1, ids, overlap=2)
    done = [0]

    def go(count: int) -> Store:
        record_labels(store, [(text_id, "x") for text_id in ids[done[0] : count]], "Ann")
        done[0] = count
        with store.writing() as connection:
            queue_cursor.move_on(connection, 1, "Ann", ANYBODY)
        return store

    return go


def test_a_walk_is_as_long_for_who_is_far_ahead(ahead: Callable[[int], Store]) -> None:
    """Measured in what the database does, not in time: steps of SQLite's machine, rows that PostgreSQL looks at."""
    near, far = work_of_a_lease(ahead(50)), work_of_a_lease(ahead(1_100))
    assert far <= 1.2 * near + 2
    # The measure can fail: the same walk from the start.
    store = ahead(1_100)
    with store.writing() as connection:
        assert queue_cursor.begin_again(connection, 1, "Ann", ANYBODY)
    assert work_of_a_lease(store) > 10 * near


def work_of_a_lease(store: Store) -> int:
    def lease() -> None:
        assert lease_seat(connection, 1, "Ann", ANYBODY, now(), now() + timedelta(minutes=1)) is not None

    with store.writing() as connection:
        work = rows_looked_at(connection, lease) if store.path is None else steps_of(connection, lease)
        connection.rollback()
    return work


def steps_of(connection: Connection, work: Callable[[], None]) -> int:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    steps = [0]

    def count() -> None:
        steps[0] += 1

    raw.set_progress_handler(count, 10)
    try:
        work()
    finally:
        raw.set_progress_handler(None, 0)
    return steps[0]


def rows_looked_at(connection: Connection, work: Callable[[], None]) -> int:
    """Of the seats, by the index of those that are open; the statement is asked again what it did."""
    for kind in ("seqscan", "bitmapscan", "sort"):
        connection.execute(text(f"SET LOCAL enable_{kind} = off"))
    sent: list[tuple[str, Any]] = []

    def keep(_: Any, __: Any, statement: str, parameters: Any, *rest: Any) -> None:
        sent.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", keep)
    work()
    event.remove(connection, "before_cursor_execute", keep)
    [(statement, parameters)] = sent
    [[plan]] = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters)
    [scan] = [node for node in nodes(plan[0]["Plan"]) if node.get("Index Name") == "seat_open"]
    assert "place >=" in scan["Index Cond"]
    return int(scan["Actual Rows"]) + int(scan.get("Rows Removed by Filter", 0))


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def test_what_somebody_holds_is_found_without_what_they_have_judged(ahead: Callable[[int], Store]) -> None:
    store = ahead(600)
    lease = lease_next(store, 1, "Ann")
    assert lease is not None
    assert [one.text.position for one in leases_of(store, 1, "Ann")] == [600]
    explain = "EXPLAIN QUERY PLAN" if store.path else "EXPLAIN"
    query = "SELECT id FROM seat WHERE project_id = 1 AND holder = 'Ann' AND held_until >= '2020-01-01'"
    with store.reading() as connection:
        if store.path is None:
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = " ".join(str(row) for row in connection.execute(text(f"{explain} {query}")))
    assert "seat_of_holder" in plan
    assert "held_until>" in plan.replace(" ", "").replace('"', "")


def test_a_text_that_comes_back_is_given_first(ahead: Callable[[int], Store]) -> None:
    """Ann has come far. An undo of her own brings her its text; one of Bob's does not, where she has annotated it."""
    store = ahead(400)
    assert places(store) == {"Ann": 400}
    lease = lease_next(store, 1, "Bob")
    assert lease is not None
    save(store, lease.text.id, "x", "Bob")
    assert undo_last_action(store, 1, "Bob")
    assert places(store)["Ann"] == 400
    record_labels(store, [(lease.text.id, "y")], "Ann")
    assert undo_last_action(store, 1, "Ann")
    assert places(store)["Ann"] == 400, "what she said of it before still stands"
    assert undo_last_action(store, 1, "Ann")
    assert places(store)["Ann"] == 0
    back = lease_next(store, 1, "Ann")
    assert back is not None
    assert back.text.id == lease.text.id


def test_a_place_that_is_too_high_loses_nothing(ahead: Callable[[int], Store]) -> None:
    """As two transactions may leave it that do not see each other."""
    store = ahead(10)
    with store.writing() as connection:
        connection.execute(text("UPDATE reach SET place = 1000000"))
    lease = lease_next(store, 1, "Ann")
    assert lease is not None
    assert lease.text.position == 10
    with store.writing() as connection:
        queue_cursor.move_on(connection, 1, "Ann", ANYBODY)
        connection.execute(text("UPDATE reach SET place = 1000000"))
    _, following = save(store, lease.text.id, "x", "Ann")
    assert following is not None
    assert following.text.position == 11


def test_one_in_many_moves_on_also_where_two_take_turns() -> None:
    for first in (0, 1):
        times = sum(queue_cursor.is_time(number) for number in range(first, 20_000, 2))
        assert 200 < times < 450
