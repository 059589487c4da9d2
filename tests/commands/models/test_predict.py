"""re2nn predict: predictions of rules, as text, JSON and files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from support.command_line import LOGIC, RULES, TEXTS, Call

from re2nn_core import compile

PREDICTIONS = ["flight", "fare", "flight", "fare", "flight", "flight"]


def test_predictions_with_the_rules_that_speak_for_them(re2nn: Call, rules: Path, logic: Path, texts: Path) -> None:
    data = re2nn("predict", "--rules", rules, "--logic", logic, texts, "--json").data
    assert (data["sentences"], data["predicted"], data["left_out"]) == (6, 6, [])
    assert data["labels"] == {"flight": 4, "fare": 2}
    assert [row["label"] for row in data["predictions"]] == PREDICTIONS
    assert [row["text"] for row in data["predictions"]] == [text for _, text in TEXTS]
    assert [row["rules"] for row in data["predictions"][:2]] == [["to_city"], ["price"]]
    assert data["predictions"][4]["rules"] == []
    assert data["predictions"][0]["confidence"] is None


def test_no_prediction_without_a_default_label(re2nn: Call, rules: Path, texts: Path) -> None:
    outcome = re2nn("predict", "--rules", rules, texts)
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "label            rules       text"
    assert outcome.out.splitlines()[5] == "(no prediction)  -           i want to go home"


def test_rules_that_match_no_text_are_told_of_the_wildcard_around_them(
    re2nn: Call, texts: Path, rules: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bare.txt"
    path.write_text("[flight]\nflight\n", encoding="utf-8")
    told = "No rule matches any of the texts (6). A rule has to match a whole text: $* refund $*"
    assert told in re2nn("predict", "--rules", path, texts).err
    assert told in re2nn("evaluate", "--rules", path, "--data", texts).err
    assert "No rule matches" not in re2nn("predict", "--rules", rules, texts).err


def test_texts_from_stdin(re2nn: Call, rules: Path) -> None:
    outcome = re2nn("predict", "--rules", rules, "-", "--json", input="flights to rome\n\nhow much is it\n")
    assert [row["label"] for row in outcome.data["predictions"]] == ["flight", "fare"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_predictions_go_to_a_file(re2nn: Call, rules: Path, texts: Path, tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"answers.{ending}"
    outcome = re2nn("predict", "--rules", rules, texts, "-o", output)
    assert outcome.code == 0
    assert outcome.out.endswith(f"6 predictions written to {output}.\n")
    again = re2nn("evaluate", "--rules", rules, "--data", output, "--json").data
    assert (again["sentences"], again["labelled"]) == (6, 4)
    assert again["rules"]["accuracy"] == 1.0


def test_written_cells_are_guarded_against_spreadsheets(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("=1+1 flights\n", encoding="utf-8")
    output = tmp_path / "answers.csv"
    assert re2nn("predict", "--rules", rules, tmp_path / "in.txt", "-o", output).code == 0
    with output.open(encoding="utf-8", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == ["'=1+1 flights"]


def test_rows_left_out_are_told(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("text,label\nflights,flight\n,fare\n", encoding="utf-8")
    outcome = re2nn("predict", "--rules", rules, path, "--json")
    assert outcome.data["left_out"] == [{"line": 3, "reason": "the text (column 'text') is empty"}]
    assert f"{path}: 1 row left out:\n  line 3: the text" in outcome.err


def test_rows_left_out_for_one_reason_are_told_together(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("text,label\n" + ",fare\n" * 12 + "flights,flight\n", encoding="utf-8")
    lines = re2nn("predict", "--rules", rules, path).err.splitlines()
    assert lines == [
        f"{path}: 12 rows left out:",
        "  line 2: the text (column 'text') is empty",
        "    the same in 11 more rows: lines 3, 4, 5, 6, 7, 8 ...",
        "Write --all-faults to see each of them.",
    ]
    every = re2nn("predict", "--rules", rules, path, "--all-faults").err.splitlines()
    assert len(every) == 13
    assert every[12] == "  line 13: the text (column 'text') is empty"


def test_first_row_can_be_said_to_name_the_columns_or_not(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("what they said to us,x y z u\nflights,a\nfares,b\n", encoding="utf-8")
    outcome = re2nn("predict", "--rules", rules, path, "--json")
    assert outcome.data["sentences"] == 3
    assert f"{path}: No header was found; the columns are called text, label here." in outcome.err
    assert outcome.err.count("--header") == 1, "what to do is said once"
    for more in (["--header"], ["--text-column", "what they said to us"]):
        outcome = re2nn("predict", "--rules", rules, path, "--json", *more)
        assert [row["text"] for row in outcome.data["predictions"]] == ["flights", "fares"]
        assert outcome.err == ""
    path.write_text("comment\nflights\n", encoding="utf-8")
    assert re2nn("predict", "--rules", rules, path, "--json").data["sentences"] == 1
    assert re2nn("predict", "--rules", rules, path, "--json", "--no-header").data["sentences"] == 2


def test_header_found_by_content_is_told(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("foo,bar\nflight,fly me to the moon\nfare,how much is it\n", encoding="utf-8")
    outcome = re2nn("predict", "--rules", rules, path, "--json")
    assert outcome.data["sentences"] == 2
    assert "If the first row is a text like the others, write --no-header." in outcome.err


def test_wrong_encoding_names_the_option(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes("text,label\ncafé flights,flight\nnaïve fares,fare\n".encode("cp1252"))
    outcome = re2nn("predict", "--rules", rules, path)
    assert outcome.code == 2
    assert "Save the file as UTF-8, or write --encoding cp1252, or --encoding utf-8 to leave out" in outcome.err
    assert re2nn("predict", "--rules", rules, path, "--encoding", "cp1252", "--json").data["sentences"] == 2


def test_output_of_an_unknown_kind_is_refused_first(re2nn: Call, rules: Path, texts: Path) -> None:
    outcome = re2nn("predict", "--rules", rules, texts, "-o", "answers.xlsx")
    assert outcome.code == 2
    assert outcome.err == (
        "Error: answers.xlsx: predictions are written as .csv, .tsv, .jsonl, .parquet. Choose one of these endings.\n"
    )


def test_neither_rules_nor_model(re2nn: Call, texts: Path) -> None:
    outcome = re2nn("predict", texts)
    assert outcome.code == 2
    assert "Neither rules nor a model were given. Write --rules FILE, or --model DIR." in outcome.err


def test_folder_that_holds_no_model(re2nn: Call, texts: Path, tmp_path: Path) -> None:
    outcome = re2nn("predict", "--model", tmp_path, texts, "--json")
    assert outcome.code == 2
    assert f"{tmp_path} is not a model folder: it has no bundle.json." in outcome.data["error"]


@pytest.mark.parametrize("argument", ["missing.tsv", "."])
def test_input_that_cannot_be_read(re2nn: Call, rules: Path, argument: str) -> None:
    outcome = re2nn("predict", "--rules", rules, argument)
    assert outcome.code == 2
    expected = {"missing.tsv": "there is no such file. Give a file of texts", ".": "this is a folder."}
    assert expected[argument] in outcome.err


@pytest.mark.parametrize("kind", ["model", "rules"])
def test_workers_write_what_one_call_writes(
    re2nn: Call, texts: Path, tmp_path: Path, rules: Path, logic: Path, kind: str
) -> None:
    compile(RULES, logic=LOGIC).save(tmp_path / "model")
    given = {"model": ("--model", tmp_path / "model"), "rules": ("--rules", rules, "--logic", logic)}[kind]
    many, one = tmp_path / "many.csv", tmp_path / "one.csv"
    outcome = re2nn("predict", *given, texts, "-o", many, "--workers", "1")
    assert outcome.code == 0
    assert outcome.out.splitlines()[:2] == ["prediction  count", "flight          4"]
    assert outcome.out.endswith(f"6 predictions written to {many}.\n")
    assert re2nn("predict", *given, texts, "-o", one).code == 0
    assert many.read_bytes() == one.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rules", "RULES", "--model", "MODEL", "TEXTS", "-o", "x.jsonl", "--workers", "2"), "not both. A model"),
        (("--model", "MODEL", "TEXTS", "--workers", "2"), "Give -o FILE."),
        (("--model", "MODEL", "-", "-o", "x.jsonl", "--workers", "2"), "Give the path of a file."),
        (("--model", "MODEL", "TEXTS", "--engine", "ray"), "Give -o FOLDER."),
        (("--model", "MODEL", "TEXTS", "-o", "x.jsonl", "--address", "a:1"), "Write --engine ray too, or leave it"),
        (("--model", "MODEL", "TEXTS", "-o", "MODEL", "--engine", "ray"), "is there already. Give the name of a new"),
    ],
)
def test_what_cannot_be_divided_is_refused(
    re2nn: Call, texts: Path, tmp_path: Path, rules: Path, arguments: tuple[str, ...], message: str
) -> None:
    compile(RULES).save(tmp_path / "model")
    places = {"RULES": rules, "TEXTS": texts, "MODEL": tmp_path / "model", "x.jsonl": tmp_path / "x.jsonl"}
    outcome = re2nn("predict", *(places.get(one, one) for one in arguments))
    assert outcome.code == 2
    assert message in outcome.err
