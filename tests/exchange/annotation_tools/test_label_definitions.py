"""Files that list labels are refused by name: the names of labels were read as texts, and their colours as labels."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import task_parts
from re2nn_core.exchange.read import read_table
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

DOCCANO = [
    {
        "id": number,
        "text": label,
        "prefix_key": None,
        "suffix_key": label[0],
        "background_color": "#209cee",
        "text_color": "#ffffff",
    }
    for number, label in enumerate(("positive", "negative"))
]
NEWER = [
    {"text": label, "suffixKey": label[0], "backgroundColor": "#209cee", "textColor": "#ffffff"}
    for label in ("positive", "not so good")
]
OF_DOCCANO = "the definitions of labels of doccano, which list labels and no texts. In doccano, export the texts"
COLOURS = "definitions of labels with their colours, not texts. Export the annotated texts from the tool"
LIST = "a list of labels, not texts. Import the texts that have these labels."
NUMBERS = "labels with their numbers, not texts. Import the texts"
DESCRIPTION = "the description of a model, a data set or a task, which lists labels and no texts. Import the texts"

KINDS: dict[str, tuple[Any, str]] = {
    "doccano.json": (DOCCANO, OF_DOCCANO),
    "newer_doccano.json": (NEWER, OF_DOCCANO),
    "doccano.jsonl": ("\n".join(map(json.dumps, DOCCANO)), OF_DOCCANO),
    "without_keys.json": ([{"id": 1, "text": "positive", "background_color": "#209cee"}], COLOURS),
    "names.json": ([{"name": "positive", "color": "red"}, {"name": "negative", "color": "rgb(0, 9, 9)"}], COLOURS),
    "labels.csv": ("label,color,hotkey\npositive,#209cee,p\nnegative,#ff3860,n\n", COLOURS),
    "texts.csv": ("id,text,background_color\n1,positive,#209cee\n2,negative,#ff3860\n", COLOURS),
    "labels.tsv": ("name\tcolour\npositive\t#209cee\nnegative\t#ff3860\n", COLOURS),
    "ner.json": (["PERSON", "ORG", "GPE"], LIST),
    "components.json": ({"ner": ["PERSON", "ORG"], "textcat": ["POS", "NEG"]}, LIST),
    "choices.jsonl": (
        '{"id": "POSITIVE", "text": "Positive"}\n{"id": "NOT_SO_GOOD", "text": "Not so good"}',
        "the cho",
    ),
    "patterns.jsonl": (
        '{"label": "GPE", "pattern": [{"lower": "oslo"}]}\n{"label": "FRUIT", "pattern": "apple"}',
        "patterns of Prodigy or spaCy, not texts. Import the texts (in Prodigy, db-out writes them), and write the",
    ),
    "config.json": ({"id2label": {"0": "no", "1": "yes"}, "label2id": {"no": 0, "yes": 1}}, DESCRIPTION),
    "meta.json": ({"lang": "en", "pipeline": ["ner"], "labels": {"ner": ["PERSON"]}}, DESCRIPTION),
    "ontology.json": ({"tools": [{"name": "City", "color": "#1CE6FF"}], "classifications": []}, DESCRIPTION),
    "label2id.json": ({"positive": 0, "negative": 1}, NUMBERS),
    "id2label.json": ({"0": "positive", "1": "negative", "2": "neutral"}, NUMBERS),
}


def written(content: Any) -> bytes:
    return (content if isinstance(content, str) else json.dumps(content)).encode()


@pytest.mark.parametrize("task", Task)
@pytest.mark.parametrize("name", KINDS)
def test_each_list_of_labels_is_refused_by_its_name(name: str, task: Task) -> None:
    content, said = KINDS[name]
    with pytest.raises(DataFileError) as caught:
        list(task_parts(task, written(content), name, Tokenization(), FileReading()))
    assert str(caught.value).startswith(f"'{name}' looks like {said}")


def test_the_format_doccano_is_refused_too() -> None:
    with pytest.raises(DataFileError, match="looks like the definitions of labels of doccano"):
        read_table(written(DOCCANO), "labels.json", format="doccano")


@pytest.mark.parametrize("name", ["doccano.json", "doccano.jsonl", "labels.csv", "choices.jsonl"])
def test_rows_are_read_where_somebody_names_their_format_or_column(name: str) -> None:
    content, _ = KINDS[name]
    format = "csv" if name.endswith(".csv") else "jsonl"
    assert len(read_table(written(content), name, format=format).rows) == 2
    column = "label" if format == "csv" else "text"
    assert len(read_table(written(content), name, wanted=(column,)).rows) == 2


@pytest.mark.parametrize(
    "content",
    [
        [{"text": "buy now", "background_color": "#fff", "label": "ad"}, {"text": "hi", "label": "greeting"}],
        [{"text": "the sky", "color": "#fff", "source": "web"}, {"text": "the sea", "color": "#00f", "source": "web"}],
        [{"text": "the sky", "color": "#fff"}, {"text": "the sky", "color": "#00f"}],
        [{"id": "a1", "text": "hi"}, {"id": "a2", "text": "to oslo"}],
        [{"label": "trip", "pattern": "a flight to oslo"}, {"label": "fare", "pattern": "how much is it"}],
        {"id2label": {"0": "no", "1": "yes"}, "data": [{"text": "hi", "label": 0}, {"text": "to oslo", "label": 1}]},
        '["text", "label"]\n["hi", "greeting"]\n["oslo", "city"]',
        '{"text": "hi"}\n{"text": "bye"}',
    ],
)
def test_texts_with_colours_names_and_numbers_are_read(content: Any) -> None:
    assert len(read_table(written(content), "texts.json").rows) == 2


def test_a_column_of_colours_next_to_texts_with_labels_is_read() -> None:
    data = b"text,label,color\nto oslo,trip,#209cee\nhow much,fare,#ff3860\n"
    assert len(read_table(data, "texts.csv").rows) == 2
