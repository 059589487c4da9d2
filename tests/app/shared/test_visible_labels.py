"""What an annotator who labels blind sees of the labels of others, page by page: none; a reviewer sees them all."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import learnable_project

from re2nn_core.store import ProjectRecord, Store, open_queue, record_label, texts_of

THEIRS = "zebra"  # a label that nobody else gave
ME = "analyst"
LEFT_OUT = "Their labels are hidden here."


@pytest.fixture
def annotated(store: Store) -> ProjectRecord:
    """A project whose blind queue is at work: Zoe has annotated one text of two."""
    project = learnable_project(store, unlabelled=2)
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids, overlap=2, blind=True)
    record_label(store, ids[0], THEIRS, "Zoe")
    return project


@pytest.fixture
def as_annotator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re2nn_core.services.team.annotations.role_of_person", lambda store, person: "annotator")
    monkeypatch.setattr(
        "pages._shared.session.access.why_not", lambda role: None if role == "annotator" else "No permission."
    )


def on_the_page(studio: Studio, page: str, project: ProjectRecord) -> str:
    studio.open(page, project=project.id)
    if page == "predict":
        studio.test.segmented_control(key="predict_way").set_value("project").run()
        studio.checked()
    return studio.html


@pytest.mark.usefixtures("as_annotator")
def test_who_labels_blind_sees_no_label_of_others(studio: Studio, annotated: ProjectRecord) -> None:
    for page in ("rules", "predict"):
        html = on_the_page(studio, page, annotated)
        assert LEFT_OUT in html, page
        assert THEIRS not in html, page
        assert ("of all 64 labelled" in html) == (page == "rules")
    for page in ("train", "compare"):
        html = on_the_page(studio, page, annotated)
        assert "The queue is blind" in html, page
        assert "Your own progress is on Team." in html, page
    studio.open("automaton", project=annotated.id)
    assert THEIRS not in studio.html
    studio.open("projects", project=annotated.id)
    assert "Files and archives contain all labels. The queue is blind" in studio.html
    assert not [box for box in studio.test.selectbox if (box.key or "").startswith("format_")]


@pytest.mark.usefixtures("as_annotator")
def test_labels_of_the_data_are_hidden_while_their_texts_are_judged(
    studio: Studio, store: Store, annotated: ProjectRecord
) -> None:
    labelled = [record.id for record in texts_of(store, annotated.id) if record.gold is not None]
    assert len(labelled) == 64
    open_queue(store, annotated.id, labelled[:4], overlap=2, blind=True)
    assert "of all 60 labelled" in on_the_page(studio, "rules", annotated)
    record_label(store, labelled[0], "mine", ME)
    assert "of all 61 labelled" in on_the_page(studio, "rules", annotated)


@pytest.mark.usefixtures("as_annotator")
def test_own_labels_stay_where_others_judged_later(studio: Studio, store: Store, annotated: ProjectRecord) -> None:
    ids = [record.id for record in texts_of(store, annotated.id) if record.gold is None]
    record_label(store, ids[0], "mine", ME)
    record_label(store, ids[0], THEIRS, "Zoe")
    html = on_the_page(studio, "rules", annotated)
    assert "of all 65 labelled" in html
    assert THEIRS not in html


@pytest.mark.usefixtures("as_annotator")
def test_who_labels_blind_sees_their_own_progress_alone(studio: Studio, store: Store, annotated: ProjectRecord) -> None:
    studio.open("team", project=annotated.id)
    assert "<b>0</b> <span>annotated by you" in studio.html
    assert "You have not annotated a text in this application yet." in studio.html
    [text_id] = [one.id for one in texts_of(store, annotated.id) if one.annotator == "Zoe"]
    record_label(store, text_id, "mine", ME)
    studio.open("team", project=annotated.id)
    assert "<b>1</b> <span>annotated by you" in studio.html
    assert "2 annotations done" in studio.html
    for theirs in (THEIRS, "Zoe", "wait for review", "settled"):
        assert theirs not in studio.html
    assert "mine" in studio.html


def test_a_reviewer_sees_all(studio: Studio, annotated: ProjectRecord) -> None:
    for page in ("predict", "train", "compare", "rules"):
        assert "The queue is blind" not in on_the_page(studio, page, annotated), page
    assert "of all 65 labelled" in studio.html
    studio.open("projects", project=annotated.id)
    assert studio.test.selectbox(key=f"format_{annotated.id}").options
