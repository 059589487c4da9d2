"""Holding a text for whoever works on it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from support.projects.finished_run import learnable_project

from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.team_annotation import TeamQueueState, keep_lease
from re2nn_core.store import Store, close_queue, lease_next, leases_of, open_queue, texts_of
from re2nn_core.store.schema import SeatRow


@pytest.fixture
def team(store: Store) -> TeamQueueState:
    """Ann with a text in hand, of a queue of three."""
    project = learnable_project(store, unlabelled=3)
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids, lease_seconds=60)
    team = TeamQueueState(project.id, AnnotationQueueState(project.id))
    team.take(lease_next(store, project.id, "Ann"))
    return team


def set_end(store: Store, team: TeamQueueState, seconds: float) -> None:
    """Let the time of the text in hand end in so many seconds."""
    assert team.lease is not None
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    with store.writing() as connection:
        mine = update(SeatRow).where(SeatRow.text_id == team.lease.text.id)
        connection.execute(mine.values(held_until=until))
    team.lease = type(team.lease)(team.lease.text, "Ann", until)


def left(store: Store, team: TeamQueueState) -> float:
    [lease] = leases_of(store, team.project_id, "Ann")
    return (lease.held_until - datetime.now(UTC)).total_seconds()


def test_a_text_is_held_longer_while_its_person_is_there(store: Store, team: TeamQueueState) -> None:
    assert not keep_lease(store, "Ann", team)
    set_end(store, team, 20)
    assert not keep_lease(store, "Ann", team)
    assert left(store, team) > 50


def test_a_text_is_not_held_for_an_open_page_alone(store: Store, team: TeamQueueState) -> None:
    set_end(store, team, 20)
    team.active = time.monotonic() - 61
    assert not keep_lease(store, "Ann", team)
    assert left(store, team) < 21


def test_a_lost_text_is_told_without_a_key(store: Store, team: TeamQueueState) -> None:
    set_end(store, team, -1)
    assert team.lease is not None
    taken = lease_next(store, team.project_id, "Bob")
    assert taken is not None
    assert taken.text.id == team.lease.text.id
    assert keep_lease(store, "Ann", team)
    assert "Your time for this text ran out, and Bob has it now." in str(team.queue.fault)


def test_an_empty_desk_gets_what_comes_back(store: Store, team: TeamQueueState) -> None:
    team.take(None)
    assert not keep_lease(store, "Ann", team)
    team.waiting = True
    assert keep_lease(store, "Ann", team)


def test_a_closed_queue_is_noticed(store: Store, team: TeamQueueState) -> None:
    close_queue(store, team.project_id)
    assert keep_lease(store, "Ann", team)
