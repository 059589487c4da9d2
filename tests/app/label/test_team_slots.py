"""The page Label over a team's queue in a project for slots: saved, skipped, flagged, settled, undone, lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update
from support.app.app_studio import Studio
from support.projects.span_samples import annotated_project

from re2nn_core.store import ProjectRecord, Store, flagged_texts, get_text, given_annotations, open_queue, texts_of
from re2nn_core.store.checks import now
from re2nn_core.store.schema import SeatRow
from re2nn_core.text.spans import read_spans


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return annotated_project(store)


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    return [record.id for record in texts_of(store, project.id)]


def person(name: str, project: ProjectRecord) -> Studio:
    studio = Studio()
    studio.test.query_params["person"] = name
    studio.open("label", project=project.id)
    return studio


def shown(studio: Studio) -> int:
    [save] = [button for button in studio.test.button if (button.key or "").startswith("label_save_")]
    return int(save.key.rsplit("_", 1)[1])


def press(studio: Studio, what: str) -> int:
    text_id = shown(studio)
    studio.test.button(key=f"label_{what}_{text_id}").click().run()
    studio.checked()
    return text_id


def test_marks_are_saved_skipped_and_flagged_and_all_of_it_undone(
    store: Store, project: ProjectRecord, ids: list[int]
) -> None:
    open_queue(store, project.id, ids[:4])
    ann = person("Ann", project)
    ann.test.text_area(key=f"label_marks_{ids[0]}").set_value("1-1 thing").run()
    assert press(ann, "save") == ids[0]
    assert [span.slot for span in read_spans(get_text(store, ids[0]).label or "")] == ["thing"]
    assert press(ann, "skip") == ids[1]
    ann.test.text_input(key=f"label_note_{ids[2]}").set_value("where does it end?").run()
    assert press(ann, "flag") == ids[2]
    assert [(text.id, who, note) for text, who, note in flagged_texts(store, project.id)] == [
        (ids[2], "Ann", "where does it end?")
    ]
    again = person("Ann", project)
    for text_id in ids[2::-1]:
        again.test.button(key="label_undo").click().run()
        assert shown(again) == text_id
    assert again.test.text_area(key=f"label_marks_{ids[0]}").value.startswith("1-1 thing")
    assert given_annotations(store, project.id) == {}
    assert flagged_texts(store, project.id) == ()


def test_a_flagged_text_is_settled_with_its_marks(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    press(person("Ann", project), "flag")
    bob = person("Bob", project)
    bob.test.segmented_control(key="label_team_way").set_value("Flagged").run()
    assert "Flagged by <b>Ann</b> without a note" in bob.html
    assert press(bob, "save") == ids[0]
    assert get_text(store, ids[0]).annotator == "Bob"
    assert flagged_texts(store, project.id) == ()


def test_a_lost_text_is_told_at_the_next_key(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    ann = person("Ann", project)
    with store.writing() as connection:
        connection.execute(
            update(SeatRow).where(SeatRow.text_id == ids[0]).values(held_until=now() - timedelta(hours=1))
        )
    assert shown(person("Bob", project)) == ids[0]
    # Any key asks for the text again; whoever was too slow is reported before more is written.
    ann.test.text_area(key=f"label_marks_{ids[0]}").set_value("1-1 thing").run()
    assert "Your time for this text ran out, and Bob has it now. Nothing was stored." in ann.messages
    assert shown(ann) == ids[1]


def test_what_another_said_is_no_proposal(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1], overlap=2)
    ann = person("Ann", project)
    offered = ann.test.text_area(key=f"label_marks_{ids[0]}").value
    ann.test.text_area(key=f"label_marks_{ids[0]}").set_value("1-1 thing").run()
    press(ann, "save")
    bob = person("Bob", project)
    assert bob.test.text_area(key=f"label_marks_{ids[0]}").value == offered
    assert "Ann has annotated it; one more annotation is needed." in bob.html
    open_queue(store, project.id, ids[:1], overlap=2, blind=True)
    assert "Ann has marked it" not in person("Bob", project).html


def test_what_a_rule_marks_is_accepted_at_once(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_team_way").set_value("Many texts").run()
    accept = ann.checked().button(key="bulk_accept")
    assert not accept.disabled
    accept.click().run()
    done = given_annotations(store, project.id)
    assert done
    assert f"{len(done)} predictions were accepted; press U to undo all of them." in ann.html
    ann.test.button(key="label_undo").click().run()
    assert given_annotations(store, project.id) == {}


def test_a_wrong_line_keeps_the_text(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    ann = person("Ann", project)
    ann.test.text_area(key=f"label_marks_{ids[0]}").set_value("thing").run()
    press(ann, "save")
    assert "is not a span" in ann.messages
    assert shown(ann) == ids[0]
    assert ann.test.text_area(key=f"label_marks_{ids[0]}").value == "thing"
