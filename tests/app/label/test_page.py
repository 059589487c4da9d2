"""The page Label: keys, undo, orders, the list, more than nine labels, and what goes wrong."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import learnable_project

from re2nn_core.errors import ConflictError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    get_text,
    label_history,
    record_label,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example


@pytest.fixture
def unlabelled(store: Store) -> ProjectRecord:
    """A project with three texts that nobody has labelled, behind 64 with a label."""
    return learnable_project(store, unlabelled=3)


def shown(studio: Studio) -> int:
    """The id of the text on the desk."""
    [accept] = [button for button in studio.test.button if (button.key or "").startswith("label_accept_")]
    return int(accept.key.rsplit("_", 1)[1])


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def order(studio: Studio, name: str) -> None:
    studio.test.selectbox(key="label_order").set_value(name).run()
    studio.checked()


def test_without_a_project_the_page_says_where_to_open_one(studio: Studio) -> None:
    studio.open("label")
    assert "No project is open." in studio.html


def test_a_project_without_texts_says_where_they_come_from(studio: Studio, store: Store) -> None:
    made = create_project(
        store, name="Empty", examples=Corpus(()), rules_text="[a]\nx\n", logic_text="", author="tester"
    )
    studio.open("label", project=made.id)
    assert "This project has no texts to label." in studio.html


def test_unlabelled_texts_come_first(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    assert "1 of 3" in studio.html
    assert get_text(store, shown(studio)).label is None
    assert not studio.test.toggle[0].value


def test_the_offered_prediction_is_accepted_and_saved(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    press(studio, f"label_accept_{first}")
    saved = get_text(store, first)
    assert (saved.label, saved.annotator) == ("travel", "analyst")
    assert shown(studio) != first
    assert "2 of 3" in studio.html
    assert "travel was saved." in studio.html


def test_a_digit_chooses_another_label(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    money = next(b for b in studio.test.button if (b.key or "").endswith(f"_{first}") and "money" in b.label)
    assert money.key == f"label_2_{first}"
    press(studio, money.key)
    assert get_text(store, first).annotator is None
    assert "Save: money" in studio.test.button(key=f"label_accept_{first}").label
    press(studio, f"label_accept_{first}")
    assert get_text(store, first).label == "money"


def test_a_new_label_can_be_typed(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    desk = studio.test.session_state[f"_desk_{unlabelled.id}"]
    desk.choose(first, "greeting")
    studio.test.run()
    press(studio, f"label_accept_{first}")
    assert get_text(store, first).label == "greeting"


def test_skip_and_back_judge_nothing(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    press(studio, "label_skip")
    assert shown(studio) != first
    press(studio, "label_back")
    assert shown(studio) == first
    assert label_history(store, unlabelled.id) == ()


def test_undo_shows_the_text_again(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    press(studio, f"label_accept_{first}")
    press(studio, "label_undo")
    assert shown(studio) == first
    assert get_text(store, first).annotator is None
    assert studio.test.button(key="label_undo").disabled


def test_undo_works_after_a_reload(unlabelled: ProjectRecord, store: Store) -> None:
    before = Studio()
    before.open("label", project=unlabelled.id)
    first = shown(before)
    press(before, f"label_accept_{first}")
    after = Studio()
    after.open("label", project=unlabelled.id)
    assert shown(after) != first
    press(after, "label_undo")
    assert shown(after) == first
    assert get_text(store, first).annotator is None


def test_what_others_did_meanwhile_is_passed_over(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    first, second = [record.id for record in texts_of(store, unlabelled.id) if record.label is None][:2]
    assert shown(studio) == first
    record_label(store, second, "money", "Bob")
    press(studio, f"label_accept_{first}")
    assert "3 of 3" in studio.html
    assert "Bob" in studio.html


def test_the_last_text_leads_to_an_end(studio: Studio, unlabelled: ProjectRecord) -> None:
    studio.open("label", project=unlabelled.id)
    for _ in range(3):
        press(studio, f"label_accept_{shown(studio)}")
    assert "All texts of this order are done." in studio.html
    press(studio, "label_back")
    assert "analyst has labelled this text." in studio.html


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("differ", "Rules and network agree on all texts."),
        ("mismatch", "The label is "),
        ("unlabelled", "It has no label yet."),
        ("random", "Drawn at random."),
    ],
)
def test_each_order_says_why(studio: Studio, unlabelled: ProjectRecord, order: str, words: str) -> None:
    studio.open("label", project=unlabelled.id)
    studio.test.selectbox(key="label_order").set_value(order).run()
    studio.checked()
    assert words in studio.html


def test_matching_rules_are_named_and_a_default_label_says_so_once(studio: Studio, unlabelled: ProjectRecord) -> None:
    studio.open("label", project=unlabelled.id)
    order(studio, "mismatch")
    assert studio.html.count("default label") == 1
    assert "atching rule" not in studio.html
    order(studio, "random")
    studio.test.toggle(key=f"label_all_{unlabelled.id}").set_value(True).run()
    for _ in range(20):
        if "Matching rule" in studio.html:
            break
        press(studio, "label_skip")
    assert "Matching rule</div>" in studio.html


def test_texts_chosen_on_predict_come_when_they_are_handed_over(
    studio: Studio, unlabelled: ProjectRecord, store: Store
) -> None:
    studio.open("predict", project=unlabelled.id)
    studio.test.segmented_control(key="predict_way").set_value("project").run()
    studio.test.text_input(key="predict_search").input("boston").run()
    studio.test.button(key="predict_send").click().run()
    studio.test.switch_page("pages/label.py").run()
    studio.checked()
    assert studio.test.selectbox(key="label_order").value == "selection"
    assert "1 of 8" in studio.html
    assert "boston" in get_text(store, shown(studio)).text


def test_many_predictions_are_accepted_at_once_and_taken_back(
    studio: Studio, unlabelled: ProjectRecord, store: Store
) -> None:
    studio.open("label", project=unlabelled.id)
    studio.test.segmented_control(key="label_way").set_value("List").run()
    studio.test.slider(key="label_list_precise").set_value(30).run()
    studio.checked()
    [grid] = studio.test.dataframe
    assert len(grid.value) == 3
    # Ticks are what the browser sends under the key of the table: the places of its rows.
    key = f"label_list_{hash((64, 65, 66))}"
    studio.test.session_state[key] = {"selection": {"rows": [0, 2], "columns": [], "cells": []}}
    studio.test.run()
    press(studio, "label_accept_many")
    given = [record for record in texts_of(store, unlabelled.id) if record.annotator == "analyst"]
    assert len(given) == 2
    press(studio, "label_undo_many")
    assert all(record.annotator is None for record in texts_of(store, unlabelled.id))


def test_more_than_ten_labels_keep_their_digits_and_show_the_prediction(studio: Studio, store: Store) -> None:
    labels = [f"label{number}" for number in range(12)]
    rules = "".join(f"[{label}]\n$* word{number} $*\n" for number, label in enumerate(labels))
    made = create_project(
        store,
        name="Many",
        examples=Corpus((Example("a word11 here"), Example("a word0 here"))),
        rules_text=rules,
        logic_text="",
        author="tester",
    )
    studio.open("label", project=made.id)
    for prediction in ("label11", "label0"):
        text_id = shown(studio)
        buttons = [b for b in studio.test.button if (b.key or "") in {f"label_{n}_{text_id}" for n in range(1, 20)}]
        assert [b.label.removeprefix("✓ ").split()[0] for b in buttons[:10]] == labels[:10]
        assert [b.proto.shortcut for b in buttons] == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", ""][
            : len(buttons)
        ]
        assert f"Save: {prediction}" in studio.test.button(key=f"label_accept_{text_id}").label
        box = studio.test.selectbox(key=f"label_search_{text_id}_")
        assert set(box.options) == {"label10", "label11"} - {prediction}
        press(studio, "label_skip")


def test_enter_keeps_the_label_that_a_text_has(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    order(studio, "mismatch")
    text_id = shown(studio)
    before = get_text(store, text_id).label
    assert studio.test.button(key=f"label_accept_{text_id}").label == f"Save: {before}"
    labels = [b.label for b in studio.test.button if b.label]
    assert any(before in label and "current label" in label for label in labels)
    assert any(before not in label and "rules" in label for label in labels)
    press(studio, f"label_accept_{text_id}")
    saved = get_text(store, text_id)
    assert (saved.label, saved.annotator) == (before, "analyst")


def test_a_text_brought_back_by_undo_leaves_a_queue_it_is_none_of(
    studio: Studio, unlabelled: ProjectRecord, store: Store
) -> None:
    studio.open("label", project=unlabelled.id)
    order(studio, "unlabelled")
    first = shown(studio)
    press(studio, f"label_accept_{first}")
    order(studio, "mismatch")
    other, queue = shown(studio), list(studio.test.session_state[f"_desk_{unlabelled.id}"].text_ids)
    press(studio, "label_undo")
    assert shown(studio) == first
    assert "Undone: your last label." in studio.html
    assert "None" not in studio.html
    press(studio, "label_skip")
    assert shown(studio) == other
    assert studio.test.session_state[f"_desk_{unlabelled.id}"].text_ids == queue


def test_a_label_of_another_session_is_shown_and_not_overwritten(
    studio: Studio, unlabelled: ProjectRecord, store: Store
) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)
    record_label(store, first, "money", "Bob")
    press(studio, f"label_accept_{first}")
    assert "Labelled money by Bob a moment ago." in studio.html
    assert get_text(store, first).annotator == "Bob"
    assert studio.test.button(key=f"label_accept_{first}").label == "Save: money"
    press(studio, f"label_accept_{first}")
    assert shown(studio) != first


def test_a_name_is_asked_for_once(studio: Studio, unlabelled: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unlabelled.id)
    assert "Who is labelling?" in studio.html
    studio.test.text_input(key="label_name").input("Ann").run()
    studio.checked()
    assert "Who is labelling?" not in studio.html
    first = shown(studio)
    press(studio, f"label_accept_{first}")
    assert get_text(store, first).annotator == "Ann"


def test_who_stays_without_a_name_is_not_asked_again(studio: Studio, unlabelled: ProjectRecord) -> None:
    studio.open("label", project=unlabelled.id)
    press(studio, "label_name_no")
    assert "Who is labelling?" not in studio.html


def test_a_label_that_cannot_be_saved_stays_on_the_screen(
    studio: Studio, unlabelled: ProjectRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.open("label", project=unlabelled.id)
    first = shown(studio)

    def fail(*_):
        raise ConflictError("The database is busy. Try again in a moment.")

    monkeypatch.setattr("re2nn_core.services.annotation.classification.record_label", fail)
    press(studio, f"label_accept_{first}")
    assert shown(studio) == first
    assert "The database is busy" in studio.messages
