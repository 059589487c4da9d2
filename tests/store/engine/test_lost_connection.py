"""A server that goes and comes back: what is tried again by itself, and what never is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select, text
from store.conftest import EXAMPLES
from support.projects import postgres_server

from re2nn_core.errors import DataFileError, UnavailableError
from re2nn_core.jobs.report import Report
from re2nn_core.store import (
    Store,
    create_project,
    create_run,
    get_run,
    label_history,
    lease_next,
    list_projects,
    open_queue,
    open_store,
    points,
    record_label,
    save,
    texts_of,
)
from re2nn_core.store.engine import postgres

ADD = text("INSERT INTO written VALUES (:number)")


@pytest.fixture(scope="module")
def server() -> Iterator[postgres_server.Server]:
    """One that these tests stop; so it is no other's."""
    if postgres_server.binaries() is None:
        pytest.skip(postgres_server.MISSING)
    with postgres_server.running_server() as running:
        yield running


@pytest.fixture
def store(server: postgres_server.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path))
    monkeypatch.setattr(postgres, "_PAUSE_SECONDS", 0.01)
    with open_store(server.database()) as opened:
        create_project(opened, name="Trips", examples=EXAMPLES, rules_text="", logic_text="", author="Ann")
        with opened.writing() as connection:
            connection.execute(text("CREATE TABLE written (number INTEGER)"))
        yield opened


def written(store: Store) -> list[int]:
    with store.reading() as connection:
        return [row.number for row in connection.execute(text("SELECT number FROM written"))]


def lose(connection: Connection) -> None:
    """End the connection from the server's side, as a crash of its process would."""
    me = connection.execute(select(func.pg_backend_pid())).scalar_one()
    with connection.engine.connect() as other, other.begin():
        other.execute(text("SELECT pg_terminate_backend(:me)"), {"me": me})


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_the_first_work_after_a_restart_is_done(store: Store, server: postgres_server.Server, how: str) -> None:
    first, second, *_ = texts_of(store, 1)
    queue_of_one(store)
    lease = lease_next(store, 1, "Ann")
    server.stop(how)
    server.start()
    assert [summary.project.name for summary in list_projects(store)] == ["Trips"]
    server.stop(how)
    server.start()
    record_label(store, second.id, "fare", "Bob")
    server.stop(how)
    server.start()
    assert lease is not None
    event, _ = save(store, lease.text.id, "flight", "Ann")
    assert [(reported.text_id, reported.label) for reported in label_history(store, 1)] == [
        (event.text_id, "flight"),
        (second.id, "fare"),
    ]
    assert first.id == lease.text.id


def queue_of_one(store: Store) -> None:
    open_queue(store, 1, [text.id for text in texts_of(store, 1)], person="Ann")


def test_while_the_server_is_gone_each_call_says_so_and_the_next_one_works(
    store: Store, server: postgres_server.Server
) -> None:
    one = texts_of(store, 1)[0]
    server.stop()
    try:
        for call in (lambda: list_projects(store), lambda: record_label(store, one.id, "x", "Ann")):
            with pytest.raises(
                UnavailableError, match=r"The database .* cannot be reached: .*Check that the server runs"
            ):
                call()
    finally:
        server.start()
    assert len(list_projects(store)) == 1
    assert label_history(store, 1) == ()


def test_a_transaction_that_loses_its_connection_is_done_once_more(store: Store) -> None:
    rounds: list[int] = []

    def work(connection: Connection) -> int:
        rounds.append(len(rounds) + 1)
        connection.execute(ADD, {"number": rounds[-1]})
        if rounds == [1]:
            lose(connection)
        return int(connection.execute(select(1)).scalar_one())

    assert store.quickly(work) == 1
    assert written(store) == [2]


def test_it_is_not_done_a_third_time(store: Store) -> None:
    rounds: list[int] = []

    def work(connection: Connection) -> None:
        rounds.append(1)
        lose(connection)
        connection.execute(select(1))

    with pytest.raises(UnavailableError, match=r"was lost: .*\. Nothing was stored\. Try again\."):
        store.quickly(work)
    assert len(rounds) == 2


def test_what_may_have_been_committed_is_never_done_again(store: Store) -> None:
    rounds: list[int] = []

    def work(connection: Connection) -> None:
        rounds.append(1)
        connection.execute(ADD, {"number": 1})
        lose(connection)  # the next word to the server is COMMIT

    with pytest.raises(
        DataFileError, match=r"lost while a change was stored: .* It may be stored or not: load"
    ) as reported:
        store.quickly(work)
    assert not isinstance(reported.value, UnavailableError)
    assert len(rounds) == 1


def test_a_statement_of_its_own_is_never_sent_again(store: Store) -> None:
    def save_alone() -> None:
        with store.single() as connection:
            lose(connection)
            connection.execute(ADD, {"number": 1})

    with pytest.raises(DataFileError, match="It may be stored or not"):
        save_alone()


def test_a_server_that_answers_only_the_second_time_is_waited_for(
    store: Store, server: postgres_server.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stop()
    monkeypatch.setattr(postgres.time, "sleep", lambda _: server.start())
    assert len(list_projects(store)) == 1


def test_a_training_goes_on_while_the_database_is_gone(store: Store, server: postgres_server.Server) -> None:
    run = create_run(store, 1, "train")
    report = Report(store, run.id)
    report.point(1, {"loss": 1.0})
    server.stop()
    try:
        report.point(2, {"loss": 0.5})
        report.progress(2, 2, "nearly done")
        assert not report.should_stop()
    finally:
        server.start()
    report.flush()
    assert [point.step for point in points(store, run.id)] == [1, 2]
    assert get_run(store, run.id).message == "nearly done"
