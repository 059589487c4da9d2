"""Work on a team's queue: what is in hand, skipped, flagged, taken back and lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from re2nn_core.errors import ConflictError, LeaseLostError, NotFoundError
from re2nn_core.services.annotation import queue_work
from re2nn_core.services.annotation.classification import proposed, why_in_queue
from re2nn_core.services.annotation.team_queue import end_queue
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    add_texts,
    flag,
    get_text,
    lease_next,
    leases_of,
    open_queue,
    same_texts,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example


def test_work_goes_on_where_it_was(store: Store, project: ProjectRecord, records: tuple[TextRecord, ...]) -> None:
    ids = [record.id for record in records]
    open_queue(store, project.id, ids)

    def hand(rather: int | None = None) -> int:
        lease = queue_work.in_hand(store, project.id, "Ann", rather=rather)
        assert lease is not None
        return lease.text.id

    assert hand() == hand() == ids[0]
    assert queue_work.label_open_text(store, records[0], "flight", "Ann").in_queue
    queue_work.leave(store, ids[1], "Ann")
    queue_work.flag_text(store, ids[2], "Ann", "odd")
    assert hand() == ids[3]
    kinds = []
    while (undone := queue_work.take_back(store, project.id, "Ann")) is not None:
        kinds.append((undone.kind, undone.text_ids, undone.label))
        assert hand(undone.text_ids[0]) == undone.text_ids[0]
    assert kinds == [("flag", (ids[2],), ""), ("skip", (ids[1],), ""), ("label", (ids[0],), "flight")]
    assert {lease.text.id for lease in leases_of(store, project.id, "Ann")} == set(ids[:4])
    for _ in range(4):
        held = queue_work.in_hand(store, project.id, "Ann")
        assert held is not None
        queue_work.label_open_text(store, held.text, "flight", "Ann")
    # What was in hand came first; only the last of them asked for a new text.
    assert {lease.text.id for lease in leases_of(store, project.id, "Ann")} == {ids[4]}


def test_a_closed_queue_is_told_and_the_label_kept(store: Store, project: ProjectRecord) -> None:
    record = texts_of(store, project.id)[0]
    open_queue(store, project.id, [record.id])
    queue_work.in_hand(store, project.id, "Ann")
    end_queue(store, project.id, "Rita")
    assert not queue_work.label_open_text(store, record, "flight", "Ann").in_queue
    assert get_text(store, record.id).annotator == "Ann"
    with pytest.raises(NotFoundError, match="This project has no queue."):
        queue_work.in_hand(store, project.id, "Ann")


def test_flagged_texts_come_once_each_the_oldest_first(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...]
) -> None:
    flag(store, records[1].id, "Ann", "first")
    flag(store, records[0].id, "Ann", "second")
    flag(store, records[1].id, "Bob", "third")
    found = queue_work.flagged(store, project.id, "Rita")
    assert {(one.text.id, one.person, one.note) for one in found} == {
        (records[1].id, "Bob", "third"),
        (records[0].id, "Ann", "second"),
    }
    queue_work.resolve_flagged_text(store, records[1].id, "Rita", None)
    with pytest.raises(ConflictError, match="This flag was adjudicated"):
        queue_work.resolve_flagged_text(store, records[1].id, "Rita", "flight")
    assert len(queue_work.flagged(store, project.id, "Rita")) == 1


def test_the_same_text_is_labelled_where_it_waits(store: Store, project: ProjectRecord) -> None:
    add_texts(store, project.id, Corpus((Example("twin"),) * 4))
    twins = [record for record in texts_of(store, project.id) if record.text == "twin"]
    ids = [record.id for record in twins]
    open_queue(store, project.id, ids)
    lease_next(store, project.id, "Ann")
    lease_next(store, project.id, "Bob")
    got = queue_work.decide_same(store, twins[0], same_texts(store, ids[0]), "flight", "Ann")
    assert got == (ids[0], ids[2], ids[3])
    undone = queue_work.take_back(store, project.id, "Ann")
    assert undone is not None
    assert undone.text_ids == got
    assert undone.sentence == "3 labels were undone."


def test_what_another_said_is_no_proposal(records: tuple[TextRecord, ...], predicted: Predictions) -> None:
    by_bob = replace(records[7], label="strange", annotator="Bob")
    assert proposed(by_bob, predicted, 7, "Ann") == predicted.prediction(7)
    assert proposed(by_bob, predicted, 7, "Bob") == "strange"
    assert why_in_queue(predicted, 7, by_bob, "Ann") == "Bob chose strange; one more annotation is needed."
    assert why_in_queue(predicted, 7, records[7], "Ann") == "No rule matches it, so there is no prediction."


def test_a_text_that_others_have_is_lost(store: Store, project: ProjectRecord) -> None:
    record = texts_of(store, project.id)[0]
    open_queue(store, project.id, [record.id])
    lease_next(store, project.id, "Bob")
    with pytest.raises(LeaseLostError, match="and Bob has it now. Nothing was stored."):
        queue_work.label_open_text(store, record, "flight", "Ann")
    with pytest.raises(LeaseLostError, match="Your time for this text ran out"):
        queue_work.hold(store, project.id, record.id, "Ann")
