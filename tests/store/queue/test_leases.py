"""The queue: nobody gets what somebody else has, unless overlap asks for it; leases end; undo gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text as sql
from sqlalchemy import update

from re2nn_core.errors import ConflictError, InputError, LeaseLostError, NotFoundError
from re2nn_core.store import (
    Lease,
    ProjectRecord,
    Store,
    add_texts,
    close_queue,
    count_queue,
    create_project,
    extend_lease,
    flag,
    flagged_texts,
    get_queue,
    get_text,
    given_annotations,
    label_history,
    lease_next,
    leases_of,
    list_events,
    open_queue,
    record_labels,
    same_texts,
    save,
    skip,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.store.checks import now
from re2nn_core.store.log.events import ANNOTATION_EVENTS
from re2nn_core.store.schema import SeatRow
from re2nn_core.text.corpus import Corpus, Example

People = tuple[str, ...]


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    """The ids of ten texts."""
    add_texts(store, project.id, Corpus(tuple(Example(f"more {number}") for number in range(5))))
    return [text.id for text in texts_of(store, project.id)]


def let_time_pass(store: Store, text_id: int) -> None:
    with store.writing() as connection:
        over = update(SeatRow).where(SeatRow.text_id == text_id, SeatRow.held_until.is_not(None))
        connection.execute(over.values(held_until=now() - timedelta(seconds=1)))


def given(lease: Lease | None) -> int:
    assert lease is not None
    return lease.text.id


def all_of(store: Store, project: ProjectRecord, person: str) -> list[int]:
    """The texts that this person gets until there are none, labelled one after the other."""
    got = []
    lease = lease_next(store, project.id, person)
    while lease is not None:
        got.append(lease.text.id)
        _, lease = save(store, lease.text.id, "x", person)
    return got


def test_texts_come_in_their_order_each_once(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    order = ids[::-1]
    assert open_queue(store, project.id, order, person="Ann") == 10
    first, second = lease_next(store, project.id, "Ann"), lease_next(store, project.id, "Bob")
    assert (given(first), given(second)) == (order[0], order[1])
    event, following = save(store, order[0], "fare", "Ann")
    assert (event.label, event.annotator, given(following)) == ("fare", "Ann", order[2])
    assert get_text(store, order[0]).label == "fare"
    counts = count_queue(store, project.id)
    assert (counts.done, counts.held, counts.waiting, counts.flagged) == (1, 2, 7, 0)
    assert verify_store(store) == ()
    reported = list_events(store, project.id, kinds=("queue",))[0]
    assert (reported.person, (reported.data or {})["texts"]) == ("Ann", 10)


def test_a_queue_ends(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    assert all_of(store, project, "Ann") == ids
    assert lease_next(store, project.id, "Bob") is None
    close_queue(store, project.id)
    assert get_queue(store, project.id) is None
    with pytest.raises(NotFoundError, match="This project has no queue. Choose an order and open one."):
        lease_next(store, project.id, "Ann")
    assert len(label_history(store, project.id)) == 10


def test_overlap_gives_each_text_to_that_many_people(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    assert open_queue(store, project.id, ids, overlap=2) == 20
    got = {person: all_of(store, project, person) for person in ("Ann", "Bob", "Cleo")}
    assert got == {"Ann": ids, "Bob": ids, "Cleo": []}
    assert all(set(people) == {"Ann", "Bob"} for people in given_annotations(store, project.id).values())


def test_a_lease_ends_and_the_text_goes_to_another(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1])
    assert given(lease_next(store, project.id, "Ann")) == ids[0]
    assert lease_next(store, project.id, "Bob") is None
    let_time_pass(store, ids[0])
    assert given(lease_next(store, project.id, "Bob")) == ids[0]
    with pytest.raises(LeaseLostError) as lost:
        save(store, ids[0], "fare", "Ann")
    assert str(lost.value) == (
        "Your time for this text ran out, and Bob has it now. Nothing was stored. Continue with the next text."
    )
    assert label_history(store, project.id) == ()
    save(store, ids[0], "meal", "Bob")
    with pytest.raises(LeaseLostError, match="ran out, and Bob has annotated it. Nothing was stored."):
        save(store, ids[0], "fare", "Ann")
    assert get_text(store, ids[0]).label == "meal"


def test_who_comes_back_late_but_first_still_has_it(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    lease_next(store, project.id, "Ann")
    let_time_pass(store, ids[0])
    event, following = save(store, ids[0], "fare", "Ann")
    assert (event.label, given(following)) == ("fare", ids[1])


def test_a_lease_can_be_held_longer(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1], lease_seconds=60)
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    assert extend_lease(store, project.id, ids[0], "Ann") > lease.held_until
    let_time_pass(store, ids[0])
    lease_next(store, project.id, "Bob")
    with pytest.raises(LeaseLostError, match="and Bob has it now"):
        extend_lease(store, project.id, ids[0], "Ann")


def test_after_a_reload_the_same_texts_are_there(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    taken = [given(lease_next(store, project.id, "Ann")) for _ in range(2)]
    assert [lease.text.id for lease in leases_of(store, project.id, "Ann")] == taken
    assert leases_of(store, project.id, "Bob") == ()


def test_texts_are_shared_out(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids, share_with=("Ann", "Bob", "Cleo"))
    got = {person: all_of(store, project, person) for person in ("Dora", "Cleo", "Ann", "Bob")}
    assert got == {"Dora": [], "Ann": ids[0::3], "Bob": ids[1::3], "Cleo": ids[2::3]}
    open_queue(store, project.id, ids, share_with=("Ann", "Bob", "Cleo"), overlap=2)
    more = {person: all_of(store, project, person) for person in ("Ann", "Bob", "Cleo")}
    assert sorted(text for texts in more.values() for text in texts) == ids
    assert {len(people) for people in given_annotations(store, project.id).values()} == {2}


def test_blind_people_do_not_see_what_others_said(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    for blind, seen in ((True, (None, None)), (False, ("meal", "Ann"))):
        open_queue(store, project.id, ids[:1], overlap=3, blind=blind)
        person = "Bob" if blind else "Cleo"
        if blind:
            lease_next(store, project.id, "Ann")
            save(store, ids[0], "meal", "Ann")
        lease = lease_next(store, project.id, person)
        assert lease is not None
        assert (lease.text.label, lease.text.annotator) == seen
        [held] = leases_of(store, project.id, person)
        assert (held.text.label, held.text.annotator) == seen
        # The label that came with the data is somebody's too; one's own annotation is one's own.
        assert (held.text.gold is None) == blind
        save(store, ids[0], "fare", person, take_next=False)
        undo_last_action(store, project.id, person, ANNOTATION_EVENTS)


def test_what_one_skips_goes_to_others(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    lease_next(store, project.id, "Ann")
    assert given(skip(store, ids[0], "Ann")) == ids[1]
    assert given(lease_next(store, project.id, "Bob")) == ids[0]
    skip(store, ids[0], "Bob")
    assert lease_next(store, project.id, "Ann") is None
    # Undone, it is theirs again.
    undo_last_action(store, project.id, "Ann", ANNOTATION_EVENTS)
    assert [lease.text.id for lease in leases_of(store, project.id, "Ann")] == ids[:2][::-1]


def test_a_flag_puts_a_text_aside_for_everybody(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2], overlap=2)
    assert given(lease_next(store, project.id, "Ann")) == given(lease_next(store, project.id, "Bob")) == ids[0]
    assert given(flag(store, ids[0], "Ann", " which airline? ")) == ids[1]
    assert leases_of(store, project.id, "Bob") == ()
    assert given(lease_next(store, project.id, "Bob")) == ids[1]
    [(text, who, note)] = flagged_texts(store, project.id)
    assert (text.id, who, note) == (ids[0], "Ann", "which airline?")
    assert count_queue(store, project.id).flagged == 1
    undo_last_action(store, project.id, "Ann", ANNOTATION_EVENTS)
    assert flagged_texts(store, project.id) == ()
    assert ids[0] in [lease.text.id for lease in leases_of(store, project.id, "Ann")]


def test_undo_gives_the_text_back(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    lease_next(store, project.id, "Ann")
    save(store, ids[0], "fare", "Ann", take_next=False)
    undo_last_action(store, project.id, "Ann")
    assert [lease.text.id for lease in leases_of(store, project.id, "Ann")] == ids[:1]
    assert given(lease_next(store, project.id, "Bob")) == ids[1]
    save(store, ids[0], "meal", "Ann")
    assert verify_store(store) == ()


def test_labels_given_elsewhere_count(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    record_labels(store, [(text_id, "x") for text_id in ids[:8]], "Bob")
    assert all_of(store, project, "Ann") == ids[8:]
    undo_last_action(store, project.id, "Bob")
    assert count_queue(store, project.id).waiting == 8
    assert all_of(store, project, "Cleo") == ids[:8]
    assert verify_store(store) == ()


def test_a_new_order_keeps_what_is_done_and_held(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    save(store, given(lease_next(store, project.id, "Ann")), "x", "Ann", take_next=False)
    lease_next(store, project.id, "Bob")
    assert open_queue(store, project.id, ids[::-1]) == 8
    assert all_of(store, project, "Cleo") == ids[:1:-1]
    assert [lease.text.id for lease in leases_of(store, project.id, "Bob")] == ids[1:2]


def test_the_same_text_is_found_everywhere(store: Store, project: ProjectRecord) -> None:
    add_texts(store, project.id, Corpus((Example("what is the fare"), Example("What is the fare"))))
    texts = texts_of(store, project.id)
    assert same_texts(store, texts[1].id) == (texts[1].id, texts[5].id) == same_texts(store, texts[5].id)


@pytest.mark.parametrize(
    ("settings", "reported"),
    [
        ({"overlap": 0}, r"The overlap must be a whole number from 1 to 20 \(got 0\)."),
        ({"overlap": 21}, "from 1 to 20"),
        ({"lease_seconds": 1}, r"A lease lasts from 10 seconds to a week \(got 1 seconds\)."),
        (
            {"overlap": 3, "share_with": ("Ann", "Bob", "Ann")},
            "3 annotators are required for each text, but the queue names 2. Name",
        ),
        ({"share_with": ("",)}, "the annotator's name is empty"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    store: Store, project: ProjectRecord, ids: list[int], settings: dict[str, object], reported: str
) -> None:
    with pytest.raises(InputError, match=reported):
        open_queue(store, project.id, ids, **settings)  # type: ignore[arg-type]
    assert get_queue(store, project.id) is None


def test_texts_of_another_project_are_refused(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    other = create_project(
        store, name="B", examples=Corpus((Example("t"),)), rules_text="", logic_text="", author="Ann"
    )
    foreign = texts_of(store, other.id)[0].id
    with pytest.raises(NotFoundError, match=f"no text with the id {foreign} in this project. Load the texts again."):
        open_queue(store, project.id, [*ids, foreign])


@pytest.mark.parametrize("overlap", [1, 3])
def test_many_at_once_get_each_text_as_often_as_it_should_be(
    store: Store, project: ProjectRecord, overlap: int
) -> None:
    add_texts(store, project.id, Corpus(tuple(Example(f"more {number}") for number in range(55))))
    ids = [text.id for text in texts_of(store, project.id)]
    open_queue(store, project.id, ids, overlap=overlap)
    people = [f"person {number}" for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(lambda person: all_of(store, project, person), people))
    assert Counter(text for texts in got for text in texts) == dict.fromkeys(ids, overlap)
    assert all(len(texts) == len(set(texts)) for texts in got)
    assert {len(said) for said in given_annotations(store, project.id).values()} == {overlap}
    assert verify_store(store) == ()


def test_one_person_in_many_windows_gets_each_text_once(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids, overlap=2)
    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(lambda _: lease_next(store, project.id, "Ann"), range(12)))
    taken = [lease.text.id for lease in got if lease is not None]
    assert sorted(taken) == ids


def test_nothing_is_leased_where_the_label_was_refused(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    lease_next(store, project.id, "Ann")
    with pytest.raises(InputError, match=f"the label of text {ids[0]} is empty"):
        save(store, ids[0], " ", "Ann")
    assert [lease.text.id for lease in leases_of(store, project.id, "Ann")] == ids[:1]


def test_a_seat_that_says_done_without_a_label_is_found(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    with store.writing() as connection:
        connection.execute(sql("UPDATE seat SET done = true, holder = 'Zoe' WHERE place = 0"))
    assert verify_store(store) == (
        f"Project 'Trips': 1 places of the queue are taken without an annotation (texts {ids[0]}).",
    )


@pytest.mark.parametrize("act", [skip, flag])
def test_passing_on_needs_a_text(store: Store, project: ProjectRecord, act: Callable[..., object]) -> None:
    with pytest.raises((NotFoundError, ConflictError), match="There is no text with the id 999"):
        act(store, 999, "Ann")
