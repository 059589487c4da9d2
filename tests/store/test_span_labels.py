"""Projects for slots: spans are the labels of the same log, checked against the project's words."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from re2nn_core.errors import InputError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    add_texts,
    create_project,
    get_text,
    label_history,
    open_store,
    rebuild_labels,
    record_label,
    record_labels,
    texts_of,
    undo_last,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span, read_spans, write_spans
from re2nn_core.text.tokenization import Tokenization

EXAMPLES = Corpus(
    (
        Example("fly to New York!", "ignored", "train", (Span(7, 15, "city"),)),
        Example("hello", None, "dev", ()),
        Example("from oslo"),
    )
)


def make(store: Store, examples: Corpus = EXAMPLES) -> ProjectRecord:
    return create_project(
        store,
        name="Slots",
        task="slots",
        examples=examples,
        rules_text="",
        logic_text="",
        author="Ann",
        tokenization=Tokenization("punctuation"),
    )


def test_spans_of_the_data_are_gold(store: Store) -> None:
    project = make(store)
    assert project.task == Task.SLOT_FILLING
    assert [(text.gold, text.label) for text in texts_of(store, project.id)] == [
        ('[[7,15,"city"]]',) * 2,
        ("[]", "[]"),
        (None, None),
    ]
    add_texts(store, project.id, Corpus((Example("to Rome", spans=(Span(3, 7, "city"),)),)))
    assert texts_of(store, project.id)[3].gold == '[[3,7,"city"]]'


def test_spans_go_through_the_log_as_labels_do(store: Store) -> None:
    project = make(store)
    text = texts_of(store, project.id)[2]
    record_label(store, text.id, ' [ [5, 9, "city"] ] ', "Ann")
    record_label(store, text.id, "[]", "Bob")
    assert [event.label for event in label_history(store, project.id)] == ["[]", '[[5,9,"city"]]']
    assert (get_text(store, text.id).label, get_text(store, text.id).annotator) == ("[]", "Bob")
    undo_last(store, project.id, "Bob")
    assert get_text(store, text.id).label == '[[5,9,"city"]]'
    assert rebuild_labels(store, project.id) == 0


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("city", "'city' are no spans: "),
        ('[[5,8,"city"]]', "[5, 8, \"city\"] ('osl') ends at 8, where no word ends; the nearest borders are 5 and 9"),
        ('[[5,10,"city"]]', '[5, 10, "city"] ends past the text, which has 9 characters'),
        ('[[0,4,"a"],[0,9,"b"]]', "overlap; a word fills one slot at most"),
        (f'[[5,9,"{"x" * 201}"]]', "has 201 characters; at most 200 can be stored"),
        ('[[5,9,"a\\u0000"]]', "holds a NUL character"),
    ],
)
def test_spans_that_the_words_cannot_carry_are_refused(store: Store, label: str, message: str) -> None:
    project = make(store)
    first, _, text = texts_of(store, project.id)
    with pytest.raises(InputError) as caught:
        record_labels(store, [(first.id, "[]"), (text.id, label)], "Ann")
    assert message in str(caught.value)
    assert label_history(store, project.id) == ()


def test_texts_with_such_spans_are_named_together(store: Store) -> None:
    project = make(store)
    with pytest.raises(InputError) as caught:
        add_texts(
            store,
            project.id,
            Corpus((Example("a bc", spans=(Span(2, 3, "x"),)), Example("a"), Example("ab", spans=(Span(1, 2, "y"),)))),
        )
    reported = str(caught.value).splitlines()
    assert [line[:22] for line in reported] == [
        "the spans of text 1: [",
        "the spans of text 3: [",
        "Nothing was stored.",
    ]
    assert len(texts_of(store, project.id)) == 3


def test_many_spans_fit_and_endless_ones_do_not(store: Store) -> None:
    text = "ab " * 1_500
    many = tuple(Span(3 * number, 3 * number + 2, "slot") for number in range(800))
    project = make(store, Corpus((Example(text, spans=many),)))
    stored = texts_of(store, project.id)[0]
    assert len(stored.label or "") > 10_000
    assert read_spans(stored.label or "") == many
    endless = write_spans(Span(3 * number, 3 * number + 2, "slot") for number in range(1_500))
    with pytest.raises(InputError, match=r"characters; at most 20,000 can be stored\. Cut the text in two\."):
        record_label(store, stored.id, endless, "Ann")


def test_a_file_from_before_spans_holds_them_as_well(tmp_path: Path) -> None:
    """Its label columns were declared with 200 characters, which SQLite does not hold them to."""
    path = tmp_path / "old.sqlite3"
    with open_store(path):
        pass
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'label TEXT', 'label VARCHAR(200)')")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'gold TEXT', 'gold VARCHAR(200)')")
        changed = connection.execute("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%VARCHAR(200)%'").fetchone()
    connection.close()
    assert changed[0] >= 2
    with open_store(path) as store:
        text = "ab " * 100
        spans = tuple(Span(3 * number, 3 * number + 2, "slot") for number in range(100))
        project = make(store, Corpus((Example(text, spans=spans),)))
        record_label(store, texts_of(store, project.id)[0].id, write_spans(spans[1:]), "Ann")
        assert read_spans(texts_of(store, project.id)[0].label or "") == spans[1:]


def test_labels_of_classification_stay_short(store: Store, project: ProjectRecord) -> None:
    text = texts_of(store, project.id)[0]
    with pytest.raises(InputError, match="has 201 characters; at most 200 can be stored"):
        record_label(store, text.id, "x" * 201, "Ann")
    assert record_label(store, text.id, "[[0,4,]", "Ann").label == "[[0,4,]"
