"""A person's walk through texts: saving, moving on, undoing, and what others did meanwhile."""

from __future__ import annotations

import pytest

from re2nn_core.errors import ConflictError
from re2nn_core.services.annotation import classification
from re2nn_core.services.annotation.annotation_queue import (
    NOTHING_TO_UNDO,
    AnnotationQueueState,
    drop_missing_texts,
    save_chosen_label,
    save_ticked_labels,
    undo_last_label,
)
from re2nn_core.store import ProjectRecord, Store, TextRecord, get_text, record_label


@pytest.fixture
def queue(project: ProjectRecord, records: tuple[TextRecord, ...]) -> AnnotationQueueState:
    """The first three texts of a small project."""
    state = AnnotationQueueState(project.id)
    state.lay_out("three", [record.id for record in records[:3]])
    return state


def drawn(store: Store, queue: AnnotationQueueState) -> TextRecord:
    assert queue.text_id is not None
    return get_text(store, queue.text_id)


def test_a_label_is_saved_and_the_next_open_text_shown(store: Store, queue: AnnotationQueueState) -> None:
    first, second, third = queue.text_ids
    record_label(store, second, "flight", "Bob")
    save_chosen_label(store, "Ann", queue, drawn(store, queue), "baggage")
    assert (get_text(store, first).label, get_text(store, first).annotator) == ("baggage", "Ann")
    assert (queue.text_id, queue.message) == (third, "baggage was saved.")


def test_a_key_for_the_text_before_does_nothing(store: Store, queue: AnnotationQueueState) -> None:
    late = drawn(store, queue)
    queue.move(1)
    save_chosen_label(store, "Ann", queue, late, "baggage")
    queue.choose(late.id, "baggage")
    assert get_text(store, late.id).annotator is None
    assert queue.chosen is None


def test_what_somebody_else_saved_meanwhile_is_not_overwritten(store: Store, queue: AnnotationQueueState) -> None:
    before = drawn(store, queue)
    queue.choose(before.id, "baggage")
    record_label(store, before.id, "flight", "Bob")
    save_chosen_label(store, "Ann", queue, before, queue.choice(None))
    assert queue.message.startswith("Labelled flight by Bob a moment ago. baggage was not saved")
    assert (queue.text_id, queue.choice("flight")) == (before.id, "flight")


def test_what_cannot_be_saved_keeps_its_place(
    store: Store, queue: AnnotationQueueState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ConflictError("The database is busy.")

    monkeypatch.setattr(classification, "record_label", fail)
    save_chosen_label(store, "Ann", queue, drawn(store, queue), "baggage")
    assert (queue.at, str(queue.fault)) == (0, "The database is busy.")


def test_undo_brings_a_text_of_another_queue_back_as_a_guest(store: Store, queue: AnnotationQueueState) -> None:
    first, *others = queue.text_ids
    save_chosen_label(store, "Ann", queue, drawn(store, queue), "baggage")
    queue.lay_out("others", others)
    undo_last_label(store, "Ann", queue)
    assert (queue.text_id, queue.guest, queue.message) == (first, first, "baggage was undone.")
    queue.move(1)
    assert (queue.text_ids, queue.text_id, queue.guest) == (others, others[0], None)
    undo_last_label(store, "Ann", queue)
    assert queue.message == NOTHING_TO_UNDO


def test_many_labels_are_one_action(store: Store, queue: AnnotationQueueState) -> None:
    assert save_ticked_labels(store, "Ann", queue, [(text_id, "flight") for text_id in queue.text_ids]) == 3
    undo_last_label(store, "Ann", queue)
    assert queue.message == "3 labels were undone."


def test_texts_that_are_gone_are_left_out(store: Store, queue: AnnotationQueueState) -> None:
    queue.text_ids[:1] = [9_998, 9_999]
    drop_missing_texts(store, queue)
    assert len(queue.text_ids) == 2


def test_labels_keep_the_place_that_they_had() -> None:
    queue = AnnotationQueueState(1)
    assert queue.ordered(["b", "a"]) == ("b", "a")
    assert queue.ordered(["a", "c", "b"]) == ("b", "a", "c")
