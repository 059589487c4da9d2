"""What a former version wrote is opened by this one: models, a backup, a database, archives (tests/testdata/former)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.projects.former_version import FORMER, JOURNEYS, TRIPS, TRIPS_LOGIC, TRIPS_RULES

from re2nn_core.services.projects.projects import import_archive
from re2nn_core.store import (
    Store,
    label_counts,
    label_history,
    labelled_by,
    list_events,
    list_projects,
    list_versions,
    open_store,
    read_kept_queue,
    texts_of,
    verify_store,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example

TRIPS_SENTENCES = '[price]\nmust = ["what is the fare"]\nmust_not = ["a flight to oslo"]\n'


JOURNEYS_RULES = (
    "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\n",
    "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\n"
    "from_to := $* from [ @city@ ]<from_city> to $*\n"
    'day := $* on ( monday | friday | foot )<:>day $*     // "on foot" is no day\n',
)


JOURNEYS_LOGIC = 'priorities = ["to_city > from_city"]\nlongest = true\n'


FIRST_SPANS = '[[12,18,"to_city"],[22,28,"day"]]'


# The store


def test_the_log_and_the_tables_of_the_store_are_equal(store: Store) -> None:
    assert verify_store(store) == ()


def test_projects_are_as_they_were(store: Store) -> None:
    journeys, trips = list_projects(store)
    assert (trips.project.id, trips.project.name, trips.project.task) == (TRIPS, "Trips", "classification")
    assert trips.project.description == "Where to, and for how much"
    assert (trips.project.tokenization.kind, trips.project.policy) == ("punctuation", "agreed")
    assert (trips.texts, trips.labelled, trips.runs, trips.last_accuracy) == (83, 83, 6, 1.0)
    assert (journeys.project.id, journeys.project.name, journeys.project.task) == (
        JOURNEYS,
        "Journeys",
        Task.SLOT_FILLING,
    )
    assert (journeys.project.tokenization.kind, journeys.project.ignore_slot_case) == ("whitespace", True)
    assert (journeys.texts, journeys.labelled, journeys.runs) == (43, 43, 1)


def test_texts_and_labels_are_as_they_were(store: Store) -> None:
    check_trips(store, TRIPS)
    check_journeys(store, JOURNEYS)
    history = label_history(store, TRIPS)
    assert [(event.id, event.text_id, event.undoes) for event in history if event.action == "undo"] == [
        (11, 1, 10),
        (9, 82, 8),
    ]


def check_trips(store: Store, project_id: int) -> None:
    """The project for labels, from the store or from its archive."""
    texts = texts_of(store, project_id)
    assert [(t.text, t.gold, t.label, t.annotator, t.decided, t.split) for t in (texts[0], *texts[-4:])] == [
        ("i want to fly to boston", "travel", "travel", None, False, "train"),
        ("price of a flight to athens", "money", "money", None, False, "test"),
        ("the cost of planes", None, "money", "Cléo", True, "train"),
        ("flights and fares to oslo", None, "money", "Ann", False, "train"),
        ("Ärger mit dem Flug", None, "travel", "Bob", False, None),
    ]
    assert [(e.label, e.annotator, e.action) for e in reversed(label_history(store, project_id))] == [
        ("money", "Ann", "label"),
        ("travel", "Bob", "label"),
        ("money", "Ann", "label"),
        ("travel", "Ann", "label"),
        ("travel", "Ann", "undo"),
        ("money", "Bob", "label"),
        ("money", "Bob", "undo"),
        ("travel", "Bob", "label"),
    ]
    assert labelled_by(store, project_id) == {"Ann": 2, "Bob": 2}
    assert label_counts(store, project_id) == {"money": 42, "travel": 41}
    assert [(v.number, v.rules_text, v.logic_text, v.author, v.message) for v in list_versions(store, project_id)] == [
        (2, TRIPS_RULES[1], TRIPS_LOGIC, "Bob", "how much, and to which city"),
        (1, TRIPS_RULES[0], TRIPS_LOGIC, "Ann", "First version"),
    ]
    assert [version.sentences_text for version in list_versions(store, project_id)] == [TRIPS_SENTENCES, ""]
    kept = read_kept_queue(store, project_id)
    assert kept is not None
    assert (kept.queue.overlap, kept.queue.blind, kept.queue.lease_seconds) == (2, True, 600)
    assert sorted((seat.position, seat.assigned) for seat in kept.seats) == [
        (1, "Ann"),
        (1, "Bob"),
        (2, "Ann"),
        (2, "Bob"),
    ]


def check_journeys(store: Store, project_id: int) -> None:
    """The project for slots, from the store or from its archive."""
    texts = texts_of(store, project_id)
    assert [(t.text, t.gold, t.label, t.annotator, t.split) for t in (texts[0], *texts[-2:])] == [
        ("a flight to boston on monday", FIRST_SPANS, FIRST_SPANS, None, "train"),
        ("good morning", "[]", "[]", None, "train"),
        ("fly to vienna on sunday", None, '[[7,13,"to_city"],[17,23,"day"]]', "Bob", "train"),
    ]
    assert [(e.label, e.annotator, e.action) for e in reversed(label_history(store, project_id))] == [
        ('[[7,13,"to_city"]]', "Ann", "label"),
        ('[[7,13,"to_city"],[17,23,"day"]]', "Bob", "label"),
        ("[]", "Ann", "label"),
        ("[]", "Ann", "undo"),
    ]
    assert [(v.number, v.rules_text, v.logic_text, v.author, v.message) for v in list_versions(store, project_id)] == [
        (2, JOURNEYS_RULES[1], JOURNEYS_LOGIC, "Bob", "from and day"),
        (1, JOURNEYS_RULES[0], "", "Ann", "First version"),
    ]


def test_the_log_tells_who_did_what(store: Store) -> None:
    reported = [(event.kind, event.person) for event in reversed(list_events(store, JOURNEYS))]
    assert reported == [
        ("project", "Ann"),
        ("texts", "Ann"),
        ("version", "Ann"),
        ("version", "Bob"),
        ("label", "Ann"),
        ("label", "Bob"),
        ("label", "Ann"),
        ("undo", "Ann"),
        ("run", "Bob"),
        ("run_end", ""),
    ]


# Archives of single projects


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


def test_an_archive_of_a_project_for_labels_is_imported(empty: Store) -> None:
    project = import_archive(empty, FORMER / "labels.zip", "Ann")
    assert (project.name, project.task, project.policy) == ("Trips", "classification", "agreed")
    assert project.tokenization.kind == "punctuation"
    check_trips(empty, project.id)
    assert verify_store(empty) == ()


def test_an_archive_of_a_project_for_slots_is_imported(empty: Store) -> None:
    project = import_archive(empty, (FORMER / "slots.zip").read_bytes(), "Ann", name="Once more")
    assert (project.name, project.task, project.ignore_slot_case) == ("Once more", Task.SLOT_FILLING, True)
    check_journeys(empty, project.id)
    assert verify_store(empty) == ()


def test_the_archive_and_the_store_hold_the_same_texts(empty: Store, store: Store) -> None:
    project = import_archive(empty, FORMER / "labels.zip", "Ann")
    assert corpus_of(empty, project.id) == corpus_of(store, TRIPS)


def corpus_of(store: Store, project_id: int) -> Corpus:
    """The texts of a project with their labels."""
    return Corpus(tuple(Example(text.text, text.label, text.split) for text in texts_of(store, project_id)))
