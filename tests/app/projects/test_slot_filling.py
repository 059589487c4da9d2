"""Projects with slots: samples, files with spans and without, tokenizers, refused rows, first rules, archives."""

from __future__ import annotations

import json

import pytest
from support.app.app_studio import Studio
from support.projects.span_samples import annotated_project

from re2nn_core.services.prediction.slot_filling.prediction_files import export_spans
from re2nn_core.services.prediction.slot_filling.predictions import predict_slot_texts
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_run,
    finish_run,
    latest_version,
    list_projects,
    texts_of,
)
from re2nn_core.task import Task

ROWS = [
    {"text": "from rome to oslo", "spans": [[5, 9, "from"], [13, 17, "to"]], "split": "train"},
    {"text": "from oslo to rome", "spans": [[5, 9, "from"], [13, 17, "to"]]},
    {"text": "to oslo", "spans": [[3, 5, "to"]]},
    {"text": "hello"},
]
JSONL = "\n".join(map(json.dumps, ROWS)).encode()
CHINESE = json.dumps({"text": "从北京到上海", "spans": [[1, 3, "from"], [4, 6, "to"]]}).encode()


def upload(studio: Studio, name: str, data: bytes) -> None:
    studio.test.file_uploader(key="new_file").upload(name, data, "text/plain").run()
    studio.checked()


def create(studio: Studio, way: str) -> None:
    studio.test.button(key=f"create_{way}").click().run()
    studio.checked()


def made(store: Store) -> ProjectRecord:
    [summary] = list_projects(store)
    return summary.project


@pytest.mark.parametrize("name", ["flight_slots", "flight_slots_zh"])
def test_a_sample_opens_on_the_rules_page(studio: Studio, store: Store, name: str) -> None:
    studio.open("projects")
    studio.test.button(key=f"sample_{name}").click().run()
    studio.checked()
    assert made(store).task == Task.SLOT_FILLING
    assert "F1 of" in studio.html
    assert '<mark class="re2-span"' in studio.html


def test_the_figure_of_a_run_on_slots_is_an_f1_wherever_it_stands(studio: Studio, store: Store) -> None:
    """Also of a run whose settings were given without the task: on the card and in the list of models."""
    project = annotated_project(store)
    run = create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id, config={})
    finish_run(store, run.id, "done", result={"accuracy": 0.828, "test": 0.828})
    studio.open("projects", project=project.id)
    assert "network of run 1: F1 82.8 on test · changed" in studio.html
    assert "Model: run 1, rules v1, F1 82.8 on test" in [
        option for box in studio.test.selectbox for option in box.options
    ]
    assert "82.8%" not in studio.html


def test_a_file_with_spans_is_recognised_and_previewed(studio: Studio) -> None:
    studio.open("projects")
    upload(studio, "mine.jsonl", JSONL)
    assert studio.test.segmented_control(key=f"new_task_mine.jsonl_{len(JSONL)}").value == Task.SLOT_FILLING
    assert "rome<small>from</small>" in studio.html
    assert "<b>3</b> texts, 2 annotated, 2 slots" in studio.html
    assert "1 row is left out" in studio.html
    assert "line 3: " in studio.html
    assert '<span class="re2-key">rome</span>' in studio.html, "the words of the first text"


def test_keys_that_are_not_found_can_be_named(studio: Studio, store: Store) -> None:
    region = {"type": "labels", "from_name": "ner", "value": {"start": 3, "end": 7, "labels": ["city"]}}
    data = {"my_text": "to oslo", "source": "an old mail"}
    tasks = json.dumps([{"data": data, "annotations": [{"result": [region]}]}]).encode()
    studio.open("projects")
    upload(studio, "tasks.json", tasks)
    assert "name its key under “Texts”" in studio.messages.replace("\\", "")
    studio.test.text_input(key=f"new_text_key_tasks.json_{len(tasks)}").set_value("my_text").run()
    studio.checked()
    [reported] = [one.value for one in studio.test.caption if one.value.startswith("Columns read")]
    assert reported.replace("\\", "") == (
        "Columns read: text: my_text; spans: ner, 1 of 1 filled; split: none; not read: source."
    )
    create(studio, "slots")
    assert [text.text for text in texts_of(store, made(store).id)] == ["to oslo"]


