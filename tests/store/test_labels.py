"""The label log: what is effective follows from it, undo goes back without end, nothing is ever lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text as sql

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    get_project,
    get_text,
    label_history,
    labelled_by,
    open_store,
    rebuild_labels,
    record_label,
    record_labels,
    texts_of,
    undo_last,
    undo_last_action,
)
from re2nn_core.text.corpus import Corpus, Example


def effective(store: Store, project: ProjectRecord) -> list[tuple[str | None, str | None]]:
    return [(text.label, text.annotator) for text in texts_of(store, project.id)]


def test_the_newest_label_wins_and_the_gold_one_stays(store: Store, project: ProjectRecord) -> None:
    text = texts_of(store, project.id)[0]
    event = record_label(store, text.id, " fare ", "Ann")
    assert (event.text_id, event.label, event.annotator, event.action, event.undoes) == (
        text.id,
        "fare",
        "Ann",
        "label",
        None,
    )
    record_label(store, text.id, "meal", "Bob")
    after = get_text(store, text.id)
    assert (after.gold, after.label, after.annotator) == ("flight", "meal", "Bob")
    assert get_project(store, project.id).updated_at > project.updated_at


def test_undo_goes_back_step_by_step_to_the_gold_label(store: Store, project: ProjectRecord) -> None:
    first, second = texts_of(store, project.id)[:2]
    given = [record_label(store, first.id, label, "Ann") for label in ("a", "b")]
    given.append(record_label(store, second.id, "c", "Ann"))
    record_label(store, second.id, "d", "Bob")
    undone = []
    while (event := undo_last(store, project.id, "Ann")) is not None:
        undone.append((event.action, event.undoes, event.label))
        # Bob's label is not Ann's to take back.
        assert get_text(store, second.id).label == "d"
    assert undone == [("undo", event.id, event.label) for event in reversed(given)]
    assert (get_text(store, first.id).label, get_text(store, first.id).annotator) == ("flight", None)
    assert undo_last(store, project.id, "Nobody") is None


def test_a_label_given_after_an_undo_is_the_next_to_go(store: Store, project: ProjectRecord) -> None:
    text = texts_of(store, project.id)[0]
    record_label(store, text.id, "a", "Ann")
    record_label(store, text.id, "b", "Ann")
    undo_last(store, project.id, "Ann")
    record_label(store, text.id, "c", "Ann")
    labels = []
    while undo_last(store, project.id, "Ann"):
        labels.append(get_text(store, text.id).label)
    assert labels == ["a", "flight"]


def test_undo_survives_a_restart(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store:
        project = create_project(
            store, name="A", examples=Corpus((Example("t"),)), rules_text="", logic_text="", author="Ann"
        )
        text = texts_of(store, project.id)[0]
        record_label(store, text.id, "a", "Ann")
        record_label(store, text.id, "b", "Ann")
        undo_last(store, project.id, "Ann")
    with open_store(tmp_path / "a.db") as store:
        assert get_text(store, text.id).label == "a"
        undo_last(store, project.id, "Ann")
        assert get_text(store, text.id).label is None


def test_many_labels_are_one_action(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)
    record_label(store, texts[0].id, "before", "Ann")
    events = record_labels(store, [(text.id, "all") for text in texts[1:]], "Ann")
    assert [event.text_id for event in events] == [text.id for text in texts[1:]]
    undone = undo_last_action(store, project.id, "Ann")
    assert sorted(event.undoes or 0 for event in undone) == [event.id for event in events]
    assert [label for label, _ in effective(store, project)] == ["before", "fare", None, None, "flight"]
    assert len(undo_last_action(store, project.id, "Ann")) == 1
    assert undo_last_action(store, project.id, "Ann") == ()
    assert record_labels(store, [], "Ann") == ()


def test_many_labels_are_stored_together_or_not_at_all(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)
    with pytest.raises(NotFoundError, match="There is no text with the id 999"):
        record_labels(store, [(texts[0].id, "x"), (999, "x")], "Ann")
    with pytest.raises(InputError, match=f"the label of text {texts[1].id} is empty"):
        record_labels(store, [(texts[0].id, "x"), (texts[1].id, " ")], "Ann")
    other = create_project(
        store, name="B", examples=Corpus((Example("t"),)), rules_text="", logic_text="", author="Ann"
    )
    with pytest.raises(InputError, match="belong to more than one project. Label the texts of one project"):
        record_labels(store, [(texts[0].id, "x"), (texts_of(store, other.id)[0].id, "x")], "Ann")
    assert label_history(store, project.id) == ()
    assert get_text(store, texts[0].id).label == "flight"


@pytest.mark.parametrize(
    ("label", "annotator", "message"),
    [
        ("", "Ann", "is empty. Give it at least one character."),
        ("x" * 201, "Ann", "has 201 characters; at most 200 can be stored. Shorten it."),
        (
            "a\nb",
            "Ann",
            "holds the control character U+000A at character 2. Write it on one line, without tabs.",
        ),
        (
            "a\x00",
            "Ann",
            "holds a NUL character at character 2, which cannot be stored. Remove that character.",
        ),
        ("\udc00", "Ann", "holds U+DC00, half of a surrogate pair, at character 1, which cannot be stored."),
        ("a", "", "the annotator's name is empty."),
        ("a", "x" * 101, "the annotator's name has 101 characters; at most 100 can be stored."),
    ],
)
def test_bad_labels_are_refused(store: Store, project: ProjectRecord, label: str, annotator: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        record_label(store, texts_of(store, project.id)[0].id, label, annotator)
    assert message in str(refusal.value)
    assert label_history(store, project.id) == ()


def test_labels_of_any_script_are_kept(store: Store, project: ProjectRecord) -> None:
    text = texts_of(store, project.id)[0]
    for label in ("x" * 200, "航班", "𝔣light", "<b>&\"'--"):
        record_label(store, text.id, label, "Ann")
        assert get_text(store, text.id).label == label


def test_the_log_is_shown_newest_first(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)
    for number, text in enumerate(texts):
        record_label(store, text.id, f"l{number}", "Ann")
    undo_last(store, project.id, "Ann")
    history = label_history(store, project.id)
    assert [(event.action, event.label) for event in history[:2]] == [("undo", "l4"), ("label", "l4")]
    assert len(history) == 6
    assert label_history(store, project.id, limit=2) == history[:2]


def test_people_are_counted_by_texts_whose_labels_stand(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)
    record_label(store, texts[0].id, "a", "Ann")
    record_label(store, texts[0].id, "b", "Ann")
    for text in texts[:3]:
        record_label(store, text.id, "b", "Bob")
    record_label(store, texts[0].id, "b", "Cleo")
    undo_last(store, project.id, "Cleo")
    assert labelled_by(store, project.id) == {"Bob": 3, "Ann": 1}
    assert list(labelled_by(store, project.id)) == ["Bob", "Ann"]


def test_a_damaged_column_is_mended_from_the_log(store: Store, project: ProjectRecord) -> None:
    record_label(store, texts_of(store, project.id)[0].id, "a", "Ann")
    before = texts_of(store, project.id)
    with store.writing() as connection:
        connection.execute(sql("UPDATE text SET label = 'wrong' WHERE position IN (0, 1)"))
    assert rebuild_labels(store, project.id) == 2
    assert texts_of(store, project.id) == before


ACTIONS: st.SearchStrategy[tuple[str, str, list[tuple[int, str]]]] = st.one_of(
    st.tuples(
        st.just("label"),
        st.sampled_from(["Ann", "Bob"]),
        st.lists(st.tuples(st.integers(0, 3), st.sampled_from("xyz")), min_size=1, max_size=3),
    ),
    st.tuples(st.sampled_from(["undo", "undo action"]), st.sampled_from(["Ann", "Bob"]), st.just([])),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ACTIONS, max_size=12))
def test_any_history_gives_what_a_plain_list_gives(
    history: list[tuple[str, str, list[tuple[int, str]]]],
) -> None:
    # The slow twin: [person, action number, text, label], taken away from the end at an undo.
    standing: list[tuple[str, int, int, str]] = []
    examples = Corpus((Example("a", "gold"), Example("b"), Example("c", "gold"), Example("d")))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "a.db") as store:
        project = create_project(store, name="A", examples=examples, rules_text="", logic_text="", author="Ann")
        ids = [text.id for text in texts_of(store, project.id)]
        for number, (action, person, labels) in enumerate(history):
            own = [entry for entry in standing if entry[0] == person]
            if action == "label":
                record_labels(store, [(ids[place], label) for place, label in labels], person)
                standing += [(person, number, place, label) for place, label in labels]
            elif action == "undo":
                undo_last(store, project.id, person)
                standing = [entry for entry in standing if not own or entry is not own[-1]]
            else:
                undo_last_action(store, project.id, person)
                standing = [entry for entry in standing if not own or entry[:2] != own[-1][:2]]
        expected: list[tuple[str | None, str | None]] = [(example.label, None) for example in examples]
        for person, _, place, label in standing:
            expected[place] = (label, person)
        assert effective(store, project) == expected
        assert rebuild_labels(store, project.id) == 0
