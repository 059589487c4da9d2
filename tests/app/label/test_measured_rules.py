"""Rules for slots where people annotate: what they were worth on annotated texts, and nothing of it for whoever labels
blind."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.projects.finished_tagger_run import slot_project
from support.projects.span_samples import annotated_project

from pages._shared.drawing.tables import MEASURED
from re2nn_core.store import ProjectRecord, Store, open_queue, texts_of

TO = "67% (21% to 94%)"


@pytest.fixture
def trips(store: Store) -> ProjectRecord:
    """Its last text is annotated by nobody; `to` predicts a span in it, of which two of three were right elsewhere."""
    return annotated_project(store)


def test_the_rules_beside_a_text_have_their_precision(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("label", project=trips.id)
    assert f'<span class="re2-muted" title="{MEASURED}">precision {TO}, 3 spans</span>' in studio.html


def test_the_list_has_a_column_of_it_where_there_are_annotated_texts(
    studio: Studio, store: Store, trips: ProjectRecord
) -> None:
    studio.open("label", project=trips.id)
    studio.test.segmented_control(key="label_way").set_value("List").run()
    studio.checked()
    assert list(studio.test.dataframe[0].value["precision"]) == [f"{TO}, 3 spans"]


def test_rules_that_were_never_right_or_wrong_have_none(studio: Studio, store: Store) -> None:
    project = slot_project(store, unannotated=3, rules="number := $* number [ $ ]<number> $*\n")
    studio.open("label", project=project.id)
    studio.test.segmented_control(key="label_way").set_value("List").run()
    studio.checked()
    assert "precision" not in studio.test.dataframe[0].value
    assert "precision" not in studio.html


def test_who_labels_blind_sees_none(
    studio: Studio, store: Store, trips: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would tell of the spans of others."""
    open_queue(store, trips.id, [texts_of(store, trips.id)[5].id], overlap=2, blind=True)
    monkeypatch.setattr("re2nn_core.services.team.annotations.role_of_person", lambda store, person: "annotator")
    monkeypatch.setattr(
        "pages._shared.session.access.why_not", lambda role: None if role == "annotator" else "No permission."
    )
    studio.open("predict", project=trips.id)
    studio.test.segmented_control(key="predict_way").set_value("project").run()
    studio.checked()
    assert list(studio.test.dataframe[0].value["spans"][5]) == ["to_city: rome please"]
    assert not [notes for notes in studio.test.dataframe[0].value["notes"] if "(" in notes]
    assert "precision" not in studio.html