def test_names_of_slots_have_their_blanks_again(studio: Studio, store: Store) -> None:
    studio.open("projects")
    upload(studio, "mine.jsonl", json.dumps({"text": "to oslo", "spans": [[3, 7, "Place Name"]]}).encode())
    create(studio, "slots")
    project = made(store).id
    studio.open("projects")
    for blanks, name in ((False, "Place_Name"), (True, "Place Name")):
        studio.test.selectbox(key=f"format_{project}").select("JSON lines").run()
        studio.test.checkbox(key=f"slot_blanks_{project}").set_value(blanks).run()
        assert "_ready_download" not in studio.test.session_state
        studio.test.button(key=f"prepare_{project}").click().run()
        studio.checked()
        assert name.encode() in studio.test.session_state["_ready_download"][2]
    studio.test.selectbox(key=f"format_{project}").select("CoNLL (BIO)").run()
    studio.checked()
    assert f"slot_blanks_{project}" not in {box.key for box in studio.test.checkbox}


def test_the_column_of_tags_can_be_named(studio: Studio) -> None:
    conll = b"to O O\noslo B-city B-place\n\n"
    studio.open("projects")
    upload(studio, "mine.conll", conll)
    assert "oslo<small>place</small>" in studio.html
    studio.test.text_input(key=f"new_label_key_mine.conll_{len(conll)}").set_value("2").run()
    studio.checked()
    assert "oslo<small>city</small>" in studio.html


def test_a_project_is_made_from_it_with_rules_to_begin_with(studio: Studio, store: Store) -> None:
    studio.open("projects")
    upload(studio, "mine.jsonl", JSONL)
    create(studio, "slots")
    project = made(store)
    assert (project.name, project.task, project.tokenization.kind) == ("mine", Task.SLOT_FILLING, "punctuation")
    assert [record.text for record in texts_of(store, project.id)] == [ROWS[0]["text"], ROWS[1]["text"], "hello"]
    assert "]<from>" in latest_version(store, project.id).rules_text
    assert "F1 of all 4 annotated spans" in studio.html


def test_words_that_come_with_a_file_are_kept(studio: Studio, store: Store) -> None:
    studio.open("projects")
    upload(studio, "mine.conll", b"to\tO\nst.-denis,\tB-to\n\nto\tO\nrome\tB-to\nbroken\n")
    assert "1 row is left out" in studio.html
    create(studio, "slots")
    assert made(store).tokenization.kind == "whitespace"


def test_chinese_is_cut_into_characters(studio: Studio, store: Store) -> None:
    studio.open("projects")
    upload(studio, "zh.jsonl", CHINESE)
    assert "北京<small>from</small>" in studio.html
    create(studio, "slots")
    assert made(store).tokenization.kind == "characters"


