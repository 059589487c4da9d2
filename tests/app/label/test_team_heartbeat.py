"""Holding a text for whoever works on it, and figures that are shared for a moment."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from support.projects.finished_run import learnable_project

from pages._label.desk import Desk
from pages._label.team import heartbeat
from pages._label.team.desk import TeamDesk
from pages._shared.cached import recent as shared
from re2nn_core.store import Store, close_queue, lease_next, leases_of, open_queue, texts_of
from re2nn_core.store.schema import SeatRow


@pytest.fixture
def team(store: Store, monkeypatch: pytest.MonkeyPatch) -> TeamDesk:
    """Ann with a text in hand, of a queue of three."""
    project = learnable_project(store, unlabelled=3)
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids, lease_seconds=60)
    monkeypatch.setattr(heartbeat, "store", lambda: store)
    monkeypatch.setattr(heartbeat.state, "person", lambda: "Ann")
    team = TeamDesk(project.id, Desk(project.id))
    team.take(lease_next(store, project.id, "Ann"))
    return team


def set_end(store: Store, team: TeamDesk, seconds: float) -> None:
    """Let the time of the text in hand end in so many seconds."""
    assert team.lease is not None
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    with store.writing() as connection:
        mine = update(SeatRow).where(SeatRow.text_id == team.lease.text.id)
        connection.execute(mine.values(held_until=until))
    team.lease = type(team.lease)(team.lease.text, "Ann", until)


def left(store: Store, team: TeamDesk) -> float:
    [lease] = leases_of(store, team.project_id, "Ann")
    return (lease.held_until - datetime.now(UTC)).total_seconds()


def test_a_text_is_held_longer_while_its_person_is_there(store: Store, team: TeamDesk) -> None:
    assert not heartbeat.hold_once(team)
    set_end(store, team, 20)
    assert not heartbeat.hold_once(team)
    assert left(store, team) > 50


def test_a_text_is_not_held_for_an_open_page_alone(store: Store, team: TeamDesk) -> None:
    set_end(store, team, 20)
    team.active = time.monotonic() - 61
    assert not heartbeat.hold_once(team)
    assert left(store, team) < 21


def test_a_lost_text_is_told_without_a_key(store: Store, team: TeamDesk) -> None:
    set_end(store, team, -1)
    assert team.lease is not None
    taken = lease_next(store, team.project_id, "Bob")
    assert taken is not None
    assert taken.text.id == team.lease.text.id
    assert heartbeat.hold_once(team)
    assert "Your time for this text ran out, and Bob has it now." in str(team.desk.fault)


def test_an_empty_desk_gets_what_comes_back(store: Store, team: TeamDesk) -> None:
    team.take(None)
    assert not heartbeat.hold_once(team)
    team.waiting = True
    assert heartbeat.hold_once(team)


def test_a_closed_queue_is_noticed(store: Store, team: TeamDesk) -> None:
    close_queue(store, team.project_id)
    assert heartbeat.hold_once(team)


def test_what_is_there_at_once_is_made_each_time() -> None:
    made = iter(range(10))
    assert [shared.recent("quick", lambda: next(made)).value for _ in range(3)] == [0, 1, 2]


def test_what_takes_long_is_shared_and_made_anew_behind_the_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own, so that a busy machine makes nothing late."""
    clock = [0.0]
    monkeypatch.setattr(shared, "_LONGEST", 0.2)
    monkeypatch.setattr(shared, "monotonic", lambda: clock[0])
    made = iter(range(10))

    def slow() -> int:
        clock[0] += 0.05
        return next(made)

    assert [shared.recent("slow", slow).value for _ in range(3)] == [0, 0, 0]
    clock[0] += 0.3
    assert shared.recent("slow", slow).value == 0  # nobody waits
    end = time.monotonic() + 10
    while shared.recent("slow", slow).value == 0 and time.monotonic() < end:
        time.sleep(0.02)
    assert shared.recent("slow", slow).value >= 1
