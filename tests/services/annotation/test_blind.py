"""Who labels blind gets no file with what others said; a text that was labelled again counts once."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.projects.conflicts import conflict_project

from re2nn_core.errors import NotAllowedError
from re2nn_core.exchange.formats import formats_for
from re2nn_core.services.annotation.queue_work import leave, names_in_words
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.projects.exchanging import export_texts
from re2nn_core.services.team.annotations import team_annotations_of
from re2nn_core.services.team.people import AT_THE_MACHINE, Role
from re2nn_core.services.team.team_progress import by_hundreds, over_time, people_progress
from re2nn_core.store import (
    ProjectRecord,
    Store,
    add_account,
    close_queue,
    left_for,
    open_queue,
    open_store,
    record_label,
    waiting_for,
)

Export = Callable[[Store, ProjectRecord, str], Any]


def _as_texts(store: Store, project: ProjectRecord, person: str) -> Any:
    return export_texts(store, project, io.BytesIO(), formats_for(project.task)[0], person=person)


def _as_archive(store: Store, project: ProjectRecord, person: str) -> Any:
    return export_project(store, project.id, person=person)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def people(store: Store) -> None:
    roles: dict[str, Role] = {"Dora": "owner", "Rae": "reviewer", "Ann": "annotator"}
    for name, role in roles.items():
        add_account(store, name=name, role=role, password_hash="none", person=AT_THE_MACHINE)


@pytest.mark.parametrize("export", [_as_texts, _as_archive])
def test_who_labels_blind_gets_no_file(store: Store, people: None, export: Export) -> None:
    project, ids = conflict_project(store)
    assert export(store, project, "Ann")
    open_queue(store, project.id, ids, overlap=2, blind=False)
    assert export(store, project, "Ann")
    close_queue(store, project.id)
    open_queue(store, project.id, ids, overlap=2, blind=True)
    with pytest.raises(NotAllowedError) as refused:
        export(store, project, "Ann")
    assert str(refused.value) == (
        "The queue is blind: annotations of others are hidden until it is closed. Ask a reviewer or an "
        "owner of the project for the file."
    )
    assert export(store, project, "Rae")
    close_queue(store, project.id)
    assert export(store, project, "Ann")


def test_a_text_labelled_again_counts_once_in_table_and_figure(store: Store) -> None:
    project, ids = conflict_project(store)
    record_label(store, ids[1], "flight", "Bob")  # he had said something else
    annotated = team_annotations_of(store, project.id)
    table = {person.name: person.texts for person in people_progress(annotated) if person.texts}
    assert table == {"Ann": 4, "Bob": 3, "Cleo": 1}
    for periods in (over_time(annotated)[1], by_hundreds(annotated)):
        drawn: dict[str, int] = {}
        for period in periods:
            for person, count in period.counts.items():
                drawn[person] = drawn.get(person, 0) + count
        assert drawn == table


def test_for_whom_judgements_wait(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[4:], overlap=2, share_with=["Ann", "Finn"])
    # Ann has annotated the first of the three, and the second is flagged.
    assert waiting_for(store, project.id) == {"Ann": 1, "Finn": 2}
    assert names_in_words(["Ann"]) == "Ann"
    assert names_in_words(["Ann", "Finn"]) == "Ann and Finn"
    assert names_in_words([str(number) for number in range(8)]) == "0, 1, 2, 3, 4 and 3 others"


def test_a_skip_says_who_gets_the_text(store: Store) -> None:
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[3:4], share_with=["Ann"])
    assert left_for(store, ids[3]) == ("Ann",)
    assert leave(store, ids[3], "Ann").startswith("Skipped. It was assigned only to you, so nobody gets it")
    open_queue(store, project.id, ids[6:], overlap=2, share_with=["Ann", "Finn"])
    assert leave(store, ids[6], "Ann") == "Skipped; Finn gets it."
    open_queue(store, project.id, ids[3:4])
    assert leave(store, ids[3], "Finn") == "Skipped; another annotator gets it."


def test_a_skip_of_the_only_person(store: Store) -> None:
    add_account(store, name="Ann", role="owner", password_hash="none", person=AT_THE_MACHINE)
    project, ids = conflict_project(store)
    open_queue(store, project.id, ids[6:])
    assert leave(store, ids[6], "Ann") == "Skipped. No other annotator can get it; press U to undo."
