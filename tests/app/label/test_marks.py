"""The page Label in a project for slots, with its plain editor, and what it does with the messages of the other one."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.app.marks import ME
from support.projects.finished_tagger_run import finished_slot_run

from pages._shared.components.span_lines import read_lines, write_lines
from pages._shared.drawing.labels import palette_of
from re2nn_core.store import (
    ProjectRecord,
    Store,
    get_text,
    label_history,
    record_label,
    texts_of,
)
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, tokenize


def shown(studio: Studio) -> int:
    """The id of the text on the desk."""
    [save] = [button for button in studio.test.button if (button.key or "").startswith("label_save_")]
    return int(save.key.rsplit("_", 1)[1])


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def order(studio: Studio, name: str) -> None:
    studio.test.selectbox(key="label_order").set_value(name).run()
    studio.checked()


def test_the_prediction_is_ready_and_saved_as_spans(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unannotated.id)
    first = shown(studio)
    assert "1 of 3" in studio.html
    assert studio.test.text_area(key=f"label_marks_{first}").value == "5-5 to_city  rome"
    press(studio, f"label_save_{first}")
    saved = get_text(store, first)
    assert (saved.label, saved.annotator) == ('[[14,18,"to_city"]]', ME)
    assert "2 of 3" in studio.html
    assert "Saved: 1 span." in studio.html


def test_nothing_in_a_text_is_a_judgement_as_well(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unannotated.id)
    first = shown(studio)
    studio.test.text_area(key=f"label_marks_{first}").input("").run()
    press(studio, f"label_save_{first}")
    assert (get_text(store, first).label, get_text(store, first).annotator) == ("[]", ME)
    assert "Saved: nothing." in studio.html


def test_a_new_slot_is_named_by_writing_it(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unannotated.id)
    first = shown(studio)
    studio.test.text_area(key=f"label_marks_{first}").input("1-2 kind\n5 to_city").run()
    press(studio, f"label_save_{first}")
    assert get_text(store, first).label == '[[0,5,"kind"],[14,18,"to_city"]]'


def test_a_new_slot_changes_no_colour_of_the_others(unannotated: ProjectRecord, store: Store) -> None:
    """Neither in a project whose texts came with marks, nor for slots that the rules alone know."""
    rules = ("to_city", "from_city", "day", "only_in_rules")
    before = palette_of(unannotated.id, rules)
    record_label(store, texts_of(store, unannotated.id)[0].id, '[[0,1,"new"],[2,8,"only_in_rules"]]', "Ann")
    after = palette_of(unannotated.id, rules)
    assert after.labels == (*before.labels, "new")


@pytest.mark.parametrize(
    ("line", "advice"), [("5-4 x", "is not a span"), ("to_city", "is not a span"), ("1-99 x", "7 words")]
)
def test_a_line_that_is_no_mark_is_told_and_nothing_saved(
    studio: Studio, unannotated: ProjectRecord, store: Store, line: str, advice: str
) -> None:
    studio.open("label", project=unannotated.id)
    first = shown(studio)
    studio.test.text_area(key=f"label_marks_{first}").input(line).run()
    press(studio, f"label_save_{first}")
    assert advice in studio.messages
    assert shown(studio) == first
    assert label_history(store, unannotated.id) == ()


def test_undo_after_a_reload_shows_the_text_as_it_was_marked(unannotated: ProjectRecord, store: Store) -> None:
    before = Studio()
    before.open("label", project=unannotated.id)
    first = shown(before)
    before.test.text_area(key=f"label_marks_{first}").input("1 kind").run()
    press(before, f"label_save_{first}")
    after = Studio()
    after.open("label", project=unannotated.id)
    assert shown(after) != first
    press(after, "label_undo")
    assert shown(after) == first
    assert get_text(store, first).annotator is None
    assert after.test.text_area(key=f"label_marks_{first}").value == "1-1 kind  a"
    assert "Undone. The text is as it was before you saved it." in after.html


def test_skip_and_back_judge_nothing(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unannotated.id)
    first = shown(studio)
    press(studio, "label_skip")
    assert shown(studio) != first
    press(studio, "label_back")
    assert shown(studio) == first
    assert label_history(store, unannotated.id) == ()


def test_behind_the_last_text_undo_leads_back(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    studio.open("label", project=unannotated.id)
    for _ in range(3):
        last = shown(studio)
        press(studio, f"label_save_{last}")
    assert "All texts of this order are done." in studio.html
    press(studio, "label_undo")
    assert shown(studio) == last
    assert get_text(store, last).annotator is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("uncertain", "The rules agree; their spans cover 1 of 7 words"),
        ("differ", "Rules and network agree on all these texts."),
        ("mismatch", " say that “"),
        ("unlabelled", "It is not annotated yet."),
        ("random", "Drawn at random."),
    ],
)
def test_each_order_says_why(studio: Studio, unannotated: ProjectRecord, name: str, words: str) -> None:
    studio.open("label", project=unannotated.id)
    order(studio, name)
    assert words in studio.html


def test_rules_that_mark_something_stand_beside_the_text(studio: Studio, unannotated: ProjectRecord) -> None:
    studio.open("label", project=unannotated.id)
    assert "Matching rules" in studio.html
    assert "$* to [ @city@ ]&lt;to_city&gt; $*" in studio.html


def test_a_trained_network_proposes_and_differs(studio: Studio, unannotated: ProjectRecord, store: Store) -> None:
    run = finished_slot_run(store, unannotated)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("label", project=unannotated.id)
    assert "predicted by the network" in studio.html
    assert "The least certain token" in studio.html
    order(studio, "differ")
    studio.test.toggle[0].set_value(True).run()
    studio.checked()
    assert "The network says that " in studio.html


def test_keys_of_the_page_are_those_of_marks(studio: Studio, unannotated: ProjectRecord) -> None:
    studio.open("label", project=unannotated.id)
    press(studio, "help_open")
    assert "name a slot without a digit" in studio.html
    assert "choose a label" not in studio.html


def test_many_predictions_are_accepted_at_once_and_taken_back(
    studio: Studio, unannotated: ProjectRecord, store: Store
) -> None:
    studio.open("label", project=unannotated.id)
    studio.test.segmented_control(key="label_way").set_value("List").run()
    studio.checked()
    [grid] = studio.test.dataframe
    assert len(grid.value) == 3
    places = [record.position for record in texts_of(store, unannotated.id) if record.label is None]
    # Ticks are what the browser sends under the key of the table: the places of its rows.
    studio.test.session_state[f"label_list_{hash(tuple(places))}"] = {
        "selection": {"rows": [0, 2], "columns": [], "cells": []}
    }
    studio.test.run()
    press(studio, "label_accept_many")
    assert [record.label for record in texts_of(store, unannotated.id) if record.annotator == ME] == [
        '[[14,18,"to_city"]]'
    ] * 2
    press(studio, "label_undo_many")
    assert all(record.annotator is None for record in texts_of(store, unannotated.id))
    assert "The spans of 2 texts were undone." in studio.html


def test_the_list_has_other_predictions_of_rules_too(studio: Studio, unannotated: ProjectRecord) -> None:
    studio.open("label", project=unannotated.id)
    studio.test.segmented_control(key="label_way").set_value("List").run()
    studio.test.selectbox(key="label_list_kind").set_value("Rules predict no span").run()
    studio.checked()
    assert "No such prediction in these texts." in studio.html


def test_lines_and_marks_tell_the_same() -> None:
    tokens = tokenize("from new york to rome", Tokenization())
    marks = (Span(1, 3, "from_city"), Span(4, 5, "to_city"))
    assert write_lines(marks, tokens) == "2-3 from_city  new york\n5-5 to_city  rome"
    assert read_lines(write_lines(marks, tokens)) == marks
