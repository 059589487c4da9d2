"""Projects for slots as files and archives, and their texts as examples."""

from __future__ import annotations

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.services.projects.archives import export_project, unpack
from re2nn_core.services.projects.project_files import read_project_files
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.rule_systems.slot_filling.stored_spans import (
    known_slots_of,
    span_examples_of,
)
from re2nn_core.store import ProjectRecord, Store, create_project, record_label, set_slot_case, texts_of
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.label_form import label_form
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

FLY = Example("fly to New York!", None, "train", (Span(7, 15, "city"),))
CORPUS = Corpus((FLY, Example("hello", None, "dev", ()), Example("from  oslo", None, None, None)))
RULES = b"$* to [$+]<city>\n"


def project_of(store: Store, tokenization: Tokenization) -> ProjectRecord:
    return create_project(
        store,
        name="Slots",
        task="slots",
        examples=CORPUS,
        rules_text=RULES.decode(),
        logic_text="",
        author="ann",
        tokenization=tokenization,
    )


def test_a_project_for_slots_survives_export_and_import(store: Store) -> None:
    first = project_of(store, Tokenization("characters", lowercase=False))
    texts = texts_of(store, first.id)
    assert span_examples_of(texts) == CORPUS.examples
    record_label(store, texts[2].id, '[[6,10,"city"]]', "bob")
    texts = texts_of(store, first.id)
    assert [label_form(Task.SLOT_FILLING).written(example) for example in span_examples_of(texts)] == [
        text.label for text in texts
    ]
    second = import_archive(store, export_project(store, first.id), "carl")
    assert (second.task, second.tokenization) == ("slots", first.tokenization)
    assert span_examples_of(texts_of(store, second.id)) == span_examples_of(texts)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("texts.jsonl", b'{"tokens": ["fly", "to", "oslo"], "tags": ["O", "O", "B-city"]}\n'),
        ("texts.conll", b"fly O\nto O\noslo B-city\n"),
    ],
)
def test_a_folder_may_hold_its_texts_in_any_form(name: str, data: bytes) -> None:
    settings = f'title = "Tiny"\ntask = "slots"\ntexts = "{name}"\n'.encode()
    read = read_project_files({"project.toml": settings, "rules.txt": RULES, name: data})
    assert (read.task, read.corpus.slots) == ("slots", ("city",))


def test_spans_at_fault_are_told_with_their_line() -> None:
    settings = b'task = "slots"\ntexts = "t.jsonl"\n'
    data = b'{"text": "a", "spans": []}\n{"text": "to oslo", "spans": [[3, 6, "city"]]}\n'
    with pytest.raises(DataFileError) as caught:
        read_project_files({"project.toml": settings, "rules.txt": RULES, "t.jsonl": data})
    assert str(caught.value).startswith(
        "'t.jsonl', line 2: [3, 6, \"city\"] ('osl') ends at 6, where no word ends; the nearest borders are 3 and 7"
    )


def test_how_the_texts_spell_slots_counts_only_where_the_project_says_so(store: Store) -> None:
    first = project_of(store, Tokenization("punctuation"))
    record_label(store, texts_of(store, first.id)[1].id, '[[0,5,"Greeting"]]', "bob")
    assert known_slots_of(store, first) == ()
    reported = set_slot_case(store, first.id, ignore=True)
    assert known_slots_of(store, reported) == ("city", "Greeting")
    record_label(store, texts_of(store, first.id)[0].id, '[[0,3,"City"]]', "bob")
    assert known_slots_of(store, reported) == ("city", "Greeting")
    slots = {
        span.slot
        for one in span_examples_of(texts_of(store, first.id), ("city", "Greeting"))
        for span in one.spans or ()
    }
    assert "City" not in slots
    assert "city" in slots
    assert b"ignore_slot_case = true" in unpack(export_project(store, first.id))["project.toml"]
    assert import_archive(store, export_project(store, first.id), "carl").ignore_slot_case


def test_the_case_of_slots_is_a_switch() -> None:
    settings = b'task = "slots"\ntexts = "t.conll"\nignore_slot_case = "yes"\n'
    with pytest.raises(DataFileError, match="ignore_slot_case must be true or false"):
        read_project_files({"project.toml": settings, "rules.txt": RULES, "t.conll": b"oslo B-city\n"})
