"""Work that shares a transaction: each gets its own answer, and one that fails undoes nothing of the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from re2nn_core.store import Store, open_store
from re2nn_core.store.engine.group_commit import Together


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db") as opened:
        with opened.writing() as connection:
            connection.execute(text("CREATE TABLE noted (number INTEGER UNIQUE)"))
        yield opened


def noted(store: Store) -> list[int]:
    with store.reading() as connection:
        return list(connection.execute(text("SELECT number FROM noted ORDER BY number")).scalars())


def note(connection: Connection, number: int) -> int:
    connection.execute(text("INSERT INTO noted VALUES (:number)"), {"number": number})
    if number % 3 == 0:
        raise ValueError(f"{number} is refused")
    return -number


def test_many_share_a_transaction_and_fail_alone(store: Store) -> None:
    """All of them come while the first waits for the lock, so that the rest is one round."""
    begun = 0
    all_wait = threading.Event()

    @contextmanager
    def writing() -> Iterator[Connection]:
        nonlocal begun
        begun += 1
        all_wait.wait(10)
        with store.writing() as connection:
            yield connection

    together = Together(writing)

    def one(number: int) -> int | str:
        try:
            return together.do(lambda connection: note(connection, number))
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(12) as threads:
        annotations = [threads.submit(one, number) for number in range(1, 13)]
        while len(together._waiting) < 12:
            threading.Event().wait(0.01)
        all_wait.set()
        found = [annotation.result(10) for annotation in annotations]
    assert begun == 1
    assert found == [f"{n} is refused" if n % 3 == 0 else -n for n in range(1, 13)]
    assert noted(store) == [n for n in range(1, 13) if n % 3]


def test_one_alone_that_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(ValueError, match="3 is refused"):
        store.quickly(lambda connection: note(connection, 3))
    assert noted(store) == []
    assert store.quickly(lambda connection: note(connection, 1)) == -1
    assert noted(store) == [1]


def test_where_no_transaction_begins_everybody_is_told() -> None:
    @contextmanager
    def writing() -> Iterator[Connection]:
        raise OSError("no disk")
        yield  # a generator all the same

    together = Together(writing)
    with ThreadPoolExecutor(4) as threads:
        started = [threads.submit(together.do, lambda connection: None) for _ in range(8)]
        for one in started:
            with pytest.raises(OSError, match="no disk"):
                one.result(10)


def test_a_commit_that_fails_acknowledges_nothing(store: Store) -> None:
    @contextmanager
    def writing() -> Iterator[Connection]:
        with store.writing() as connection:
            yield connection
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        Together(writing).do(lambda connection: note(connection, 1))
    assert noted(store) == []
