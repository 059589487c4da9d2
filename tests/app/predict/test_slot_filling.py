"""Predict for a project with slots: files with and without spans, the project's texts, filters, reasons, labelling."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.projects.finished_tagger_run import finished_slot_run, slot_project
from support.projects.span_samples import EXAMPLES, PLAIN, RULES, annotated_project

from pages._predict.slot_filling.sources import READING
from pages._predict.sources import given_by_project
from pages._shared.drawing.tables import MEASURED
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.services.prediction.slot_filling.prediction_files import export_spans
from re2nn_core.services.prediction.slot_filling.predictions import predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    latest_version,
    record_label,
    save_version,
    texts_of,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example

JSONL = b"""{"text": "to rome", "spans": [[3, 7, "to_city"]]}
{"text": "on friday", "spans": []}
{"text": "to oslo", "spans": [[3, 5, "to_city"]]}
"""
# What two rules of the project were worth on its annotated texts.
TO, DAY = "67% (21% to 94%)", "50% (9% to 91%)"
CONLL = b"to\tO\nnew\tB-to_city\nyork\tI-to_city\n\non\tO\nmonday\tB-day\n"


@pytest.fixture
def trips(store: Store) -> ProjectRecord:
    return annotated_project(store)


def source(studio: Studio, way: str) -> None:
    studio.test.segmented_control(key="predict_way").set_value(way).run()
    studio.checked()


def upload(studio: Studio, name: str, data: bytes) -> None:
    studio.test.file_uploader(key="predict_upload").upload(name, data, "text/plain").run()
    studio.checked()


def table(studio: Studio):
    return studio.test.dataframe[0].value


def test_it_begins_with_a_file(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    assert "JSON lines, CoNLL" in studio.test.caption[0].value
    assert not studio.test.dataframe


def test_the_projects_own_texts_are_predicted_and_measured(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "project")
    assert "<b>61.5</b> <span>F1</span>" in studio.html
    assert list(table(studio)["notes"]) == [
        f"{TO} ✓",
        f"{DAY} ✓",
        f"{TO} ✗ 3",
        f"{DAY} ✗ 1",
        "✗ 1",
        TO,
    ]
    assert list(table(studio)["spans"][1]) == ["from_city: rome", "to_city: new york", "day: friday"]


def test_the_first_text_is_explained(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "project")
    assert "Rules of the spans" in studio.html
    worth = f' <span class="re2-muted" title="{MEASURED}">precision {TO}, 3 spans</span>'
    assert f">to</a></b>{worth}<code>$* to [ $ $? ]&lt;to_city&gt; $*</code>" in studio.html


def test_rules_have_a_measured_precision_that_follows_the_annotations(
    studio: Studio, store: Store, trips: ProjectRecord
) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "project")
    assert studio.test.slider(key="predict_precision").label == "Precision"
    assert "Low precision 2" in studio.test.segmented_control(key="predict_view").options
    record_label(store, texts_of(store, trips.id)[5].id, '[[3,14,"to_city"]]', "Ann")
    studio.test.run()
    studio.checked()
    assert list(table(studio)["notes"])[0] == "75% (30% to 95%) ✓"


def test_nothing_is_measured_without_annotated_texts(studio: Studio, store: Store) -> None:
    made = create_project(
        store,
        name="Bare",
        task=Task.SLOT_FILLING,
        examples=Corpus(tuple(Example(example.text) for example in EXAMPLES)),
        rules_text=RULES,
        logic_text="",
        author="tester",
        tokenization=PLAIN,
    )
    studio.open("predict", project=made.id)
    source(studio, "project")
    assert set(table(studio)["notes"]) == {""}
    assert "precision" not in studio.html
    assert not studio.test.slider


def test_a_file_with_spans_is_measured_and_its_bad_rows_are_named(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.jsonl", JSONL)
    assert list(table(studio)["notes"]) == [f"{TO} ✓", f"{DAY} ✗ 1"]
    assert any("1 row left out" in box.label for box in studio.test.expander)
    assert "line 3" in studio.html


def test_a_conll_file_is_read(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.conll", CONLL)
    assert list(table(studio)["text"]) == ["to new york", "on monday"]
    assert list(table(studio)["notes"]) == [f"{TO} ✓", f"{DAY} ✓"]


def test_one_text_with_one_span_is_not_counted_as_several(studio: Studio, trips: ProjectRecord) -> None:
    """It was `1 texts with a span`."""
    studio.open("predict", project=trips.id)
    upload(studio, "mine.jsonl", b'{"text": "to rome"}\n')
    for noun in ("text", "span", "text with a span"):
        assert f"<b>1</b> <span>{noun}</span>" in studio.html


def test_a_table_of_texts_is_read_without_a_choice_of_labels(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.csv", b"id,text,label\n1,to oslo,x\n2,hello,y\n")
    assert list(table(studio)["text"]) == ["to oslo", "hello"]
    assert not any("labels" in box.label for box in studio.test.selectbox)


def test_a_file_that_cannot_be_read_is_explained(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.conll", b"only words\nno tags\n")
    assert "Reading the file did not work." in studio.messages
    assert not studio.test.dataframe


def test_filters_leave_the_texts_that_are_wanted(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "project")
    studio.test.segmented_control(key="predict_view").set_value("wrong").run()
    assert list(table(studio)["line"]) == [3, 4, 5]
    studio.test.multiselect(key="predict_slots").set_value(["day"]).run()
    assert list(table(studio)["line"]) == [4]
    assert "Annotated, not predicted" not in studio.html
    studio.test.text_input(key="predict_search").input("nowhere").run()
    assert "No text matches the filters." in studio.html
    studio.checked()


def test_a_view_that_is_not_there_for_other_texts_is_left(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "project")
    studio.test.segmented_control(key="predict_view").set_value("wrong").run()
    source(studio, "paste")
    studio.test.text_area(key="predict_paste").input("to oslo\nhello").run()
    studio.checked()
    assert list(table(studio)["text"]) == ["to oslo", "hello"]
    assert studio.test.segmented_control(key="predict_view").value == "all"


def test_texts_from_people_are_escaped(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    source(studio, "paste")
    studio.test.text_area(key="predict_paste").input("to <script>alert(1)</script>").run()
    studio.checked()
    assert "<script>" not in studio.html
    assert "&lt;script&gt;" in studio.html


def test_new_texts_are_sent_to_labelling_with_their_spans(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.conll", CONLL)
    studio.test.button(key="predict_send").click().run()
    records = texts_of(store, trips.id)
    assert [(record.text, record.label) for record in records[-2:]] == [
        ("to new york", '[[3,11,"to_city"]]'),
        ("on monday", '[[3,9,"day"]]'),
    ]
    assert studio.test.session_state["label_order"] == "selection"


def test_a_trained_run_predicts_and_tells_how_sure_it_is(studio: Studio, store: Store) -> None:
    made = slot_project(store)
    run = finished_slot_run(store, made)
    studio.test.query_params["model"] = f"run:{run.id}"
    studio.open("predict", project=made.id)
    source(studio, "project")
    assert "F1 on dev" in studio.html
    assert "where rules and network differ" in studio.html
    assert "· confidence 0." in studio.html
    studio.test.segmented_control(key="predict_view").set_value("differ").run()
    studio.checked()
    assert all(cell.startswith("≠ rules") for cell in table(studio)["notes"])
    titles = [choice for choice in studio.test.selectbox if choice.label == "Model"][0].options
    assert any("run 1, rules v1, F1 " in title for title in titles)
    # Rules that were saved after the training are none of the network's.
    newest = latest_version(store, made.id)
    later = f"{newest.rules_text}\nlater := $* [ now ]<time> $*\n"
    save_version(store, made.id, rules_text=later, logic_text="", author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert "trained from rules v1: the rules below are these, not the newest ones (v2)." in studio.html


def test_many_texts_come_by_the_hundred(studio: Studio, trips: ProjectRecord) -> None:
    studio.open("predict", project=trips.id)
    upload(studio, "mine.txt", "\n".join(f"to oslo {number}" for number in range(150)).encode())
    assert len(table(studio)) == 100
    studio.test.button(key="predict_page_Next").click().run()
    studio.checked()
    assert list(table(studio)["text"])[0] == "to oslo 100"
    assert "101 to 150 of 150" in studio.html


def test_faulty_rules_are_shown_with_their_place(studio: Studio, store: Store, trips: ProjectRecord) -> None:
    save_version(store, trips.id, rules_text="a := [ x", logic_text="", author="tester", expected_number=1)
    studio.open("predict", project=trips.id)
    source(studio, "project")
    assert "re2-fault" in studio.html


def test_the_list_of_texts_is_drawn_in_the_browser(
    studio: Studio, trips: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "0")
    studio.open("predict", project=trips.id)
    source(studio, "project")
    assert [key for part in studio.test.get("bidi_component") if not (key := part.key).startswith("_script_")] == [
        "predict_spans"
    ]


def test_the_projects_texts_keep_their_splits_in_a_download(studio: Studio, store: Store) -> None:
    project = slot_project(store)
    given = given_by_project(project, READING)
    assert given is not None
    predicted = predict_slot_texts(slot_system_of(project, latest_version(store, project.id)), None, given.texts)
    written = export_spans(predicted, range(56), given.source, "jsonl", given.splits)
    read = read_slot_corpus(written, "x.jsonl", tokenization=project.tokenization)
    assert [example.split for example in read.corpus] == [record.split for record in texts_of(store, project.id)]
    table = read_table(export_spans(predicted, range(56), given.source, "csv", given.splits), "x.csv")
    assert list(table.column("split")) == [record.split for record in texts_of(store, project.id)]
