"""Holding a text for whoever works on it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from support.projects.finished_run import learnable_project

from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.team_annotation import (
    TeamQueueState,
    flag_leased_text,
    keep_lease,
    resolve_flagged_text,
    save_equal_texts,
    save_leased_text,
    skip_leased_text,
    take_leased_text,
    undo_team_action,
)
from re2nn_core.store import Store, TextRecord, close_queue, get_text, lease_next, leases_of, open_queue, texts_of
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


def test_what_is_done_with_a_text_in_hand_leads_to_the_next(store: Store, team: TeamQueueState) -> None:
    def drawn() -> TextRecord:
        lease = take_leased_text(store, "Ann", team)
        assert lease is not None
        return lease.text

    first = drawn()
    assert save_leased_text(store, "Ann", team, first, "travel")
    assert (team.queue.message, team.given_after(0)) == ("travel was saved.", 1)
    second = drawn()
    assert flag_leased_text(store, "Ann", team, second, "why?")
    third = drawn()
    assert skip_leased_text(store, "Ann", team, third)
    assert len({first.id, second.id, third.id}) == 3
    assert take_leased_text(store, "Ann", team) is None
    undone = undo_team_action(store, "Ann", team)
    assert undone is not None
    assert (undone.kind, team.queue.message) == ("skip", "The text is assigned to you again.")
    assert drawn().id == third.id


def test_a_lost_text_tells_what_was_chosen(store: Store, team: TeamQueueState) -> None:
    assert team.lease is not None
    drawn = team.lease.text
    set_end(store, team, -1)
    lease_next(store, team.project_id, "Bob")
    assert not save_leased_text(store, "Ann", team, drawn, "travel")
    assert str(team.queue.fault).endswith("You had chosen travel.")


def test_a_flagged_text_is_resolved_or_returned(store: Store, team: TeamQueueState) -> None:
    assert team.lease is not None
    drawn = team.lease.text
    assert flag_leased_text(store, "Ann", team, drawn)
    team.show(drawn.id)
    assert resolve_flagged_text(store, "Ann", team, drawn, None)
    assert team.queue.message == "Given back to the queue."
    undo_team_action(store, "Ann", team)
    assert team.flagged == drawn.id
    team.show(drawn.id)
    assert resolve_flagged_text(store, "Ann", team, drawn, "travel")
    assert get_text(store, drawn.id).label == "travel"


def test_equal_texts_get_one_label_by_one_action(store: Store, team: TeamQueueState) -> None:
    assert team.lease is not None
    drawn = team.lease.text
    assert save_equal_texts(store, "Ann", team, drawn, "travel")
    assert team.queue.message.startswith("travel was saved for 1 texts;")
