"""The log tells everything: what is written into it, that tables follow from it, and that any difference is found."""

from __future__ import annotations

import pytest
from sqlalchemy import text as sql

from re2nn_core.errors import InputError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    add_texts,
    create_run,
    finish_run,
    get_project,
    heartbeat,
    latest_version,
    list_events,
    list_versions,
    mark_lost,
    rebuild_store,
    record_label,
    record_labels,
    rename_project,
    request_cancel,
    save_version,
    set_slot_case,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.text.corpus import Corpus, Example


def work(store: Store, project: ProjectRecord) -> None:
    """A little of everything."""
    texts = texts_of(store, project.id)
    rename_project(store, project.id, "Journeys", person="Bob")
    set_slot_case(store, project.id, ignore=True, person="Bob")
    add_texts(store, project.id, Corpus((Example("one more", "fare"), Example("two"))), person="Cleo")
    record_label(store, texts[0].id, "meal", "Ann")
    record_labels(store, [(text.id, "fare") for text in texts[1:4]], "Bob", how="accepted")
    record_label(store, texts[1].id, "meal", "Ann")
    undo_last_action(store, project.id, "Bob")
    save_version(
        store, project.id, rules_text="[fare]\nfare\n", logic_text="", author="Ann", message="m", expected_number=1
    )
    version = latest_version(store, project.id)
    run = create_run(store, project.id, "train", rule_version_id=version.id, config={"rate": 1}, person="Ann")
    finish_run(store, run.id, "done", result={"accuracy": 0.5})
    request_cancel(store, create_run(store, project.id, "train").id)
    lost = create_run(store, project.id, "train")
    mark_lost(store, dead_runs=[lost.id])
    heartbeat(store, lost.id)


def test_everything_is_told_with_who_and_when(store: Store, project: ProjectRecord) -> None:
    work(store, project)
    reported = list_events(store, project.id)
    assert [(event.kind, event.person) for event in reversed(reported)] == [
        ("project", "Ann"),
        ("texts", "Ann"),
        ("version", "Ann"),
        ("rename", "Bob"),
        ("slot_case", "Bob"),
        ("texts", "Cleo"),
        ("label", "Ann"),
        ("label", "Bob"),
        ("label", "Bob"),
        ("label", "Bob"),
        ("label", "Ann"),
        ("undo", "Bob"),
        ("undo", "Bob"),
        ("undo", "Bob"),
        ("version", "Ann"),
        ("run", "Ann"),
        ("run_end", ""),
        ("run", ""),
        ("run_end", ""),
        ("run", ""),
        ("run_end", ""),
        ("run_found", ""),
    ]
    assert [event.data for event in reported if event.person == "Bob" and event.kind == "label"] == [
        {"how": "accepted"}
    ] * 3
    assert get_project(store, project.id).updated_at == reported[0].created_at


def test_the_log_is_read_by_page_and_filter(store: Store, project: ProjectRecord) -> None:
    work(store, project)
    everything = list_events(store, project.id)
    first = list_events(store, project.id, limit=10)
    assert first + list_events(store, project.id, before=first[-1].id) == everything
    assert {event.person for event in list_events(store, project.id, person="Bob")} == {"Bob"}
    assert {event.kind for event in list_events(store, project.id, kinds=("version", "run"))} == {"version", "run"}
    text = texts_of(store, project.id)[1]
    assert [e.kind for e in list_events(store, project.id, text_id=text.id)] == ["undo", "label", "label"]


def test_tables_follow_from_the_log(store: Store, project: ProjectRecord) -> None:
    work(store, project)
    assert verify_store(store) == ()
    assert rebuild_store(store) == 0


@pytest.mark.parametrize(
    ("fault", "reported"),
    [
        ("UPDATE project SET name = 'X'", "the name is 'X', the log says 'Journeys'."),
        ("UPDATE rule_version SET rules_text = 'x' WHERE number = 1", "the record of rules v1 differs from the log."),
        (
            "UPDATE rule_version SET sentences_text = 'x' WHERE number = 1",
            "the record of rules v1 differs from the log.",
        ),
        ("DELETE FROM rule_version WHERE number = 1", "the record of rules v1 is in the log but not in its table."),
        ("UPDATE run SET state = 'failed' WHERE state = 'done'", "run 1 differs from the log."),
        ("UPDATE text SET label = 'x' WHERE id = 1", "1 label differs from the log (texts 1)."),
        ("UPDATE text SET label = NULL, annotator = NULL WHERE id = 1", "1 label differs from the log (texts 1)."),
        ("UPDATE text SET label = 'x' WHERE id = 5", "1 label differs from the log (texts 5)."),
        ("UPDATE text SET annotator = 'Zoe' WHERE id = 1", "1 label differs from the log (texts 1)."),
        ("UPDATE text SET text = 'x' WHERE id = 2", "texts from position 0 to 4 were changed."),
        ("UPDATE text SET split = 'dev' WHERE id = 2", "texts from position 0 to 4 were changed."),
        ("DELETE FROM text WHERE id = 7", "1 text from position 5 on is missing."),
    ],
)
def test_every_difference_is_found(store: Store, project: ProjectRecord, fault: str, reported: str) -> None:
    work(store, project)
    with store.writing() as connection:
        connection.execute(sql(fault))
    assert [found.partition(": ")[2] for found in verify_store(store)] == [reported]


@pytest.mark.parametrize(
    "fault",
    [
        "UPDATE project SET name = 'X', ignore_slot_case = false",
        "UPDATE rule_version SET rules_text = 'x', sentences_text = 'y', author = 'Zoe'",
        "UPDATE run SET state = 'failed', result = NULL WHERE state = 'done'",
        "UPDATE text SET label = 'x', annotator = 'Zoe'",
        "UPDATE text SET label = NULL, annotator = NULL",
    ],
)
def test_what_is_wrong_is_written_again(store: Store, project: ProjectRecord, fault: str) -> None:
    work(store, project)
    before = get_project(store, project.id), texts_of(store, project.id), list_versions(store, project.id)
    with store.writing() as connection:
        connection.execute(sql(fault))
    assert verify_store(store) != ()
    assert rebuild_store(store) > 0
    assert verify_store(store) == ()
    assert (get_project(store, project.id), texts_of(store, project.id), list_versions(store, project.id)) == before


def test_an_event_is_written_with_its_change_or_not_at_all(store: Store, project: ProjectRecord) -> None:
    before = list_events(store, project.id)
    with pytest.raises(InputError, match="the annotator's name has 101 characters"):
        rename_project(store, project.id, "New", person="x" * 101)
    assert get_project(store, project.id).name == "Trips"
    assert list_events(store, project.id) == before
