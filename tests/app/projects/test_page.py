"""The first page: empty store, samples, own projects, new ones, and services that fail."""

from __future__ import annotations

import json

import pytest
from support.app.app_studio import Studio

from re2nn_core.errors import DataFileError
from re2nn_core.services.projects.archives import export_project
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, list_projects, texts_of

TABLE = b"text,label\nbook a flight,flight\nmy bag is gone,baggage\nflight to rome,flight\nlost bag,baggage\n"


def button(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def test_an_empty_store_says_where_to_begin(studio: Studio) -> None:
    studio.open("projects")
    assert "You have no project yet." in studio.html
    assert "Flight intents" in studio.html


def test_a_sample_opens_on_the_rules_page(studio: Studio, store: Store) -> None:
    studio.open("projects")
    button(studio, "sample_flight_intents")
    [summary] = list_projects(store)
    assert summary.project.sample == "flight_intents"
    assert studio.test.session_state["_chosen_project"] == str(summary.project.id)
    assert "correct of" in studio.html


def test_a_sample_says_which_copies_of_it_there_are(studio: Studio, store: Store) -> None:
    for shown in ("You have a copy above: Flight intents.", "You have copies above: "):
        studio.open("projects")
        assert shown not in studio.html
        button(studio, "sample_flight_intents")
        studio.open("projects")
        assert shown in studio.html
        assert studio.test.button(key="sample_flight_intents").label == "Make another copy"
        assert "copy of a sample · classification" in studio.html


def test_own_projects_show_texts_and_labelled_share(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("projects")
    assert "labelled" in studio.html
    assert "100%" in studio.html


def test_the_figure_of_the_last_run_says_what_it_is_of(studio: Studio, run: RunRecord) -> None:
    studio.open("projects")
    assert f"network of run 1: accuracy {run.result['test']:.1%} on test, 16 texts · changed" in studio.html


def test_the_bar_keeps_the_project_in_the_address(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("projects", project=sample.id)
    assert studio.test.query_params["project"] == str(sample.id)


def test_a_project_is_made_from_a_file(studio: Studio, store: Store) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", TABLE, "text/csv").run()
    studio.checked()
    assert studio.test.selectbox(key="new_text").value == "text"
    assert studio.test.selectbox(key="new_label").value == "label"
    studio.test.text_input(key="new_name_file").input("Mine").run()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert (summary.project.name, summary.texts, summary.labelled) == ("Mine", 4, 4)
    assert "\nflight := $* flight $*\n" in latest_version(store, summary.project.id).rules_text


def test_title_and_body_are_joined(studio: Studio, store: Store) -> None:
    studio.open("projects")
    data = b"title,body,label\nrefund,send my money,pay\nlogin,it is broken,use\nbill,it came twice,pay\n"
    studio.test.file_uploader(key="new_file").upload("mine.csv", data, "text/csv").run()
    studio.test.text_input(key=f"new_text_key_mine.csv_{len(data)}").set_value("title, body").run()
    studio.checked()
    assert studio.test.selectbox(key="new_text_by_title, body").value == "title, body"
    captions = " ".join(caption.value for caption in studio.test.caption).replace("\\", "")
    assert "Columns read: text: title + body; label: label" in captions
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert next(iter(texts_of(store, summary.project.id))).text == "refund send my money"


def test_html_is_removed_by_a_box_that_is_there_for_html_alone(studio: Studio, store: Store) -> None:
    studio.open("projects")
    data = b"text,label\n<p>refund &amp; more</p>,pay\n<p>login</p>,use\n<p>bill</p>,pay\n"
    studio.test.file_uploader(key="new_file").upload("mine.csv", data, "text/csv").run()
    studio.test.checkbox(key="new_strip_html").check().run()
    studio.checked()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert next(iter(texts_of(store, summary.project.id))).text == "refund & more"


def test_the_first_turn_of_the_user_can_be_chosen_where_conversations_are_texts(studio: Studio, store: Store) -> None:
    studio.open("projects")
    rows = "".join(f'"User: I lost card {n}\nAgent: when was that?",{"ab"[n % 2]}\n' for n in range(6))
    studio.test.file_uploader(key="new_file").upload("talks.csv", f"talk,label\n{rows}".encode(), "text/csv").run()
    studio.checked()
    captions = " ".join(caption.value for caption in studio.test.caption).replace("\\", "")
    assert "6 texts are conversations of several turns" in captions
    assert "choose it as talk.first_user under “Texts”" in captions
    studio.test.selectbox(key="new_text").select("talk.first_user").run()
    studio.checked()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert next(iter(texts_of(store, summary.project.id))).text == "I lost card 0"


def test_lists_of_words_are_refused_on_the_page_too(studio: Studio) -> None:
    """They came in with brackets and quotes as words, though the command refuses them."""
    studio.open("projects")
    data = b"id,tokens,ner_tags\n" + b"".join(b"%d,['fly' 'to' 'Oslo'],[0 0 5]\n" % n for n in range(9))
    studio.test.file_uploader(key="new_file").upload("words.csv", data, "text/csv").run()
    studio.checked()
    assert "'tokens' holds cells such as" in studio.messages
    assert "write tokens under “Texts”" in studio.messages


def test_a_file_that_cannot_be_read_is_explained(studio: Studio) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("broken.csv", b"PK\x03\x04rest", "text/csv").run()
    studio.checked()
    assert "Reading the file" in studio.messages


def test_texts_can_be_pasted(studio: Studio, store: Store) -> None:
    studio.open("projects")
    studio.test.text_area(key="new_paste").input("one text\nanother text").run()
    button(studio, "create_paste")
    [summary] = list_projects(store)
    assert [record.text for record in texts_of(store, summary.project.id)] == ["one text", "another text"]


def test_pasted_lines_that_look_like_another_kind_are_texts_and_said_to(studio: Studio, store: Store) -> None:
    """A file of them was refused with the advice to give it the ending that it had."""
    lines = ["texts = [", "  'the box is late',", "  'the app is slow',", "]"]
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("list.txt", "\n".join(lines).encode(), "text/plain").run()
    assert "paste the lines in place of the file" in studio.messages
    studio.test.text_area(key="new_paste").input("\n".join(lines)).run()
    [warning] = studio.test.warning
    assert warning.value.startswith("The pasted text looks like a list of texts in a program")
    button(studio, "create_paste")
    [summary] = list_projects(store)
    assert [record.text for record in texts_of(store, summary.project.id)] == lines


def test_an_archive_comes_back_as_a_project(studio: Studio, store: Store, sample: ProjectRecord) -> None:
    studio.open("projects")
    archive = export_project(store, sample.id)
    studio.test.file_uploader(key="new_archive").upload("copy.zip", archive, "application/zip").run()
    button(studio, "import")
    assert {summary.project.name for summary in list_projects(store)} == {"Flight intents", "Flight intents 2"}


def test_a_name_that_no_project_has_is_offered(studio: Studio, store: Store, sample: ProjectRecord) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload(f"{sample.name}.csv", TABLE, "text/csv").run()
    assert studio.test.text_input(key="new_name_file").value == f"{sample.name} 2"


def test_a_taken_name_is_refused_in_words(studio: Studio, store: Store, sample: ProjectRecord) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", TABLE, "text/csv").run()
    studio.test.text_input(key="new_name_file").input(sample.name).run()
    button(studio, "create_file")
    assert "already a project named" in studio.messages.replace("\\", "")
    order = [getattr(part, "key", None) or part.type for part in studio.test.main]
    assert order.index("warning") < order.index("create_file"), "below the button it is below the window"


def test_deleting_needs_a_second_yes(studio: Studio, store: Store, sample: ProjectRecord) -> None:
    studio.open("projects", project=sample.id)
    assert studio.test.button(key=f"delete_{sample.id}").disabled
    studio.test.checkbox(key=f"sure_{sample.id}").check().run()
    button(studio, f"delete_{sample.id}")
    assert list_projects(store) == ()
    assert "You have no project yet." in studio.html


def test_a_failing_service_is_a_message(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise DataFileError("The disk is full. Make room.")

    monkeypatch.setattr("pages._projects.cards.list_projects", fail)
    studio.open("projects")
    assert "Loading the projects" in studio.messages
    assert "The disk is full" in studio.messages


def test_names_from_people_are_escaped(studio: Studio, store: Store) -> None:
    studio.open("projects")
    row = json.dumps({"text": "x", "label": "<img src=x onerror=alert(1)>"}).encode()
    studio.test.file_uploader(key="new_file").upload("mine.jsonl", row, "application/json").run()
    studio.checked()
    assert "<img" not in studio.html
    assert "&lt;img" in studio.html


def test_labels_that_no_rule_can_have_are_named_before_the_project_is_made(studio: Studio) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("texts.csv", b"text,label\na,x <b>\nb,money\n", "text/csv").run()
    assert "No rule can be written for this label: “x <b>”." in studio.messages.replace("\\", "")


def test_the_first_row_can_be_said_to_name_the_columns_or_not(studio: Studio) -> None:
    studio.open("projects")
    data = b"what they said to us,x y z u\nbook a flight,flight\nmy bag is gone,baggage\nflight to rome,flight\n"
    studio.test.file_uploader(key="new_file").upload("mine.csv", data, "text/csv").run()
    studio.checked()
    switch = studio.test.toggle(key=f"new_header_mine.csv_{len(data)}")
    assert (switch.label, switch.value) == ("First row contains column names", False)
    assert "<b>4</b> texts" in studio.html
    switch.set_value(True).run()
    studio.checked()
    assert studio.test.selectbox(key="new_text").value == "what they said to us"
    assert studio.test.selectbox(key="new_label").value == "x y z u"
    assert "<b>3</b> texts, 2 labels" in studio.html


def test_a_header_that_was_recognised_can_be_taken_back(studio: Studio) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", TABLE, "text/csv").run()
    switch = studio.test.toggle(key=f"new_header_mine.csv_{len(TABLE)}")
    assert switch.value
    switch.set_value(False).run()
    studio.checked()
    assert "<b>5</b> texts, 3 labels" in studio.html


def choice(label: str) -> dict[str, object]:
    """A label of the whole text as Label Studio writes it."""
    return {"type": "choices", "value": {"choices": [label]}}


TASKS = [
    {"id": 1, "data": {"text": "book a flight"}, "annotations": [{"result": [choice("flight")]}]},
    {"id": 2, "data": {"text": "my bag is gone"}, "annotations": [{"result": [choice("baggage")]}]},
]


def test_a_file_of_another_tool_makes_a_project(studio: Studio, store: Store) -> None:
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("tasks.json", json.dumps(TASKS).encode(), "application/json").run()
    studio.checked()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert [text.label for text in texts_of(store, summary.project.id)] == ["flight", "baggage"]


def test_a_key_that_is_no_annotation_can_hold_the_labels(studio: Studio, store: Store) -> None:
    tasks = json.dumps(
        [{"data": {"text": text}, "meta": {"intent": label}} for text, label in (("fly", "trip"), ("sit", "stay"))]
    ).encode()
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("tasks.json", tasks, "application/json").run()
    studio.checked()
    reported = "2 rows without a label, where 'meta.intent' may hold one"
    assert any(reported in one.value.replace("\\", "") for one in studio.test.caption)
    box = f"new_label_key_tasks.json_{len(tasks)}"
    studio.test.text_input(key=box).set_value("meta.topic").run()
    studio.checked()
    assert "Annotations are under: none" in studio.messages.replace("\\", "")
    studio.test.text_input(key=box).set_value("meta.intent").run()
    studio.checked()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert [text.label for text in texts_of(store, summary.project.id)] == ["trip", "stay"]


def test_texts_that_come_twice_are_told_before_a_project_is_made(studio: Studio, store: Store) -> None:
    table = b"text,label\nhello there,good\nlater,good\nhello there,bad\n"
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("ragged.csv", table, "text/csv").run()
    studio.checked()
    assert "1 text found more than once, first &#x27;hello there&#x27;." in studio.html
    assert "1 text found with different labels, first &#x27;hello there&#x27;." in studio.html
    studio.test.segmented_control(key=f"new_task_ragged.csv_{len(table)}").set_value("slots").run()
    assert "1 text found more than once" in studio.html
    assert "with different labels" not in studio.html


def test_a_fifth_of_each_label_can_be_held_out_as_test(studio: Studio, store: Store) -> None:
    rows = b"".join(b"book flight %d,flight,mail\nmy bag %d is gone,baggage,chat\n" % (n, n) for n in range(20))
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", b"text,label,channel\n" + rows, "text/csv").run()
    studio.checked()
    reported = " ".join(caption.value for caption in studio.test.caption).replace("\\", "")
    assert (
        "Columns read: text: text; label: label, 2 values, 40 of 40 filled; split: none; not read: channel." in reported
    )
    assert "The file has no test texts." in studio.html
    studio.test.checkbox(key="new_hold_out_file").check().run()
    studio.checked()
    assert "8 of 40 labelled texts put into test (20% of each label, at random with seed 0)." in studio.html
    button(studio, "create_file")
    [summary] = list_projects(store)
    held = [record.label for record in texts_of(store, summary.project.id) if record.split == "test"]
    assert sorted(held) == ["baggage"] * 4 + ["flight"] * 4


def test_a_file_with_splits_is_not_offered_others(studio: Studio) -> None:
    studio.open("projects")
    data = b"text,label,split\nbook a flight,flight,train\nmy bag is gone,baggage,test\n"
    studio.test.file_uploader(key="new_file").upload("mine.csv", data, "text/csv").run()
    studio.checked()
    assert "new_hold_out_file" not in {box.key for box in studio.test.checkbox}


def test_the_form_asks_which_of_several_columns_holds_the_labels(studio: Studio, store: Store) -> None:
    rows = b"".join(
        b"book flight %d,%s,%s\n" % (n, (b"sad", b"glad")[n % 2], (b"a", b"b", b"c")[n % 3]) for n in range(40)
    )
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", b"text,mood,reason\n" + rows, "text/csv").run()
    studio.checked()
    [warning] = studio.test.warning
    assert "these could hold them: 'mood' (2 values, 40 of 40 filled), 'reason' (3 values" in warning.value.replace(
        "\\", ""
    )
    studio.test.selectbox(key="new_label").select("reason").run()
    studio.checked()
    assert not studio.test.warning
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert summary.labelled == 40


def test_a_column_for_each_label_can_be_chosen_where_some_rows_have_no_tick(studio: Studio, store: Store) -> None:
    """The list had each column alone."""
    rows = b"".join(b"book flight %d,%d,%d\n" % (n, n % 4 == 0, n % 4 == 1) for n in range(40))
    studio.open("projects")
    studio.test.file_uploader(key="new_file").upload("mine.csv", b"text,late,lost\n" + rows, "text/csv").run()
    studio.checked()
    assert "choose all of them, late,lost" in studio.test.warning[0].value.replace("\\", "")
    studio.test.selectbox(key="new_label").select("late,lost").run()
    studio.checked()
    button(studio, "create_file")
    [summary] = list_projects(store)
    assert (summary.texts, summary.labelled) == (40, 20)


def test_the_encoding_is_asked_for_where_bytes_are_wrong_alone(studio: Studio) -> None:
    """The box was below every error, whatever it was about."""
    studio.open("projects")
    for data, asked in (("text,label\nflüge nach oslo,a\n".encode("cp1252"), True), (b"id,day\n1,2024-01-01\n", False)):
        studio.test.file_uploader(key="new_file").upload("mine.csv", data, "text/csv").run()
        studio.checked()
        assert "Reading the file did not work" in studio.messages
        assert any(box.key == "new_encoding" for box in studio.test.selectbox) == asked


def test_offsets_that_count_otherwise_are_chosen_on_the_page(studio: Studio, store: Store) -> None:
    studio.open("projects")
    rows = ('{"text": "go to Oslo", "spans": [[7, 10, "city"]]}', '{"text": "to Rome", "spans": [[4, 7, "city"]]}')
    data = "\n".join(rows).encode()
    studio.test.file_uploader(key="new_file").upload("spans.jsonl", data, "text/plain").run()
    studio.checked()
    assert "choose under “Offsets” characters from 1 with the last one included" in studio.messages
    studio.test.selectbox(key=f"new_offsets_spans.jsonl_{len(data)}").select("characters-from-1-inclusive").run()
    studio.checked()
    button(studio, "create_slots")
    [summary] = list_projects(store)
    assert [text.text for text in texts_of(store, summary.project.id)] == ["go to Oslo", "to Rome"]
