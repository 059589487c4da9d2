"""Texts: their order, pages, filters, search, and speed."""

from __future__ import annotations

import time
from typing import Any

import pytest

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    add_texts,
    count_texts,
    get_text,
    import_texts,
    iterate_texts,
    label_counts,
    labels_of,
    list_texts,
    record_label,
    texts_of,
    verify_store,
)
from re2nn_core.text.corpus import Corpus, Example


def test_texts_keep_their_order_and_what_they_came_with(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)
    assert [text.position for text in texts] == [0, 1, 2, 3, 4]
    assert texts[0] == TextRecord(
        id=texts[0].id,
        project_id=project.id,
        position=0,
        text="show me flights to boston",
        gold="flight",
        split="train",
        label="flight",
        annotator=None,
    )
    assert (texts[2].gold, texts[2].label, texts[2].split) == (None, None, "dev")
    assert get_text(store, texts[3].id) == texts[3]


def test_more_texts_go_behind_the_others(store: Store, project: ProjectRecord) -> None:
    assert add_texts(store, project.id, Corpus((Example("one"), Example("two", "fare")))) == 2
    assert add_texts(store, project.id, Corpus(())) == 0
    assert [(text.position, text.text) for text in texts_of(store, project.id)[5:]] == [
        (5, "one"),
        (6, "two"),
    ]


@pytest.mark.parametrize(
    ("wanted", "positions"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"split": "train"}, [0, 1]),
        ({"labelled": True}, [0, 1, 4]),
        ({"labelled": False}, [2, 3]),
        ({"label": "flight"}, [0, 4]),
        ({"search": "FLIGHTS"}, [0, 3]),
        ({"search": "äRGER"}, [4]),
        ({"search": "100%"}, [3]),
        ({"search": "_"}, []),
        ({"search": "flights", "labelled": False, "split": "test"}, [3]),
    ],
)
def test_filters_agree_between_list_and_count(
    store: Store, project: ProjectRecord, wanted: dict[str, Any], positions: list[int]
) -> None:
    assert [text.position for text in list_texts(store, project.id, **wanted)] == positions
    assert count_texts(store, project.id, **wanted) == len(positions)


def test_pages_follow_each_other(store: Store, project: ProjectRecord) -> None:
    pages = [list_texts(store, project.id, offset=start, limit=2) for start in (0, 2, 4, 6)]
    assert [[text.position for text in page] for page in pages] == [[0, 1], [2, 3], [4], []]
    with pytest.raises(InputError, match=r"offset and limit must be 0 or more \(got -1 and 2\)"):
        list_texts(store, project.id, offset=-1, limit=2)
    with pytest.raises(InputError, match="the search holds U\\+D800, half of a surrogate pair"):
        list_texts(store, project.id, search="\ud800")


def test_labels_stand_in_the_order_of_their_first_text(store: Store, project: ProjectRecord) -> None:
    assert labels_of(store, project.id) == ("flight", "fare")
    texts = texts_of(store, project.id)
    record_label(store, texts[1].id, "price", "Bob")
    record_label(store, texts[3].id, "ground", "Bob")
    # "fare" is still known: it is the gold label of a text.
    assert labels_of(store, project.id) == ("flight", "fare", "price", "ground")
    assert labels_of(store, project.id, came=True) == ("flight", "fare")
    assert labels_of(store, project.id, came=False) == ("price", "ground")
    assert label_counts(store, project.id) == {"flight": 2, "ground": 1, "price": 1}


@pytest.mark.parametrize("ask", [texts_of, list_texts, count_texts, labels_of, label_counts])
def test_a_missing_project_is_not_an_empty_one(store: Store, ask: Any) -> None:
    with pytest.raises(NotFoundError) as refusal:
        ask(store, 7)
    assert str(refusal.value) == "There is no project 7; it may have been deleted. Go back to the projects."
    with pytest.raises(NotFoundError, match="There is no project 7"):
        add_texts(store, 7, Corpus((Example("a"),)))


def test_ten_thousand_texts_are_read_at_once(store: Store, project: ProjectRecord) -> None:
    add_texts(store, project.id, Corpus(tuple(Example(f"text {n} of many", "a") for n in range(10_000))))
    fastest = float("inf")
    for _ in range(3):
        start = time.process_time()
        texts = texts_of(store, project.id)
        fastest = min(fastest, time.process_time() - start)
    assert len(texts) == 10_005
    assert fastest < 0.2


def test_texts_come_in_one_by_one_and_go_out_so(store: Store, project: ProjectRecord) -> None:
    read: list[int] = []
    many = (Example(f"line\n{number}\u2028 航", "fare" if number % 2 else None, "dev") for number in range(20_001))
    assert import_texts(store, project.id, many, person="Bob", progress=read.append) == 20_001
    assert read == [20_000]
    assert tuple(iterate_texts(store, project.id)) == texts_of(store, project.id)
    assert count_texts(store, project.id) == 20_006
    last = list_texts(store, project.id, offset=20_005)[0]
    assert (last.position, last.text, last.gold, last.label) == (20_005, "line\n20000\u2028 航", None, None)
    assert verify_store(store) == ()


def test_a_fault_at_the_end_leaves_nothing_behind(store: Store, project: ProjectRecord) -> None:
    before = texts_of(store, project.id)
    faulty = (Example("bad\x00" if number > 995 else "good", " " if number == 997 else None) for number in range(1_005))
    with pytest.raises(InputError) as refusal:
        import_texts(store, project.id, faulty)
    reported = str(refusal.value).splitlines()
    assert (
        reported[0] == "text 997 holds a NUL character at character 4, which cannot be stored. Remove that character."
    )
    assert reported[5:] == ["... and 4 more.", "Nothing was stored."]
    assert texts_of(store, project.id) == before
