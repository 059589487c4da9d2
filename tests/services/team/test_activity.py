"""The log in plain words, its filters, and its file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from support.projects.conflicts import Made
from support.projects.span_samples import annotated_project

from re2nn_core.exchange.read import read_table
from re2nn_core.services.team.activity import LogFilter, log_as_csv, read_log
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    DECISION,
    Policy,
    ProjectRecord,
    Store,
    add_finished_run,
    claim_run,
    close_queue,
    create_project,
    create_run,
    finish_run,
    flagged_texts,
    list_events,
    new_folder_name,
    open_queue,
    people_in_log,
    record_decision,
    record_label,
    record_labels,
    request_cancel,
    resolve_flag,
    save_version,
    set_policy,
    skip,
    texts_of,
    undo_last_action,
)
from re2nn_core.store.log.events import append_annotations
from re2nn_core.text.corpus import Corpus, Example


def words(store: Store, project: ProjectRecord, wanted: LogFilter | None = None) -> list[str]:
    return [line.words for line in read_log(store, project, wanted or LogFilter(), limit=100)]


def test_every_event_reads_as_a_sentence(store: Store, made: Made) -> None:
    project, ids = made
    assert words(store, project) == [
        "Bob flagged text 6: =unclear",
        "Ann labelled text 5 as flight",
        "Cleo labelled text 3 as flight; Bob had baggage",
        "Bob labelled text 3 as baggage; as Ann annotated",
        "Ann labelled text 3 as baggage",
        "Bob labelled text 2 as baggage; Ann had flight",
        "Ann labelled text 2 as flight",
        "Bob labelled text 1 as flight; as Ann annotated",
        "Ann labelled text 1 as flight; as in the data",
        "Dora saved rules v1: First version",
        "Dora added 7 texts",
        "Dora created the project 'Conflicts'",
    ]
    record_decision(store, ids[1], "flight", "Dora")
    record_label(store, ids[1], "baggage", "Cleo")
    undo_last_action(store, project.id, "Dora", (DECISION,))
    undo_last_action(store, project.id, "Bob", ANNOTATION_EVENTS)
    skip(store, ids[6], "Ann")
    record_labels(store, [(ids[6], "baggage"), (ids[4], "flight")], "Finn", how="accepted")
    set_policy(store, project.id, Policy("least", 3), person="Dora")
    open_queue(store, project.id, ids, overlap=2, blind=True, share_with=["Ann", "Bob"], person="Dora")
    close_queue(store, project.id)
    save_version(store, project.id, rules_text="[a]\nx\n", logic_text="", author="Eve", message="", expected_number=1)
    undo_last_action(store, project.id, "Ann", ("skip",))
    assert words(store, project)[:-12] == [
        "Ann undid that text 7 was skipped",
        "Eve saved rules v2",
        "Somebody closed the queue",
        "Dora opened a queue of 7 texts, each for 2 people, blind, assigned to Ann, Bob",
        "Dora set the training labels policy: labels that at least 3 annotators agree on",
        "Finn labelled text 5 as flight together with others; as Ann annotated",
        "Finn labelled text 7 as baggage together with others",
        "Ann skipped text 7",
        "Bob undid that text 6 was flagged",
        "Dora undid the adjudication flight for text 2; it is baggage now, as Cleo annotated",
        "Cleo labelled text 2 as baggage; the adjudicated flight stays",
        "Dora adjudicated text 2: flight (between Ann: flight, Bob: baggage)",
    ]


def test_settled_flags_stand_among_flags(store: Store, made: Made) -> None:
    project, ids = made
    resolve_flag(store, ids[5], "Dora")
    undo_last_action(store, project.id, "Dora", ANNOTATION_EVENTS)
    resolve_flag(store, ids[5], "Dora", "flight")
    assert words(store, project, LogFilter(kinds=("flags and skips",))) == [
        "Dora adjudicated text 6, which Bob had flagged",
        "Dora returned text 6, which Bob had flagged",
        "Bob flagged text 6: =unclear",
    ]
    assert words(store, project, LogFilter(kinds=("taken back",))) == [
        "Dora undid the adjudication of text 6; it is flagged again"
    ]


def test_flags_that_were_settled_before_it_was_an_event_of_its_own(store: Store, made: Made) -> None:
    """Older logs tell of it as of an undo, with a word that it was no plain one."""
    project, ids = made
    [flag] = list_events(store, project.id, kinds=("flag",))
    reported = {"project_id": project.id, "kind": "undo", "text_id": ids[5], "value": flag.value, "undoes": flag.id}
    with store.writing() as connection:
        append_annotations(connection, [{**reported, "data": {"settled": True}}], "Dora")
    assert words(store, project)[0] == "Dora adjudicated text 6, which Bob had flagged"
    assert flagged_texts(store, project.id) == ()


def test_runs_end_by_the_program_and_are_named_as_pages_do(store: Store, made: Made) -> None:
    """Never by Somebody: the log names who started the run, also in the file."""
    other = create_project(
        store, name="Other", examples=Corpus((Example("a"),)), rules_text="", logic_text="", author="Rev"
    )
    create_run(store, other.id, "train")
    project, _ = made
    create_run(store, project.id, "curve", person="Rev")
    run = create_run(store, project.id, "train", person="Rev")
    claim_run(store, run.id, max_running=5, pid=1, host="here")
    finish_run(store, run.id, "done", result={})
    assert words(store, project)[:3] == [
        "The program ended run 1, which Rev had started: done",
        "Rev started run 1",
        "Rev started a learning curve",
    ]
    table = read_table(log_as_csv(store, project, LogFilter(kinds=("runs",))), "activity.csv")
    assert [row[1] for row in table.rows] == ["The program", "Rev", "Rev"]
    waiting = create_run(store, project.id, "train", person="Rev")
    request_cancel(store, waiting.id, person="Dora")
    assert words(store, project)[0] == "Dora ended run 2, which Rev had started: cancelled"
    folder = new_folder_name("train")
    add_finished_run(
        store, project.id, "train", folder=folder, rule_version_id=None, config={}, result={}, person="Rev"
    )
    assert words(store, project)[0] == "Rev ended run 3: done"


def test_spans_are_quoted(store: Store) -> None:
    project = annotated_project(store)
    [*_, text] = texts_of(store, project.id)
    record_label(store, text.id, '[[3,7,"to_city"]]', "Ann")
    record_label(store, text.id, "[]", "Bob")
    assert words(store, project)[:2] == [
        "Bob annotated text 6: no spans; Ann had “rome” to_city",
        "Ann annotated text 6: “rome” to_city",
    ]


def test_filters_and_pages(store: Store, made: Made) -> None:
    project, _ = made
    everything = read_log(store, project, LogFilter(), limit=100)
    first = read_log(store, project, LogFilter(), limit=5)
    assert first + read_log(store, project, LogFilter(), before=first[-1].event.id, limit=100) == everything
    assert len(words(store, project, LogFilter(person="Bob"))) == 4
    assert words(store, project, LogFilter(kinds=("flags and skips",))) == ["Bob flagged text 6: =unclear"]
    assert words(store, project, LogFilter(search="3"))[0] == "Cleo labelled text 3 as flight; Bob had baggage"
    assert len(words(store, project, LogFilter(search="#3"))) == 3
    assert len(words(store, project, LogFilter(search="GOOD mor"))) == 3
    assert words(store, project, LogFilter(search="100%")) == []
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert words(store, project, LogFilter(since=tomorrow)) == []
    assert len(words(store, project, LogFilter(until=tomorrow))) == 12
    assert people_in_log(store, project.id) == ("Ann", "Bob", "Cleo", "Dora")


def test_the_file_holds_all_and_is_guarded(store: Store, made: Made) -> None:
    project, ids = made
    record_label(store, ids[6], "baggage", "=Eve")
    data = log_as_csv(store, project, LogFilter())
    assert b",'=Eve," in data
    table = read_table(data, "activity.csv")
    assert len(table.rows) == 13
    assert table.columns[:3] == ("when", "who", "kind")
    assert table.rows[0][1] == "=Eve"  # read back, the guard is off again