def test_a_tokenizer_that_is_not_installed_says_how_to_get_it(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._projects.parts.jieba_is_installed", lambda: False)
    studio.open("projects")
    upload(studio, "zh.jsonl", CHINESE)
    studio.test.selectbox(key="new_cut_slots_characters").set_value("jieba").run()
    studio.checked()
    assert "pip install" in studio.html


def test_the_task_can_be_chosen_against_the_file(studio: Studio, store: Store) -> None:
    studio.open("projects")
    data = b"text,label\nto oslo,x\nto rome,y\n"
    upload(studio, "mine.csv", data)
    studio.test.segmented_control(key=f"new_task_mine.csv_{len(data)}").set_value(Task.SLOT_FILLING).run()
    studio.checked()
    assert "These texts are not annotated." in studio.html
    assert not any(box.key == "new_label" for box in studio.test.selectbox)
    create(studio, "file_slots")
    project = made(store)
    assert project.task == Task.SLOT_FILLING
    assert [record.label for record in texts_of(store, project.id)] == [None, None]
    assert "my_slot" in latest_version(store, project.id).rules_text
    assert "no text is annotated yet" in studio.html


def test_pasted_texts_can_become_a_project_with_slots(studio: Studio, store: Store) -> None:
    studio.open("projects")
    studio.test.text_area(key="new_paste").input("one text\nanother text").run()
    studio.test.segmented_control(key="new_task_paste").set_value(Task.SLOT_FILLING).run()
    create(studio, "paste_slots")
    assert made(store).task == Task.SLOT_FILLING


def test_an_archive_comes_back_with_its_spans(studio: Studio, store: Store) -> None:
    project = annotated_project(store)
    studio.open("projects")
    archive = export_project(store, project.id)
    studio.test.file_uploader(key="new_archive").upload("copy.zip", archive, "application/zip").run()
    studio.test.button(key="import").click().run()
    studio.checked()
    copy = next(s.project for s in list_projects(store) if s.project.name == "Trips 2")
    assert [r.label for r in texts_of(store, copy.id)] == [r.label for r in texts_of(store, project.id)]


def test_own_projects_name_their_task_and_marked_share(studio: Studio, store: Store) -> None:
    annotated_project(store)
    studio.open("projects")
    assert "83%" in studio.html
    assert "annotated" in studio.html


def test_a_file_of_nothing_readable_is_explained(studio: Studio) -> None:
    studio.open("projects")
    upload(studio, "mine.jsonl", b'{"text": "to oslo", "spans": [[3, 5, "to"]]}\n')
    assert "Reading the file did not work." in studio.messages


def test_rows_that_are_left_out_are_grouped_and_can_all_be_had(studio: Studio) -> None:
    studio.open("projects")
    bad = [json.dumps({"text": f"to oslo {n}", "spans": [[3, 5, "to"]]}) for n in range(12)]
    upload(studio, "mine.jsonl", "\n".join([*bad, json.dumps({"text": " "}), json.dumps(ROWS[0])]).encode())
    assert "13 rows are left out:<ul><li>line 1: " in studio.html
    assert "<b>The same for 11 more</b>, on lines 2, 3, 4, 5, 6, 7 …" in studio.html
    assert "All 13 rows that are left out" in [box.label for box in studio.test.expander]
    assert studio.html.count("ends at 5, where no word ends") == 1 + 12
    [download] = [item for item in studio.test.get("download_button") if "Lines and reasons" in item.proto.label]
    assert download is not None


def test_slot_names_may_compare_without_regard_to_case(studio: Studio, store: Store) -> None:
    studio.open("projects")
    upload(studio, "mine.jsonl", JSONL)
    studio.test.checkbox(key="new_slot_case").check().run()
    create(studio, "slots")
    project = made(store)
    assert project.ignore_slot_case
    studio.open("projects")
    studio.test.checkbox(key=f"slot_case_{project.id}").uncheck().run()
    studio.checked()
    assert not made(store).ignore_slot_case


def test_slots_from_files_are_escaped(studio: Studio) -> None:
    studio.open("projects")
    row = json.dumps({"text": "<b>x</b> y", "spans": [[9, 10, "<img/src=x>"]]}).encode()
    upload(studio, "mine.jsonl", row)
    assert "<img" not in studio.html
    assert "<b>x" not in studio.html
    assert "&lt;img/src=x&gt;" in studio.html


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_what_predict_has_written_is_a_file_with_spans(studio: Studio, store: Store, format: str) -> None:
    project = annotated_project(store)
    texts = [record.text for record in texts_of(store, project.id)]
    splits = ("train", "dev", "test", "train", None, None)
    annotated = predict_slot_texts(slot_system_of(project, latest_version(store, project.id)), None, texts)
    studio.open("projects")
    upload(studio, f"answers.{format}", export_spans(annotated, range(6), None, format, splits))
    create(studio, "slots")
    copy = next(s.project for s in list_projects(store) if s.project.name == "answers")
    records = texts_of(store, copy.id)
    assert [spans_of_record(record) for record in records] == list(annotated.spans)
    assert [record.split for record in records] == list(splits)
