"""What the page Label does with the messages of the editor of spans."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException
from support.app.marks import ME

from pages._label.slot_filling.message import read_message
from pages._label.slot_filling.parts import handle_message
from pages._shared.session import access, state
from re2nn_core.errors import InputError, NotAllowedError
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState, SpanMessage, SpanWork
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.services.team.accounts import add_person
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.services.team.sign_in import sign_in
from re2nn_core.store import (
    ProjectRecord,
    Store,
    get_text,
    label_history,
    latest_version,
    open_queue,
    record_label,
    texts_of,
)
from re2nn_core.text.spans import Span

ROLES = {"Olga": "owner", ME: "annotator"}


@pytest.fixture
def bench(store: Store, unannotated: ProjectRecord) -> SpanAnnotationState:
    """A bench with the three texts, as the page would lay them out."""
    queue = AnnotationQueueState(unannotated.id)
    queue.lay_out("test", [record.id for record in texts_of(store, unannotated.id) if record.label is None])
    return SpanAnnotationState(queue)


@pytest.fixture
def predicted(store: Store, unannotated: ProjectRecord) -> SpanPredictions:
    system = slot_system_of(unannotated, latest_version(store, unannotated.id))
    return predict_slot_texts(system, None, [record.text for record in texts_of(store, unannotated.id)])


# What the editor in the browser sends.


def send(bench: SpanAnnotationState, store: Store, predicted: SpanPredictions, kind: str, **more: Any) -> None:
    """A message about the text on the bench, as the browser sends it."""
    assert bench.queue.text_id is not None
    drawn = more.pop("drawn", None) or get_text(store, bench.queue.text_id)
    message = read_message({"kind": kind, "text_id": drawn.id, "number": bench.seen + 1, **more})
    assert message is not None
    handle_message(SpanWork(bench, drawn, predicted), message)


def test_a_message_saves_and_goes_on(bench: SpanAnnotationState, store: Store, predicted: SpanPredictions) -> None:
    first = bench.queue.text_id
    send(bench, store, predicted, "save", marks=[[1, 3, "kind"]])
    assert first is not None
    assert get_text(store, first).label == '[[2,10,"kind"]]'
    assert (bench.saved, bench.seen) == (first, 1)
    assert bench.queue.text_id != first
    send(bench, store, predicted, "move", by=-1)
    assert bench.queue.text_id == first
    assert bench.saved is None


def test_a_late_message_for_the_text_before_does_nothing(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    drawn = get_text(store, bench.queue.text_ids[0])
    send(bench, store, predicted, "save", marks=[], drawn=drawn)
    send(bench, store, predicted, "save", marks=[[0, 1, "x"]], drawn=drawn)
    assert get_text(store, drawn.id).label == "[]"
    assert bench.queue.text_id == bench.queue.text_ids[1]
    assert bench.queue.message == "Saved: nothing."
    assert label_history(store, bench.queue.project_id)[1:] == ()


def test_a_message_that_was_broken_off_is_done_when_it_comes_again(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the first undo behind a reload, while the page is drawn."""
    send(bench, store, predicted, "save", marks=[[1, 3, "kind"]])
    first = bench.queue.text_ids[0]
    with monkeypatch.context() as patch:
        patch.setattr(state, "person", broken_off)
        with pytest.raises(RerunException):
            send(bench, store, predicted, "undo")
    assert get_text(store, first).label is not None
    send(bench, store, predicted, "undo")
    assert get_text(store, first).label is None
    assert bench.queue.text_id == first


def broken_off() -> str:
    raise RerunException(RerunData())


