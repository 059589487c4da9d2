"""Decisions between annotations, and which labels train: told by the log, kept by archives and backups, undone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text as sql
from support.projects.conflicts import conflict_project

from re2nn_core.errors import ConflictError, InputError
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.store import (
    DECISION,
    Policy,
    Store,
    confirm_labels,
    count_queue,
    create_project,
    flag,
    flagged_texts,
    get_project,
    get_text,
    lease_next,
    leases_of,
    list_events,
    newest_event,
    open_queue,
    open_store,
    opinions_of,
    plan_queue,
    read_backup,
    read_policy,
    rebuild_store,
    record_decision,
    record_label,
    save,
    set_policy,
    skip,
    texts_of,
    undo_last_action,
    verify_store,
    write_backup,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example


def stands(store: Store, text_id: int) -> tuple[str | None, str | None, bool]:
    text = get_text(store, text_id)
    return text.label, text.annotator, text.decided


def test_a_decision_stands_whatever_is_said_later(store: Store) -> None:
    project, ids = conflict_project(store)
    assert stands(store, ids[1]) == ("baggage", "Bob", False)
    record_decision(store, ids[1], "flight", "Dora")
    assert stands(store, ids[1]) == ("flight", "Dora", True)
    [event] = list_events(store, project.id, kinds=(DECISION,))
    assert (event.person, event.value, event.data) == (
        "Dora",
        "flight",
        {"between": {"Ann": "flight", "Bob": "baggage"}},
    )
    record_label(store, ids[1], "baggage", "Cleo")
    assert stands(store, ids[1]) == ("flight", "Dora", True)
    # The annotations stay, and an annotator's undo takes back only what they said.
    assert [(o.person, o.kind, o.value) for o in opinions_of(store, project.id, [ids[1]])] == [
        ("Ann", "label", "flight"),
        ("Bob", "label", "baggage"),
        ("Dora", "decide", "flight"),
        ("Cleo", "label", "baggage"),
    ]
    undo_last_action(store, project.id, "Cleo")
    assert stands(store, ids[1]) == ("flight", "Dora", True)
    assert verify_store(store) == ()


def test_undo_goes_back_decision_by_decision(store: Store) -> None:
    project, ids = conflict_project(store)
    record_decision(store, ids[1], "flight", "Dora")
    record_decision(store, ids[1], "fare", "Eve")
    assert stands(store, ids[1]) == ("fare", "Eve", True)
    assert undo_last_action(store, project.id, "Dora") == ()  # a label's undo takes no decision back
    [undone] = undo_last_action(store, project.id, "Eve", (DECISION,))
    assert (undone.text_id, undone.label) == (ids[1], "fare")
    assert stands(store, ids[1]) == ("flight", "Dora", True)
    undo_last_action(store, project.id, "Dora", (DECISION,))
    assert stands(store, ids[1]) == ("baggage", "Bob", False)
    assert undo_last_action(store, project.id, "Dora", (DECISION,)) == ()
    assert verify_store(store) == ()


def test_a_decision_takes_no_seat_of_the_queue(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[6:], overlap=2)
    assert lease_next(store, project.id, "Ann") is not None
    save(store, ids[6], "baggage", "Ann")
    record_decision(store, ids[6], "flight", "Dora")
    undo_last_action(store, project.id, "Dora", (DECISION,))
    counts = count_queue(store, project.id)
    assert (counts.done, counts.held, counts.waiting) == (1, 0, 1)
    assert leases_of(store, project.id, "Dora") == ()


def test_a_flagged_text_that_is_decided_waits_no_more(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[5:], overlap=2)
    assert lease_next(store, project.id, "Eve") is not None
    flag(store, ids[5], "Eve", "unclear")
    aside = {text.id for text, _, _ in flagged_texts(store, project.id)}
    assert ids[5] in aside
    record_decision(store, ids[5], "flight", "Dora")
    assert {text.id for text, _, _ in flagged_texts(store, project.id)} == aside - {ids[5]}
    assert count_queue(store, project.id).flagged == len(aside) - 1
    undo_last_action(store, project.id, "Dora", (DECISION,))
    assert {text.id for text, _, _ in flagged_texts(store, project.id)} == aside


def test_what_was_said_meanwhile_is_not_passed_over(store: Store) -> None:
    _, ids = conflict_project(store)
    seen = newest_event(store, ids[1])
    record_label(store, ids[1], "flight", "Cleo")
    with pytest.raises(ConflictError, match="annotated or adjudicated a moment ago, so nothing was stored"):
        record_decision(store, ids[1], "baggage", "Dora", seen=seen)
    assert stands(store, ids[1]) == ("flight", "Cleo", False)
    record_decision(store, ids[1], "baggage", "Dora", seen=newest_event(store, ids[1]))
    assert stands(store, ids[1]) == ("baggage", "Dora", True)


def test_people_label_while_others_decide(store: Store) -> None:
    """Whoever comes first: a decision is never overwritten by a label of the same moment."""
    project, ids = conflict_project(store)

    def label(number: int) -> None:
        record_label(store, ids[number % 7], "flight", f"person {number % 3}")

    def resolve(number: int) -> None:
        record_decision(store, ids[number % 7], "baggage", "Dora")

    with ThreadPoolExecutor(8) as workers:
        jobs = [workers.submit(resolve if number % 4 == 0 else label, number) for number in range(80)]
        for job in jobs:
            job.result()
    assert {stands(store, text_id) for text_id in ids} == {("baggage", "Dora", True)}
    assert verify_store(store) == ()


@pytest.mark.parametrize(
    "fault",
    [
        "UPDATE text SET decided = true WHERE position = 3",
        "UPDATE text SET decided = false WHERE position = 1",
        "UPDATE text SET label = 'fare' WHERE position = 1",
        "UPDATE text SET annotator = 'Bob' WHERE position = 1",
    ],
)
def test_a_difference_from_the_log_is_found_and_mended(store: Store, fault: str) -> None:
    project, ids = conflict_project(store)
    record_decision(store, ids[1], "flight", "Dora")
    before = texts_of(store, project.id)
    with store.writing() as connection:
        connection.execute(sql(fault))
    [reported] = verify_store(store)
    assert "1 label differs from the log" in reported
    assert rebuild_store(store) == 1
    assert verify_store(store) == ()
    assert texts_of(store, project.id) == before


def test_the_policy_is_in_the_log(store: Store) -> None:
    project, _ = conflict_project(store)
    assert project.policy == "every"
    assert set_policy(store, project.id, Policy("least", 3), person="Dora").policy == "least:3"
    [event] = list_events(store, project.id, kinds=("policy",))
    assert (event.person, event.value) == ("Dora", "least:3")
    assert verify_store(store) == ()
    with store.writing() as connection:
        connection.execute(sql("UPDATE project SET policy = 'every'"))
    [reported] = verify_store(store)
    assert reported.endswith("the policy is 'every', the log says 'least:3'.")
    assert rebuild_store(store) == 1
    assert get_project(store, project.id).policy == "least:3"


def test_an_archive_and_a_backup_keep_both(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, ids = conflict_project(store)
    set_policy(store, project.id, Policy("agreed"), person="Dora")
    record_decision(store, ids[1], "flight", "Dora")
    record_decision(store, ids[2], "baggage", "Eve")
    undo_last_action(store, project.id, "Eve", (DECISION,))
    archive = export_project(store, project.id)
    again = import_archive(store, archive, "Finn")
    assert again.policy == "agreed"
    reported = [(t.text, t.gold, t.label, t.annotator, t.decided) for t in texts_of(store, project.id)]
    assert [(t.text, t.gold, t.label, t.annotator, t.decided) for t in texts_of(store, again.id)] == reported
    [_, event] = list_events(store, again.id, kinds=(DECISION,))
    assert event.data == {"between": {"Ann": "flight", "Bob": "baggage"}}
    assert verify_store(store) == ()
    assert len(undo_last_action(store, again.id, "Dora", (DECISION,))) == 1  # undo goes on there
    write_backup(store, tmp_path / "kept.zip")
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "elsewhere"))
    with open_store(None) as other:
        read_backup(other, tmp_path / "kept.zip")
        assert get_project(other, project.id).policy == "agreed"
        assert texts_of(other, project.id) == texts_of(store, project.id)
        assert verify_store(other) == ()


def test_a_decision_of_spans_is_checked(store: Store) -> None:
    made = create_project(
        store,
        name="S",
        task=Task.SLOT_FILLING,
        examples=Corpus((Example("to new york"),)),
        rules_text="",
        logic_text="",
        author="A",
    )
    [text] = texts_of(store, made.id)
    record_decision(store, text.id, '[[3, 11, "city"]]', "Dora")
    assert get_text(store, text.id).label == '[[3,11,"city"]]'
    with pytest.raises(InputError, match="begins at 4, where no word begins"):
        record_decision(store, text.id, '[[4, 11, "city"]]', "Dora")


@pytest.mark.parametrize("written", ["every", "agreed", "decided", "least:2", "least:20"])
def test_a_policy_reads_back(written: str) -> None:
    assert read_policy(written).written == written


@pytest.mark.parametrize("written", ["", "none", "least", "least:1", "least:21", "least:x", "every:2", "least:²"])
def test_what_is_no_policy_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="The policy must be 'every', 'agreed', 'decided', or 'least:'"):
        read_policy(written)


def everything_for(store: Store, project_id: int, person: str) -> list[int]:
    """The texts that this person gets until there are none, skipped one after the other."""
    got = []
    lease = lease_next(store, project_id, person)
    while lease is not None:
        got.append(lease.text.id)
        lease = skip(store, lease.text.id, person)
    return got


def test_what_is_decided_goes_out_to_nobody_else(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[3:5], overlap=3)
    record_decision(store, ids[3], "flight", "Dora")
    counts = count_queue(store, project.id)
    # Ann has annotated the second text, so two more wait for it, and none for the first.
    assert (counts.done, counts.held, counts.waiting, counts.second) == (0, 0, 2, 0)
    assert everything_for(store, project.id, "Eve") == [ids[4]]
    undo_last_action(store, project.id, "Dora", (DECISION,))
    assert count_queue(store, project.id).waiting == 5
    assert everything_for(store, project.id, "Finn") == [ids[3], ids[4]]
    assert verify_store(store) == ()


def test_what_is_decided_goes_out_where_that_was_asked_for(store: Store) -> None:
    project, ids = conflict_project(store)
    record_decision(store, ids[3], "flight", "Dora")
    planned = plan_queue(store, project.id, ids[3:5])
    assert (planned.texts, planned.seats, planned.decided) == (frozenset(), 0, 1)
    assert open_queue(store, project.id, ids[3:5], overlap=2) == 1
    assert everything_for(store, project.id, "Eve") == [ids[4]]
    assert plan_queue(store, project.id, ids[3:5], overlap=2, with_decided=True).seats == 3
    assert open_queue(store, project.id, ids[3:5], overlap=2, with_decided=True) == 3
    assert everything_for(store, project.id, "Finn") == [ids[3], ids[4]]
    record_decision(store, ids[4], "flight", "Dora")
    assert everything_for(store, project.id, "Gus") == [ids[3], ids[4]]
    # Laid out anew without them, they wait for nobody again.
    assert open_queue(store, project.id, ids[3:5], overlap=2) == 0
    assert everything_for(store, project.id, "Hal") == []
    assert verify_store(store) == ()


def test_shares_stay_equal_where_some_texts_are_decided(store: Store) -> None:
    project, ids = conflict_project(store)
    fresh = [ids[3], ids[6]]
    record_decision(store, ids[5], "baggage", "Dora")
    planned = plan_queue(store, project.id, [fresh[0], ids[5], fresh[1]], share_with=("Eve", "Finn"))
    assert planned.by_person == {"Eve": 1, "Finn": 1}


def test_who_holds_a_text_while_it_is_decided_may_still_save(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[3:4], overlap=2)
    assert lease_next(store, project.id, "Eve") is not None
    record_decision(store, ids[3], "flight", "Dora")
    save(store, ids[3], "baggage", "Eve")
    assert stands(store, ids[3]) == ("flight", "Dora", True)
    counts = count_queue(store, project.id)
    assert (counts.done, counts.held, counts.waiting) == (1, 0, 0)
    # Taken back it is theirs again for a while, and nobody else's after that.
    undo_last_action(store, project.id, "Eve")
    assert count_queue(store, project.id).held == 1
    skip(store, ids[3], "Eve")
    assert everything_for(store, project.id, "Finn") == []
    assert verify_store(store) == ()


def test_seats_that_are_open_though_decided_are_found_and_mended(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[3:5], overlap=2)
    record_decision(store, ids[3], "flight", "Dora")
    with store.writing() as connection:
        connection.execute(sql("UPDATE seat SET closed = NOT closed"))
    assert verify_store(store) == (
        "Project 'Conflicts': 2 texts are assigned though adjudicated, or the other way round "
        f"(texts {ids[3]}, {ids[4]}).",
    )
    assert rebuild_store(store) == 3
    assert verify_store(store) == ()
    assert everything_for(store, project.id, "Finn") == [ids[4]]


def test_many_are_confirmed_as_one_action(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids, overlap=3)
    agreed = [(ids[0], "flight"), (ids[4], "flight")]
    # Of the others people differ, say something else, nothing, or have put them aside.
    others = [(ids[1], "flight"), (ids[2], "flight"), (ids[3], "flight"), (ids[5], "baggage")]
    assert confirm_labels(store, [*agreed, *others], "Dora") == (ids[0], ids[4])
    assert confirm_labels(store, [], "Dora") == confirm_labels(store, [(ids[0], "fare")], "Dora") == ()
    assert [stands(store, text_id) for text_id, _ in agreed] == [("flight", "Dora", True)] * 2
    first, second = list_events(store, project.id, kinds=(DECISION,))[::-1]
    assert first.data == {"between": {"Ann": "flight", "Bob": "flight"}, "how": "confirmed"}
    assert second.data == {"between": {"Ann": "flight"}, "how": "confirmed"}
    waiting = count_queue(store, project.id).waiting
    assert len(undo_last_action(store, project.id, "Dora", (DECISION,))) == 2
    assert count_queue(store, project.id).waiting == waiting + 3  # one place of the first text, two of the second
    assert [stands(store, text_id)[2] for text_id, _ in agreed] == [False, False]
    assert confirm_labels(store, agreed, "Dora") == (ids[0], ids[4])
    assert verify_store(store) == ()
    copy = import_archive(store, export_project(store, project.id), "Dora")
    assert [text.decided for text in texts_of(store, copy.id)] == [text.decided for text in texts_of(store, project.id)]
