"""A database server that goes and comes back under a page: one message, the page again by itself, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.app.app_studio import Studio
from support.projects.span_samples import annotated_project, system

from pages._shared import resources
from re2nn_core.errors import UnavailableError
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.span_annotation import (
    SpanAnnotationState,
    SpanMessage,
    SpanWork,
    handle_span_message,
)
from re2nn_core.services.annotation.team_annotation import TeamQueueState, take_leased_text
from re2nn_core.services.annotation.team_span_annotation import TeamSpanWork, handle_team_span_message
from re2nn_core.services.prediction.slot_filling.predictions import predict_slot_texts
from re2nn_core.store import ProjectRecord, Store, get_text, label_history, latest_version, open_queue, texts_of
from re2nn_core.text.spans import Span, read_spans

AWAY = "**The database does not respond.**"
ADDRESS = "10.0.0.5"


class Switch:
    """The database, which can be away; `asked` counts what it was asked meanwhile."""

    away, asked = False, 0


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Switch]:
    switch, errors_for_people = Switch(), Store._errors_for_people

    @contextmanager
    def failing(store: Store) -> Iterator[None]:
        if switch.away:
            switch.asked += 1
            raise UnavailableError(f"The connection to {ADDRESS} was lost.")
        with errors_for_people(store):
            yield

    monkeypatch.setattr(Store, "_errors_for_people", failing)
    monkeypatch.setattr("pages._shared.drawing.messages.database_is_a_server", lambda: True)
    monkeypatch.setattr(resources, "LOOK_AGAIN_SECONDS", 0.0)
    yield switch
    resources._stores().away_at = None


def shown(studio: Studio) -> list[str]:
    return [box.value for box in [*studio.test.error, *studio.test.warning]]


@pytest.mark.parametrize("page", ["projects", "rules", "automaton", "predict", "label", "train", "compare", "team"])
def test_a_page_says_it_once_and_is_there_again(
    studio: Studio, project: ProjectRecord, database: Switch, page: str
) -> None:
    studio.open(page, project=project.id)
    before = studio.html
    database.away = True
    studio.test.run()
    studio.checked()
    [said] = shown(studio)
    assert said.startswith(AWAY)
    assert ADDRESS not in said + studio.html
    database.away = False
    studio.test.run()
    studio.checked()
    assert not [box for box in shown(studio) if AWAY in box]
    assert len(studio.html) == pytest.approx(len(before), rel=0.2)


def test_a_label_that_could_not_be_saved_is_said_and_still_chosen(
    studio: Studio, project: ProjectRecord, store: Store, database: Switch
) -> None:
    studio.open("label", project=project.id)
    [accept] = [button for button in studio.test.button if (button.key or "").startswith("label_accept_")]
    text_id = int(accept.key.rsplit("_", 1)[1])
    studio.test.button(key=f"label_2_{text_id}").click().run()
    chosen = studio.test.button(key=accept.key).label
    database.away = True
    studio.test.button(key=accept.key).click().run()
    studio.checked()
    assert [box.startswith(AWAY) for box in shown(studio)] == [True]
    database.away = False
    studio.test.run()
    assert label_history(store, project.id) == ()
    [said] = shown(studio)
    assert said.startswith("**Saving the label did not work.**")
    assert "nothing was saved" in said
    assert studio.test.button(key=accept.key).label == chosen
    studio.test.button(key=accept.key).click().run()
    studio.checked()
    assert get_text(store, text_id).annotator == "analyst"


@pytest.mark.parametrize("team", [False, True])
def test_spans_that_could_not_be_saved_are_said_and_still_there(
    studio: Studio, store: Store, database: Switch, *, team: bool
) -> None:
    """Of a text of one's own and of one of a team's queue: the text stays with the spans that were typed, and the next
    click saves them."""
    trips = annotated_project(store)
    text_id = texts_of(store, trips.id)[5].id
    if team:
        open_queue(store, trips.id, [text_id])
    studio.test.query_params["person"] = "Ann"
    studio.open("label", project=trips.id)
    marks, save = f"label_marks_{text_id}", f"label_save_{text_id}"
    studio.test.text_area(key=marks).set_value("1-1 place").run()
    before = len(label_history(store, trips.id))
    database.away = True
    studio.test.button(key=save).click().run()
    studio.checked()
    assert [box.startswith(AWAY) for box in shown(studio)] == [True]
    database.away = False
    studio.test.run()
    assert len(label_history(store, trips.id)) == before
    [said] = shown(studio)
    assert said.startswith("**Saving the spans did not work.**")
    assert "nothing was saved" in said
    assert studio.test.text_area(key=marks).value.startswith("1-1 place")
    studio.test.button(key=save).click().run()
    studio.checked()
    assert [span.slot for span in read_spans(get_text(store, text_id).label or "")] == ["place"]


@pytest.mark.parametrize("team", [False, True])
def test_spans_of_the_editor_that_could_not_be_saved_stay_in_its_draft(
    store: Store, database: Switch, *, team: bool
) -> None:
    """What the editor in the browser sends; it keeps its spans until they are said to be saved."""
    trips = annotated_project(store)
    record = texts_of(store, trips.id)[5]
    predicted = predict_slot_texts(system(), None, [text.text for text in texts_of(store, trips.id)])
    held = TeamQueueState(trips.id, AnnotationQueueState(trips.id))
    if team:
        open_queue(store, trips.id, [record.id])
        assert take_leased_text(store, "Ann", held) is not None
    else:
        held.queue.lay_out("test", [record.id])
    annotation = SpanAnnotationState(held.queue)
    work = SpanWork(annotation, record, predicted)

    def press(number: int) -> None:
        message = SpanMessage("save", record.id, number, (Span(1, 2, "place"),))
        if team:
            handle_team_span_message(store, "Ann", TeamSpanWork(work, held), message)
        else:
            handle_span_message(store, "Ann", work, message, lambda: texts_of(store, trips.id))

    database.away = True
    press(1)
    assert isinstance(annotation.queue.fault, UnavailableError)
    assert (annotation.saved, annotation.queue.text_id) == (None, record.id)
    database.away = False
    assert get_text(store, record.id).label is None
    press(2)
    assert [span.slot for span in read_spans(get_text(store, record.id).label or "")] == ["place"]
    assert annotation.saved is not None


def test_unsaved_rules_are_kept(studio: Studio, project: ProjectRecord, store: Store, database: Switch) -> None:
    studio.open("rules", project=project.id)
    written = studio.test.text_area(key=f"_rules_editor_{project.id}_plain_0").value + "\nlate := $* late $*\n"
    studio.test.text_area(key=f"_rules_editor_{project.id}_plain_0").input(written).run()
    database.away = True
    studio.test.button(key="rules_save").click().run()
    studio.checked()
    assert [box.startswith(AWAY) for box in shown(studio)] == [True]
    database.away = False
    studio.test.run()
    assert latest_version(store, project.id).number == 1
    assert studio.test.text_area(key=f"_rules_editor_{project.id}_plain_0").value == written
    studio.test.button(key="rules_save").click().run()
    assert "late := $* late $*" in latest_version(store, project.id).rules_text


def test_all_sessions_together_look_seldom(database: Switch, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "LOOK_AGAIN_SECONDS", 60.0)
    database.away = True
    assert [resources.database_predictions() for _ in range(50)] == [False] * 50
    assert database.asked == 1


def test_an_error_of_a_database_that_answers_is_an_error_in_its_place(
    studio: Studio, project: ProjectRecord, database: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UnavailableError(f"No space left on the disk of the server of {ADDRESS}.")

    monkeypatch.setattr("pages._projects.cards.list_projects", full)
    studio.open("projects")
    said = shown(studio)
    assert "did not work" in said[0]
    assert not [box for box in said if ADDRESS in box or AWAY in box]
    assert len(texts_of(resources.store(), project.id)) > 0