def test_marks_of_another_session_are_shown_and_not_overwritten(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    drawn = get_text(store, bench.queue.text_ids[0])
    record_label(store, drawn.id, "[]", "Bob")
    send(bench, store, predicted, "save", marks=[[0, 1, "x"]], drawn=drawn)
    assert get_text(store, drawn.id).annotator == "Bob"
    assert bench.queue.message == "Annotated by Bob a moment ago. Your spans were not saved."
    send(bench, store, predicted, "save", marks=[[0, 1, "x"]])
    assert get_text(store, drawn.id).annotator == ME


@pytest.mark.parametrize("marks", [[[0, 99, "x"]], [[0, 2, "x"], [1, 3, "y"]], [[0, 1, "x" * 300]]])
def test_marks_that_cannot_be_saved_leave_the_text_on_the_screen(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions, marks: list[Any]
) -> None:
    first = bench.queue.text_id
    send(bench, store, predicted, "save", marks=marks)
    assert isinstance(bench.queue.fault, InputError)
    assert (bench.queue.text_id, bench.saved) == (first, None)
    assert label_history(store, bench.queue.project_id) == ()


def ask(bench: SpanAnnotationState, store: Store, predicted: SpanPredictions) -> list[int]:
    """The texts proposed for the word "a"."""
    send(bench, store, predicted, "count", marks=[[0, 1, "article"]])
    assert bench.notice is not None
    return [proposal.text_id for proposal in bench.notice.proposals]


def annotated(store: Store, bench: SpanAnnotationState) -> list[int]:
    return [record.id for record in texts_of(store, bench.queue.project_id) if record.annotator == ME]


def test_the_same_words_are_saved_in_the_texts_that_were_selected(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    proposed = ask(bench, store, predicted)
    assert bench.notice is not None
    assert [act.kind for act in bench.notice.acts] == ["all", ""]
    # 16 of the texts with spans begin with "a", and the two other ones without.
    assert len(proposed) == 18
    assert "“a” has no span in 18 other texts without an annotation." in bench.notice.sentence
    assert annotated(store, bench) == []  # nothing is saved until it is confirmed
    kept = [text_id for text_id in proposed if text_id != proposed[3]]
    send(bench, store, predicted, "all", texts=kept)
    assert annotated(store, bench) == kept
    assert all((get_text(store, text_id).label or "").startswith('[[0,1,"article"]') for text_id in kept)
    assert bench.notice.sentence == "“a” is now article in 17 other texts."
    assert [act.title for act in bench.notice.acts] == ["Review texts", "Undo", "Close"]
    assert bench.queue.text_id == bench.queue.text_ids[0]
    assert get_text(store, bench.queue.text_ids[0]).annotator is None
    send(bench, store, predicted, "undo")
    assert bench.queue.text_id == bench.queue.text_ids[0]
    assert "17 texts" in bench.undone
    assert annotated(store, bench) == []


@pytest.mark.parametrize("texts", [[], [999_999]])
def test_without_a_selected_text_nothing_is_saved(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions, texts: list[int]
) -> None:
    ask(bench, store, predicted)
    send(bench, store, predicted, "all", texts=texts)
    assert label_history(store, bench.queue.project_id) == ()
    assert bench.queue.fault is None


def test_a_text_that_changed_since_it_was_shown_is_not_saved(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    first, second, *_ = ask(bench, store, predicted)
    record_label(store, first, "[]", "Bob")
    send(bench, store, predicted, "all", texts=[first, second])
    assert get_text(store, first).annotator == "Bob"
    assert annotated(store, bench) == [second]
    assert bench.notice is not None
    assert bench.notice.sentence == ("“a” is now article in 1 other text. 1 text changed meanwhile and was not saved.")


def test_texts_that_were_not_selected_do_not_come_back_with_the_next_ones(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("re2nn_core.services.annotation.equal_spans.SHOWN_AT_ONCE", 5)
    first = ask(bench, store, predicted)
    assert len(first) == 5
    assert bench.notice is not None
    assert "The first 5 are shown" in bench.notice.sentence
    send(bench, store, predicted, "all", texts=first[:2])
    assert bench.notice.acts[0].title == "Show the other 13 texts"
    send(bench, store, predicted, "count")
    assert not {proposal.text_id for proposal in bench.notice.proposals} & {*first}
    assert len(bench.notice.proposals) == 5


def test_an_annotator_changes_one_text_at_a_time(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    passwords = [add_person(store, name, role, person=AT_THE_MACHINE).password for name, role in ROLES.items()]
    st.session_state[access.SIGN_IN] = sign_in(store, ME, passwords[1] or "").sign_in.id
    send(bench, store, predicted, "count", marks=[[0, 1, "article"]])
    assert bench.notice is None
    assert bench.queue.message == "Annotated in this text. Only reviewers can annotate several texts at once."


def test_nobody_saves_under_no_name(bench: SpanAnnotationState, store: Store, predicted: SpanPredictions) -> None:
    """Removed, or signed out elsewhere, while the editor is open."""
    send(bench, store, predicted, "save", marks=[])
    saved = label_history(store, bench.queue.project_id)
    add_person(store, "Olga", "owner", person=AT_THE_MACHINE)
    st.session_state.clear()  # what was known of the person holds for a moment
    for asked in (lambda: send(bench, store, predicted, "save", marks=[]), lambda: access.why_not("annotator")):
        with pytest.raises(NotAllowedError, match=r"Nobody is signed in any more\. Sign in and try again\."):
            asked()
    assert label_history(store, bench.queue.project_id) == saved


def test_while_a_team_queue_is_open_other_texts_are_neither_shown_nor_saved(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    """The page may be older than the queue, and the queue may be blind."""
    proposed = ask(bench, store, predicted)
    open_queue(store, bench.queue.project_id, proposed, blind=True)
    send(bench, store, predicted, "all", texts=proposed)
    assert annotated(store, bench) == []
    bench.notice = None
    send(bench, store, predicted, "count", marks=[[0, 1, "article"]])
    assert bench.notice is None
    assert bench.queue.message == "A team queue was opened. Only this text was changed."


def test_words_that_no_other_text_has_are_told_so(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    send(bench, store, predicted, "count", marks=[[5, 7, "number"]])
    assert bench.notice is not None
    assert bench.notice.sentence == "No other text without an annotation contains “number 0” without a span."
    send(bench, store, predicted, "all", texts=list(bench.queue.text_ids))
    assert label_history(store, bench.queue.project_id) == ()


def test_undo_brings_the_marks_back_as_they_were(
    bench: SpanAnnotationState, store: Store, predicted: SpanPredictions
) -> None:
    first = bench.queue.text_id
    send(bench, store, predicted, "save", marks=[[0, 1, "x"]])
    send(bench, store, predicted, "undo")
    assert bench.queue.text_id == first
    assert bench.draft == (first, (Span(0, 1, "x"),))
    send(bench, store, predicted, "undo")
    assert bench.queue.message == "You have nothing to undo."


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "save",
        {},
        {"kind": "drop", "text_id": 1, "number": 1},
        {"kind": "save", "text_id": "one", "number": 1},
        {"kind": "save", "text_id": 1, "number": 1, "marks": [[2, 1, "x"]]},
        {"kind": "save", "text_id": 1, "number": 1, "marks": [[0, 1, "two words"]]},
        {"kind": "save", "text_id": 1, "number": 1, "marks": [[0, 1]]},
        {"kind": "save", "text_id": 1, "number": 1, "marks": 7},
    ],
)
def test_what_the_editor_cannot_have_sent_is_no_message(sent: object) -> None:
    assert read_message(sent) is None


def test_a_message_is_read() -> None:
    sent = {"kind": "save", "text_id": 3, "number": 9, "marks": [[0, 2, "城市"]]}
    assert read_message(sent) == SpanMessage("save", 3, 9, (Span(0, 2, "城市"),))
