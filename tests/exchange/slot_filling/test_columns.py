"""What a report says of where texts and spans were read, for files without a row of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from re2nn_core.exchange.annotation_tools.docbin import spacy_is_installed
from re2nn_core.exchange.annotation_tools.docbin_write import write_docbin
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

REGION = {"type": "labels", "from_name": "ner", "value": {"start": 3, "end": 7, "labels": ["city"]}}
ENTITY = {"label": "city", "start_offset": 3, "end_offset": 7}
FILES: dict[str, tuple[str, str]] = {
    "two columns": ("to\tO\nkiel\tB-city\n\n", "text: column 1; spans: column 2, 1 of 1 filled; split: none"),
    "four columns": (
        "to TO X O\nkiel NP X B-city\n\n",
        "text: column 1; spans: column 4, 1 of 1 filled; split: none; not read: column 2, column 3",
    ),
    "counted": (
        "1\tto\tO\tO\n2\tkiel\tB-city\tO\n\n1\tx\tO\tO\n\n",
        "text: column 2; spans: column 3, 2 of 2 filled; split: none; not read: column 4",
    ),
    "universal": (
        "1\tto\t_\tX\t_\t_\t0\troot\t_\tname=O\n2\tkiel\t_\tX\t_\t_\t0\troot\t_\tname=B-city\n\n",
        "text: FORM; spans: MISC 'name', 1 of 1 filled; split: none",
    ),
    "universal, no tags": (
        "1\tto\t_\tX\t_\t_\t0\troot\t_\t_\n2\tkiel\t_\tX\t_\t_\t0\troot\t_\t_\n\n",
        "text: FORM; spans: none; split: none",
    ),
    "label studio": (
        json.dumps(
            [
                {
                    "data": {"my_text": "to kiel", "split": "test", "page": 7},
                    "meta": {"intent": "trip", "empty": None},
                    "annotations": [{"result": [REGION]}],
                },
                {"data": {"my_text": "to oslo", "split": "test"}, "annotations": []},
            ]
        ),
        "text: my_text; spans: ner, 1 of 2 filled; split: split; not read: page, meta.intent",
    ),
    "prodigy": (
        json.dumps(
            {
                "text": "to kiel",
                "spans": [{"start": 3, "end": 7, "label": "city"}],
                "_input_hash": 7,
                "meta": {"source": "mail", "split": "dev"},
                "answer": "accept",
            }
        ),
        "text: text; spans: spans, 1 of 1 filled; split: split; not read: meta.source",
    ),
    "doccano": (
        json.dumps({"id": 1, "data": "to kiel", "entities": [ENTITY], "Comments": [], "note": "x", "relations": []}),
        "text: data; spans: entities, 1 of 1 filled; split: none; not read: note",
    ),
    "rasa": (
        json.dumps(
            {
                "rasa_nlu_data": {
                    "common_examples": [
                        {"text": "to kiel", "intent": "trip", "entities": [{"start": 3, "end": 7, "entity": "city"}]}
                    ]
                }
            }
        ),
        "text: text; spans: entities, 1 of 1 filled; split: none; not read: intent",
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_report_says_where_texts_and_spans_were_read(kind: str) -> None:
    text, reported = FILES[kind]
    suffix = ".conll" if "column" in reported or "universal" in kind else ".json"
    read = read_slot_corpus(text.encode(), f"texts{suffix}", tokenization=Tokenization())
    assert read.columns is not None
    assert read.columns.in_words("spans") == reported


@pytest.mark.skipif(not spacy_is_installed(), reason="spaCy is an extra")
def test_a_report_names_the_entities_of_a_docbin(tmp_path: Path) -> None:
    path = tmp_path / "texts.spacy"
    example = Example("to kiel", None, "dev", (Span(3, 7, "city"),))
    with path.open("wb") as stream:
        write_docbin(stream, iter([(1, example, None)]), Task.SLOT_FILLING, Tokenization())
    read = read_slot_corpus(path, tokenization=Tokenization())
    assert read.columns is not None
    assert read.columns.in_words("spans") == "text: words; spans: ents, 1 of 1 filled; split: split"


SPAN = {
    "result": [{"type": "labels", "from_name": "ner", "value": {"start": 3, "end": 7, "labels": ["city"]}}],
}
LABELS: dict[str, tuple[str, dict[str, object]]] = {
    "beside the data": ("meta.intent", {"data": {"text": "to kiel"}, "meta": {"intent": "trip"}}),
    "in the data": ("intent", {"data": {"text": "to kiel", "intent": "trip"}, "annotations": []}),
    "deep in the data": ("user.topic", {"data": {"text": "to kiel", "user": {"topic": "trip"}}, "annotations": []}),
    "beside spans": ("meta.intent", {"data": {"text": "to kiel", "meta": {"intent": "trip"}}, "annotations": [SPAN]}),
    "of prodigy": ("meta.intent", {"text": "to kiel", "meta": {"intent": "trip"}, "answer": "accept"}),
}


@pytest.mark.parametrize("kind", LABELS)
def test_a_label_that_is_no_annotation_is_reported_and_can_be_named(kind: str) -> None:
    path, task = LABELS[kind]
    data = (json.dumps([task]) if "data" in task else json.dumps(task)).encode()
    read = read_corpus(data, "texts.json")
    assert read.corpus.examples == (Example("to kiel"),)
    assert any(f"where '{path}' may hold one: name it with --label-column {path}" in note for note in read.notes)
    read = read_corpus(data, "texts.json", label_column=path)
    assert read.corpus.examples == (Example("to kiel", "trip"),)
    assert not any("may hold one" in note for note in read.notes)


def test_an_annotation_goes_before_a_label_of_the_data() -> None:
    choice = {"type": "choices", "from_name": "intent", "value": {"choices": ["stay"]}}
    tasks = [
        {"data": {"text": "to kiel", "intent": "trip"}, "annotations": [{"result": [choice]}]},
        {"data": {"text": "to oslo", "intent": "trip"}},
    ]
    read = read_corpus(json.dumps(tasks).encode(), "texts.json", label_column="intent")
    assert read.corpus.examples == (Example("to kiel", "stay"), Example("to oslo", "trip"))
    assert read.notes[0] == "1 row with the label under 'intent', not annotated in Label Studio (first in task 2)."


def test_what_is_no_label_costs_the_row() -> None:
    tasks = [{"data": {"text": text}, "meta": {"intent": intent}} for text, intent in (("a", ["x"]), ("b", "y"))]
    read = read_corpus(json.dumps(tasks).encode(), "texts.json", label_column="meta.intent")
    assert read.corpus.examples == (Example("b", "y"),)
    assert read.bad_rows[0].reason == "task 1: 'meta.intent' holds a list; a label is expected"
