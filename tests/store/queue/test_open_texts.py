"""Flags that are settled, and labels that are given only to texts that still wait."""

from __future__ import annotations

import pytest

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    OpenText,
    ProjectRecord,
    Store,
    count_queue,
    flag,
    flagged_texts,
    get_text,
    given_annotations,
    lease_next,
    leases_of,
    list_events,
    open_queue,
    open_texts,
    people_in_log,
    plan_queue,
    record_label,
    record_open_labels,
    resolve_flag,
    save,
    texts_of,
    undo_last_action,
    verify_store,
)


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    return [text.id for text in texts_of(store, project.id)]


def test_a_flag_is_settled_by_a_label(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    flag(store, ids[0], "Ann", "odd")
    flag(store, ids[0], "Bob")
    resolve_flag(store, ids[0], "Rita", "fare")
    assert flagged_texts(store, project.id) == ()
    assert (get_text(store, ids[0]).label, get_text(store, ids[0]).annotator) == ("fare", "Rita")
    assert count_queue(store, project.id).done == 1
    assert verify_store(store) == ()
    undo_last_action(store, project.id, "Rita", ANNOTATION_EVENTS)
    assert get_text(store, ids[0]).annotator is None
    assert [who for _, who, _ in flagged_texts(store, project.id)] == ["Bob", "Ann"]
    resolve_flag(store, ids[0], "Rita", "fare")
    with pytest.raises(ConflictError, match=r"This flag was adjudicated a moment ago, so nothing was stored\."):
        resolve_flag(store, ids[0], "Zoe", "meal")


def test_a_flagged_text_is_given_back_to_all(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    flag(store, ids[0], "Ann")
    resolve_flag(store, ids[0], "Rita")
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    assert lease.text.id == ids[0]


def test_giving_back_is_undone_and_done_again(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    """A flagged text that was given back is flagged again by an undo, as often as one likes."""
    open_queue(store, project.id, ids[:1])
    flag(store, ids[0], "Ann", "odd")
    for _ in range(2):
        assert lease_next(store, project.id, "Bob") is None
        resolve_flag(store, ids[0], "Rita")
        assert flagged_texts(store, project.id) == ()
        lease = lease_next(store, project.id, "Bob")
        assert lease is not None
        assert lease.text.id == ids[0]
        assert [undone.action for undone in undo_last_action(store, project.id, "Rita", ANNOTATION_EVENTS)] == ["undo"]
        assert [(text.id, who, note) for text, who, note in flagged_texts(store, project.id)] == [
            (ids[0], "Ann", "odd")
        ]
        # What Bob had of it is over, as by any flag; Rita, who undid it, gets nothing by that.
        assert leases_of(store, project.id, "Bob") == leases_of(store, project.id, "Rita") == ()
        assert (count_queue(store, project.id).held, count_queue(store, project.id).flagged) == (0, 1)
    assert undo_last_action(store, project.id, "Rita", ANNOTATION_EVENTS) == ()
    kinds = [event.kind for event in reversed(list_events(store, project.id, text_id=ids[0]))]
    assert kinds == ["flag", "settle", "undo", "settle", "undo"]
    assert verify_store(store) == ()
    # The flag itself is Ann's to take back, and it is in the way of nobody then.
    assert len(undo_last_action(store, project.id, "Ann", ANNOTATION_EVENTS)) == 1
    assert flagged_texts(store, project.id) == ()


def test_a_flag_set_after_giving_back_stands(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1])
    flag(store, ids[0], "Ann", "first")
    resolve_flag(store, ids[0], "Rita")
    flag(store, ids[0], "Bob", "second")
    assert [note for _, _, note in flagged_texts(store, project.id)] == ["second"]
    assert lease_next(store, project.id, "Cleo") is None
    undo_last_action(store, project.id, "Bob", ANNOTATION_EVENTS)
    assert flagged_texts(store, project.id) == ()
    # Ann's own flag was adjudicated: her undo goes past it.
    assert undo_last_action(store, project.id, "Ann", ANNOTATION_EVENTS) == ()


def test_saving_leases_what_was_given_back_and_not_what_is_flagged_again(
    store: Store, project: ProjectRecord, ids: list[int]
) -> None:
    """The same on a server, where a label is saved and the next text leased in one statement."""
    open_queue(store, project.id, ids[:4])
    lease_next(store, project.id, "Bob")
    flag(store, ids[1], "Ann")  # who then gets the one behind it
    resolve_flag(store, ids[1], "Rita")
    _, following = save(store, ids[0], "meal", "Bob")
    assert following is not None
    assert following.text.id == ids[1]
    undo_last_action(store, project.id, "Rita", ANNOTATION_EVENTS)
    record_label(store, ids[0], "fare", "Bob")
    lease = lease_next(store, project.id, "Bob")
    assert lease is not None
    assert lease.text.id == ids[3]
    assert save(store, ids[3], "meal", "Bob")[1] is None


def test_a_label_that_cannot_be_settles_nothing(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    flag(store, ids[0], "Ann")
    with pytest.raises(InputError, match="is empty"):
        resolve_flag(store, ids[0], "Rita", " ")
    assert len(flagged_texts(store, project.id)) == 1


def test_open_is_what_nobody_has(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    for person in ("Ann", "Bob"):
        lease_next(store, project.id, person)
    record_label(store, ids[2], "meal", "Cleo")
    assert open_texts(store, project.id, "Zoe") == {
        position: OpenText(ids[position], text.label)
        for position, text in enumerate(texts_of(store, project.id))
        if position in (3, 4)
    }
    flag(store, ids[3], "Ann")  # who then gets the next one, the last
    assert list(open_texts(store, project.id, "Ann")) == [0, 4]
    assert open_texts(store, project.id, "Zoe") == {}
    open_queue(store, project.id, ids[4:], overlap=2)  # one of two seats stays free, and Ann has the text in hand
    assert open_texts(store, project.id, "Zoe") == {}


def test_without_a_queue_texts_without_a_label_are_open(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    assert open_texts(store, project.id, "Ann") == {2: OpenText(ids[2], None), 3: OpenText(ids[3], None)}
    wanted = [(text_id, "fare") for text_id in ids]
    assert record_open_labels(store, wanted, "Ann", how="accepted") == (ids[2], ids[3])


def test_only_open_texts_get_a_label(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids, overlap=2)
    save(store, ids[0], "meal", "Ann", take_next=False)
    lease_next(store, project.id, "Bob")
    flag(store, ids[3], "Zoe")
    wanted = [(text_id, "fare") for text_id in ids]
    assert record_open_labels(store, wanted, "Rita", how="accepted", first_only=True) == (ids[1], ids[2], ids[4])
    assert undo_last_action(store, project.id, "Rita")
    assert given_annotations(store, project.id) == {ids[0]: {"Ann": "meal"}}
    assert record_open_labels(store, wanted, "Ann", how="same text") == (ids[1], ids[2], ids[4])
    assert verify_store(store) == ()
    assert record_open_labels(store, [], "Ann", how="same text") == ()


def test_what_has_all_its_judgements_or_is_in_other_hands_stays(
    store: Store, project: ProjectRecord, ids: list[int]
) -> None:
    open_queue(store, project.id, ids[:2])
    save(store, ids[0], "meal", "Ann", take_next=False)
    lease_next(store, project.id, "Bob")
    record_label(store, ids[2], "meal", "Ann")
    wanted = [(text_id, "fare") for text_id in ids]
    # Of the two behind one came with a label, and no queue gives them out.
    assert record_open_labels(store, wanted, "Rita", how="same text") == (ids[3],)
    open_queue(store, project.id, ids[3:])
    assert record_open_labels(store, wanted, "Rita", how="same text") == (ids[4],)


def test_a_plan_says_what_opening_would_lay_out(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    planned = plan_queue(store, project.id, ids, overlap=2, share_with=("Ann", "Bob", "Cleo"))
    assert (len(planned.texts), planned.seats) == (5, 10)
    assert sum(planned.by_person.values()) == 10
    assert open_queue(store, project.id, ids, overlap=2, share_with=("Ann", "Bob", "Cleo")) == 10
    save(store, ids[0], "meal", "Ann", take_next=False)
    assert plan_queue(store, project.id, ids, overlap=2).seats == 9
    assert count_queue(store, project.id).second == 1
    assert people_in_log(store, project.id) == ("Ann",)
    with pytest.raises(InputError, match=r"The overlap must be a whole number from 1 to 20 \(got 0\)"):
        plan_queue(store, project.id, ids, overlap=0)
    with pytest.raises(NotFoundError, match="There is no text with the id 9999"):
        plan_queue(store, project.id, [9999])
