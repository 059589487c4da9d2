"""What the editor's messages do to a text of a team's queue."""

from __future__ import annotations

import pytest
from support.projects.finished_tagger_run import slot_project

from re2nn_core.services.annotation.annotation_queue import LATE, AnnotationQueueState
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState, SpanMessage, SpanWork
from re2nn_core.services.annotation.team_annotation import TeamQueueState, take_leased_text
from re2nn_core.services.annotation.team_span_annotation import TeamSpanWork, handle_team_span_message, save_team_spans
from re2nn_core.services.prediction.slot_filling.predictions import predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.store import Store, get_text, latest_version, open_queue, texts_of
from re2nn_core.text.spans import Span


@pytest.fixture
def work(store: Store) -> TeamSpanWork:
    """Ann with the first of three texts that nobody has annotated."""
    project = slot_project(store, unannotated=3)
    records = texts_of(store, project.id)
    open_queue(store, project.id, [record.id for record in records if record.label is None])
    team = TeamQueueState(project.id, AnnotationQueueState(project.id))
    lease = take_leased_text(store, "Ann", team)
    assert lease is not None
    system = slot_system_of(project, latest_version(store, project.id))
    predicted = predict_slot_texts(system, None, [record.text for record in records])
    return TeamSpanWork(SpanWork(SpanAnnotationState(team.queue), lease.text, predicted), team)


def test_spans_are_saved_once_and_undone_as_a_draft(store: Store, work: TeamSpanWork) -> None:
    save = SpanMessage("save", work.spans.drawn.id, 1, (Span(1, 3, "kind"),))
    handle_team_span_message(store, "Ann", work, save)
    assert get_text(store, work.spans.drawn.id).label == '[[2,10,"kind"]]'
    assert (work.spans.state.saved, work.spans.state.seen, work.team.queue.message) == (
        work.spans.drawn.id,
        1,
        "1 span",
    )
    handle_team_span_message(store, "Ann", work, save)
    assert work.team.given_after(0) == 1
    handle_team_span_message(store, "Ann", work, SpanMessage("undo", work.spans.drawn.id, 2))
    assert work.spans.state.draft_of(work.spans.drawn.id) == (Span(2, 10, "kind"),)


def test_a_message_for_the_text_before_is_late(store: Store, work: TeamSpanWork) -> None:
    handle_team_span_message(store, "Ann", work, SpanMessage("skip", work.spans.drawn.id + 1, 1))
    assert work.team.queue.message == LATE


def test_a_flag_takes_its_note_along(store: Store, work: TeamSpanWork) -> None:
    handle_team_span_message(store, "Ann", work, SpanMessage("flag", work.spans.drawn.id, 1, note="which?"))
    assert work.team.queue.message == "Flagged for a reviewer."


def test_spans_that_cannot_be_saved_are_a_fault(store: Store, work: TeamSpanWork) -> None:
    assert not save_team_spans(store, "Ann", work, (Span(0, 99, "x"),))
    assert "A span ends at word 99" in str(work.team.queue.fault)
