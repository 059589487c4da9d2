"""re2nn predict for slots: every kind of input, every kind of output, and what is written reads back."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from support.command_line import Call
from support.tagging_command_line import SLOT_TEXTS, jsonl, marked_lines

from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

CITIES = "from boston to new york"
EXPECTED = [
    {"start": 5, "end": 11, "slot": "from_city", "text": "boston", "confidence": None, "rules": ["from_city"]},
    {"start": 15, "end": 23, "slot": "to_city", "text": "new york", "confidence": None, "rules": ["to_city"]},
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("texts.txt", f"{CITIES}\n"),
        ("texts.csv", f"text\n{CITIES}\n"),
        ("texts.jsonl", jsonl([{"text": CITIES}])),
        ("words.jsonl", jsonl([{"tokens": CITIES.split()}])),
        ("tags.jsonl", jsonl([{"tokens": CITIES.split(), "tags": ["O", "B-other", "O", "O", "O"]}])),
        ("texts.conll", "".join(f"{word} {'B-other' if word == 'boston' else 'O'}\n" for word in CITIES.split())),
    ],
)
def test_any_file_of_texts(re2nn: Call, slot_rules: Path, tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    outcome = re2nn("predict", "--rules", slot_rules, tmp_path / name, "--json")
    assert outcome.code == 0
    data = outcome.data
    assert (data["sentences"], data["spans"], data["slots"]) == (1, 2, {"from_city": 1, "to_city": 1})
    assert data["predictions"] == [{"text": CITIES, "spans": EXPECTED, "confidence": None}]


def test_stdin_of_texts_and_of_words(re2nn: Call, slot_rules: Path) -> None:
    outcome = re2nn("predict", "--rules", slot_rules, "-", input=f"{CITIES}\nhello there\n")
    assert outcome.out.splitlines() == [
        "slots                                 text",
        f"from_city: boston; to_city: new york  {CITIES}",
        "-                                     hello there",
    ]
    words = re2nn("predict", "--rules", slot_rules, "-", "--json", input=jsonl([{"tokens": ["to", "oslo"]}]))
    assert words.data["predictions"][0]["spans"][0]["text"] == "oslo"
    conll = re2nn("predict", "--rules", slot_rules, "-", "--format", "conll", "--json", input="to O\noslo O\n")
    assert conll.data["spans"] == 1


@pytest.mark.parametrize("ending", ["jsonl", "conll"])
def test_predictions_read_back_as_slots(re2nn: Call, slot_rules: Path, tmp_path: Path, ending: str) -> None:
    (tmp_path / "texts.jsonl").write_text(marked_lines(), encoding="utf-8")
    output = tmp_path / f"answers.{ending}"
    outcome = re2nn("predict", "--rules", slot_rules, tmp_path / "texts.jsonl", "-o", output)
    assert outcome.code == 0
    assert outcome.out.endswith(f"6 predictions written to {output}.\n")
    read = read_slot_corpus(output, tokenization=Tokenization())
    assert (read.bad_rows, read.format) == ((), ending)
    assert read.corpus.texts == tuple(text for text, _ in SLOT_TEXTS)
    assert [example.spans for example in read.corpus][2] == (Span(3, 11, "to_city"), Span(15, 21, "day"))
    assert [example.spans for example in read.corpus][5] == ()


def test_a_table_has_the_spans_as_json_in_a_cell(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    output = tmp_path / "answers.csv"
    assert re2nn("predict", "--rules", slot_rules, "-", "-o", output, input=f"{CITIES}\n").code == 0
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    spans = '[[5,11,"from_city"],[15,23,"to_city"]]'
    in_words = "from_city: boston; to_city: new york"
    assert rows == [
        {
            "text": CITIES,
            "prediction": in_words,
            "spans": spans,
            "confidence": "",
            "rules_spans": spans,
            "rules_differ": "no",
        }
    ]
    assert json.loads(rows[0]["spans"])[1] == [15, 23, "to_city"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_odd_texts_come_back_as_they_were(re2nn: Call, slot_rules: Path, tmp_path: Path, ending: str) -> None:
    """Chinese, signs beyond the first plane, double blanks, quotes, formula signs."""
    slot_rules.write_text('$* 去 [ 北 京 ]<to_city> $*\n$* to [ new york | "=oslo" ]<to_city> $*\n', encoding="utf-8")
    texts = ("我们 去北京，🙂", "🙂🙂 to  new   york  please", '=1+1 "to" =oslo', " to new york,")
    (tmp_path / "texts.jsonl").write_text(jsonl([{"text": text} for text in texts]), encoding="utf-8")
    output = tmp_path / f"answers.{ending}"
    given = ("--rules", slot_rules, "--tokenizer", "characters", "-o", output)
    assert re2nn("predict", tmp_path / "texts.jsonl", *given).code == 0
    read = read_slot_corpus(output, tokenization=Tokenization("characters"))
    assert (read.corpus.texts, read.bad_rows, read.format) == (texts, (), ending)
    found = [[example.text[span.start : span.end] for span in example.spans or ()] for example in read.corpus]
    assert found == [["北京"], ["new   york"], [], ["new york"]]
    again = re2nn("evaluate", "--rules", slot_rules, "--tokenizer", "characters", "--data", output, "--json")
    assert (again.code, again.data["rules"]["f1"]) == (0, 1.0)


def test_offsets_count_the_characters_of_the_text_as_it_stands(re2nn: Call, slot_rules: Path) -> None:
    text = "To  New   York, 🙂 please"
    given = ("predict", "--rules", slot_rules, "-", "--tokenizer", "punctuation", "--json")
    (row,) = re2nn(*given, input=f"{text}\n").data["predictions"]
    (span,) = row["spans"]
    assert (row["text"], text[span["start"] : span["end"]], span["text"]) == (text, "New   York", "New   York")


def test_endings_and_columns(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    outcome = re2nn("predict", "--rules", slot_rules, "-", "-o", tmp_path / "answers.txt", input="x\n")
    assert outcome.code == 2
    assert "predictions are written as .csv, .tsv, .jsonl, .parquet, .conll, .bio. Choose one of these" in outcome.err
    (tmp_path / "texts.csv").write_text("id,body\n1,to oslo\n", encoding="utf-8")
    found = re2nn("predict", "--rules", slot_rules, tmp_path / "texts.csv", "--text-column", "body", "--json")
    assert found.data["predictions"][0]["text"] == "to oslo"


def test_the_task_can_be_said(re2nn: Call, slot_rules: Path) -> None:
    outcome = re2nn("predict", "--rules", slot_rules, "-", "--task", "classification", "--json", input="to oslo\n")
    assert outcome.data["predictions"][0]["label"] == "slots"
    nothing = re2nn("predict", "-", "--task", "slots", input="x\n")
    assert nothing.err == "Error: Neither rules nor a model were given. Write --rules FILE, or --model DIR.\n"
