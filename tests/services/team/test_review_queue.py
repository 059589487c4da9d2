"""A reviewer's walk through what waits: deciding, confirming, putting off, undoing."""

from __future__ import annotations

from support.projects.conflicts import Made

from re2nn_core.services.team.review_queue import (
    confirm_cases,
    decide_case,
    next_case,
    restart_review,
    start_review,
    undo_last_decision,
)
from re2nn_core.store import Policy, Store, get_text, record_label, set_policy


def test_a_decision_leads_to_the_next_text_and_is_undone(store: Store, made: Made) -> None:
    project, ids = made
    queue = start_review(store, project.id)
    assert queue.text_ids == [ids[1], ids[2], ids[5]]
    case = next_case(store, queue)
    assert case is not None
    decide_case(store, "Dora", queue, case, "flight", "flight")
    assert get_text(store, ids[1]).decided
    assert (queue.text_id, queue.decided) == (ids[2], 1)
    assert queue.message == "Adjudicated: flight, for “my bag is lost on the flight”."
    decide_case(store, "Dora", queue, case, "baggage", "baggage")  # late
    assert get_text(store, ids[1]).label == "flight"
    undo_last_decision(store, "Dora", queue)
    assert (queue.text_id, queue.message) == (ids[1], "Your adjudication was undone.")
    undo_last_decision(store, "Dora", queue)
    assert queue.message == "You have no adjudication to undo."


def test_what_others_said_meanwhile_keeps_the_place(store: Store, made: Made) -> None:
    project, ids = made
    queue = start_review(store, project.id)
    case = next_case(store, queue)
    assert case is not None
    record_label(store, ids[1], "flight", "Cleo")
    decide_case(store, "Dora", queue, case, "flight", "flight")
    assert queue.text_id == ids[1]
    assert "a moment ago, so nothing was stored" in str(queue.fault)


def test_a_text_can_be_put_off_and_others_asked_for(store: Store, made: Made) -> None:
    project, ids = made
    queue = start_review(store, project.id)
    queue.postpone(ids[1])
    assert (queue.text_id, queue.later, queue.left) == (ids[2], [ids[1]], 3)
    queue.show_first([ids[0]])
    case = next_case(store, queue)
    assert case is not None
    assert case.record.id == ids[0]
    assert case.why is None
    restart_review(store, queue)
    assert (queue.text_id, queue.later) == (ids[1], [])


def test_all_on_which_nobody_differs_are_confirmed_at_once(store: Store, made: Made) -> None:
    project, ids = made
    set_policy(store, project.id, Policy("decided"), person="Dora")
    queue = start_review(store, project.id)
    alone = queue.unanimous("alone")
    assert alone == (ids[4],)
    confirm_cases(store, "Dora", queue, alone)
    assert queue.message == "1 text was confirmed; press U to undo."
    assert queue.unanimous("alone") == ()
