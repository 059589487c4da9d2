"""A project goes into one archive and comes back equal: texts, who said what and when, every rule version, undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.services.projects.archives import export_project, pack, unpack, write_project
from re2nn_core.services.projects.projects import import_archive, open_sample
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    ProjectRecord,
    Store,
    flag,
    label_history,
    labelled_by,
    list_projects,
    list_versions,
    record_label,
    record_labels,
    save_version,
    skip,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.task import Task


@pytest.fixture(params=["flight_intents", "flight_slots", "flight_slots_zh"])
def project(store: Store, request: pytest.FixtureRequest) -> ProjectRecord:
    """A sample in which several people did something."""
    made = open_sample(store, request.param, "Ann")
    texts = texts_of(store, made.id)
    labels = [text.label for text in texts if text.label is not None]
    record_label(store, texts[0].id, "[]" if made.task == Task.SLOT_FILLING else labels[-1], "Ann")
    same = labels[0] if made.task != Task.SLOT_FILLING else "[]"
    record_labels(store, [(text.id, same) for text in texts[2:5]], "Bob", how="accepted")
    undo_last_action(store, made.id, "Ann")
    skip(store, texts[6].id, "Cléo")
    flag(store, texts[7].id, "Bob", "什么?")
    save_version(store, made.id, rules_text="// none\n", logic_text="", author="Bob", message="m", expected_number=1)
    return made


def reported(store: Store, project: ProjectRecord) -> list[Any]:
    """All there is to a project but its ids and its name."""
    texts = texts_of(store, project.id)
    positions = {text.id: text.position for text in texts}
    history = label_history(store, project.id, limit=1000)
    ids = {event.id: place for place, event in enumerate(reversed(history))}
    return [
        [replace(text, id=0, project_id=0) for text in texts],
        [replace(version, id=0, project_id=0) for version in list_versions(store, project.id)],
        [
            replace(event, id=ids[event.id], text_id=positions[event.text_id], undoes=ids.get(event.undoes or 0))
            for event in history
        ],
        labelled_by(store, project.id),
        (project.task, project.description, project.tokenization, project.ignore_slot_case),
    ]


def test_a_project_comes_back_equal(store: Store, project: ProjectRecord, tmp_path: Path) -> None:
    again = import_archive(store, export_project(store, project.id), "Dora")
    assert reported(store, again) == reported(store, project)
    assert verify_store(store) == ()
    # Undo goes on where it was: Bob's flag, then his three labels together.
    for made in (project, again):
        assert [event.action for event in undo_last_action(store, made.id, "Bob", ANNOTATION_EVENTS)] == ["undo"]
        assert len(undo_last_action(store, made.id, "Bob", ANNOTATION_EVENTS)) == 3
    assert reported(store, again)[0] == reported(store, project)[0]


def test_the_streamed_file_is_the_same_archive(store: Store, project: ProjectRecord, tmp_path: Path) -> None:
    count = write_project(store, project.id, tmp_path / "a.zip")
    assert count == len(texts_of(store, project.id))
    assert unpack((tmp_path / "a.zip").read_bytes()) == unpack(export_project(store, project.id))
    assert [path.name for path in tmp_path.glob("a.zip*")] == ["a.zip"]
    with pytest.raises(DataFileError, match=r"nowhere/a.zip' cannot be written: No such file or directory"):
        write_project(store, project.id, tmp_path / "nowhere" / "a.zip")


def changed(place: int, /, **fields: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda lines: lines[place].update(fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed(1, position=99_999), "is about text 99999, which does not exist. Export the project again."),
        (changed(1, position="x"), "Event 2 of the history: position cannot be 'x'."),
        (changed(1, number=True), "Event 2 of the history: number cannot be True."),
        (changed(1, kind="magic"), "is of the unknown kind 'magic'."),
        (changed(1, person=""), "the name in event .* of the history is empty."),
        (changed(1, at="yesterday"), "has no moment: 'yesterday'."),
        (changed(1, value=""), "the label of text 0 is empty."),
        (changed(1, extra=1), "Event 2 of the history has other fields than expected."),
        (changed(1, number=1), "comes behind event"),
        (changed(3, batch=99_999), "belongs to an action that is not in it."),
        (changed(5, undoes=99_999), "takes back what was not there."),
        (changed(0, data={"number": 1}), "is no rule version."),
        (lambda lines: lines[0]["data"].update(number=2), "is not the one of rules v1."),
        (lambda lines: lines.append(dict(lines[5], number=99_999)), "takes back what was not there."),
        (lambda lines: lines.__delitem__(slice(0, None, 5)), "The history holds no rule version."),
    ],
)
def test_a_history_that_cannot_be_is_refused(
    store: Store, change: Callable[[list[dict[str, Any]]], None], message: str
) -> None:
    made = open_sample(store, "flight_intents", "Ann")
    texts = texts_of(store, made.id)
    record_label(store, texts[0].id, "x", "Ann")
    record_labels(store, [(texts[1].id, "x"), (texts[2].id, "x")], "Bob")
    record_label(store, texts[3].id, "x", "Ann")
    undo_last_action(store, made.id, "Ann")
    files = unpack(export_project(store, made.id))
    lines = [json.loads(line) for line in files["history.jsonl"].splitlines()]
    change(lines)
    files["history.jsonl"] = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    before = len(list_projects(store))
    with pytest.raises(InputError, match=message):
        import_archive(store, pack(files), "Dora")
    assert len(list_projects(store)) == before


def test_an_archive_without_a_history_opens_as_before(store: Store) -> None:
    made = open_sample(store, "flight_intents", "Ann")
    record_label(store, texts_of(store, made.id)[0].id, "x", "Ann")
    files = unpack(export_project(store, made.id))
    kept = {name: data for name, data in files.items() if name not in ("history.jsonl", "gold.jsonl")}
    again = import_archive(store, pack(kept), "Dora")
    assert [(text.text, text.label) for text in texts_of(store, again.id)] == [
        (text.text, text.label) for text in texts_of(store, made.id)
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[1", "'gold.jsonl', line 1: .* Export the project again."),
        (b"[99999, null]\n", "'gold.jsonl' holds \\[99999, None\\], which is no text of the project."),
        (b'{"a": 1}\n', "which is no text of the project"),
    ],
)
def test_damaged_labels_are_refused(store: Store, data: bytes, message: str) -> None:
    made = open_sample(store, "flight_intents", "Ann")
    files = unpack(export_project(store, made.id)) | {"gold.jsonl": data}
    with pytest.raises(DataFileError, match=message):
        import_archive(store, pack(files), "Dora")
