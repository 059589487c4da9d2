"""Texts of a file are added to a project from its card: with the report of `re2nn import --add`, before and after."""

from __future__ import annotations

import json

import pytest
from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord, Store, get_project, list_texts, texts_of

FILE = (
    b"text,label,channel\nfly to oslo,flight,mail\nmy bag is lost,baggage,mail\nto new york please,baggage,web\n"
    b",flight,x\n"
)


def open_with(studio: Studio, project: ProjectRecord, name: str, data: bytes, added: int = 0) -> None:
    studio.open("projects")
    studio.test.file_uploader(key=f"more_file_{project.id}_{added}").upload(name, data, "text/csv").run()
    studio.checked()


def captions(studio: Studio) -> str:
    return " ".join(caption.value for caption in studio.test.caption).replace("\\", "")


def test_the_report_stands_before_and_after_and_nothing_is_added_twice(
    studio: Studio, store: Store, project: ProjectRecord
) -> None:
    before = len(texts_of(store, project.id))
    open_with(studio, project, "more.csv", FILE)
    reported = captions(studio)
    assert "Small: 2 texts to add (classification); 1 row left out." in reported
    assert "text: text; label: label, 2 values, 3 of 3 filled; split: none; not read: channel." in reported
    assert "1 of 3 texts are already in the project with the same annotation, or have none: left out" in reported
    assert "(the box “Also add texts that the project already has” adds them too)" in reported
    assert "1 text of the project comes with a different annotation: added as a separate text." in reported
    assert "the text (column 'text') is empty" in studio.html.replace("&#x27;", "'")
    assert len(texts_of(store, project.id)) == before
    studio.test.selectbox(key=f"more_split_{project.id}").select("test").run()
    studio.test.button(key=f"more_add_{project.id}").click().run()
    studio.checked()
    added = list_texts(store, project.id)[before:]
    assert [(one.text, one.gold, one.split) for one in added] == [
        ("fly to oslo", "flight", "test"),
        ("to new york please", "baggage", "test"),
    ]
    assert "Small: 2 texts added (classification); 1 row left out." in captions(studio)
    # The same file again adds nothing, unless that is wanted.
    open_with(studio, project, "more.csv", FILE, added=1)
    assert studio.test.button(key=f"more_add_{project.id}").disabled
    studio.test.checkbox(key=f"more_again_{project.id}").check().run()
    studio.checked()
    assert studio.test.button(key=f"more_add_{project.id}").label == "Add 3 texts"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("more.csv", b"text,label\nfl\xfcge nach oslo,flight\n", "is not UTF-8"),
        ("more.csv", b"text,label\n", "holds only a header"),
        (
            "more.jsonl",
            json.dumps({"text": "to oslo", "spans": [[3, 7, "city"]]}).encode(),
            "is a project of labels; 'more.jsonl' holds slots. Nothing was added.",
        ),
    ],
)
def test_a_file_that_cannot_be_added_says_why(
    studio: Studio, store: Store, project: ProjectRecord, name: str, data: bytes, said: str
) -> None:
    open_with(studio, project, name, data)
    assert said in " ".join(error.value for error in studio.test.error).replace("\\", "")
    assert get_project(store, project.id) == project


def test_an_encoding_can_be_chosen(studio: Studio, store: Store, project: ProjectRecord) -> None:
    open_with(studio, project, "more.csv", "text,label\nflüge nach oslo,flight\n".encode("cp1252"))
    studio.test.selectbox(key=f"more_encoding_{project.id}").select("cp1252").run()
    studio.checked()
    studio.test.button(key=f"more_add_{project.id}").click().run()
    assert texts_of(store, project.id)[-1].text == "flüge nach oslo"


def test_columns_can_be_named(studio: Studio, store: Store, project: ProjectRecord) -> None:
    rows = ("fly to oslo,flight,open", "my bag,baggage,open", "fly to kiel,flight,done", "bag lost,baggage,done")
    data = "\n".join(("text,kind,part", *rows)).encode()
    open_with(studio, project, "more.csv", data)
    assert "Name one under “Labels”." in captions(studio)
    key = f"new_label_key_more.csv_{project.id}_{len(data)}"
    studio.test.text_input(key=key).input("kind").run()
    studio.checked()
    studio.test.button(key=f"more_add_{project.id}").click().run()
    assert [one.gold for one in texts_of(store, project.id)[-4:]] == ["flight", "baggage", "flight", "baggage"]


def test_offsets_can_be_chosen_for_spans(studio: Studio, store: Store) -> None:
    from re2nn_core.services.projects.projects import open_sample

    slots = open_sample(store, "flight_slots", "tester")
    rows = [{"text": "😀 a b c", "spans": [[2, 3, "city"]]}, {"text": "to Rome", "spans": [[3, 7, "city"]]}]
    data, before = "\n".join(map(json.dumps, rows)).encode(), len(texts_of(store, slots.id))
    open_with(studio, slots, "more.jsonl", data)
    key = f"new_offsets_more.jsonl_{slots.id}_{len(data)}"
    assert "choose UTF-16 units under “Offsets”" in captions(studio)
    studio.test.selectbox(key=key).select("characters").run()
    studio.checked()
    studio.test.button(key=f"more_add_{slots.id}").click().run()
    assert "Offsets" not in captions(studio)
    assert len(texts_of(store, slots.id)) == before + 2
