"""re2nn experiment slots: F1 over seeds on a made-up data set, the file of results, and what cannot be run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.command_line import Call
from support.tagging_command_line import SLOT_RULES, jsonl, marked_lines

from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS, count_of, draw_slots, slot_data_set
from re2nn_core.experiments.result_tables.slot_filling import published_f1
from re2nn_core.rules.logic.priorities import read_slot_logic
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

QUICK = ("--objective", "interpretable", "--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


@pytest.fixture
def own(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options of a data set in files: 24 texts to learn from, 12 for dev, 6 for test."""
    given: list[str | Path] = ["--rules", tmp_path / "rules.txt"]
    (tmp_path / "rules.txt").write_text(SLOT_RULES, encoding="utf-8")
    for split, times in (("train", 4), ("dev", 2), ("test", 1)):
        path = tmp_path / f"{split}.jsonl"
        path.write_text(marked_lines(times), encoding="utf-8")
        given += [f"--{split}", path]
    return tuple(given)


def test_no_examples_are_the_rules(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    outcome = re2nn("experiment", "slots", *own, "--examples", "0", "--json")
    assert outcome.code == 0, outcome.err
    data = outcome.data
    # 8 of the 9 given spans are right, of 10 there are.
    assert data["mean"] == data["rules"] == data["zero_shot"] == pytest.approx(100 * 16 / 19, abs=0.01)
    assert (data["disagree"], data["seeds"], data["std"], data["published"]) == (0, [0], None, None)


def test_examples_are_drawn_for_each_seed_and_kept(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    given = ("experiment", "slots", *own, *QUICK, "--examples", "50%", "--output", file, "--json")
    first = re2nn(*given)
    assert first.code == 0, first.err
    runs = first.data["runs"]
    assert [run["train_size"] for run in runs] == [12, 12]
    assert [run["dev_size"] for run in runs] == [12, 12]
    assert first.data["mean"] == pytest.approx(sum(run["test"]["f1"] for run in runs) / 2, abs=0.01)
    again = re2nn(*given)
    assert again.data == first.data
    assert again.err.count("(from the file of results; --again runs it once more)") == 2
    shown = re2nn("experiment", "show", file, "--json").data["cells"]
    assert [(cell["amount"], cell["mean"]) for cell in shown] == [(0.5, first.data["mean"])]
    assert "test F1" in re2nn("experiment", "show", file).out


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("1", "'1' is no amount"),
        ("110%", "'110%' is no amount"),
        ("many", "'many' is no amount"),
        ("500", "has 24 training texts (asked for 500)"),
        ("2", "There are 2 annotated training texts; at least 10 are needed"),
    ],
)
def test_amounts_that_cannot_be_drawn(re2nn: Call, own: tuple[str | Path, ...], amount: str, message: str) -> None:
    outcome = re2nn("experiment", "slots", *own, *QUICK, "--examples", amount, "--json")
    assert outcome.code == 2
    assert message in outcome.data["error"]


def test_own_files_are_cut_and_spelt_as_asked_for(re2nn: Call, tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("$* to [ oslo ]<to_city> $*\n$* at [ $ ]<time> $*\n", encoding="utf-8")
    row = {"text": "To Oslo, please", "spans": [[3, 7, "To_City"]]}
    for split in ("train", "test"):
        (tmp_path / f"{split}.jsonl").write_text(jsonl([row]), encoding="utf-8")
    files = ("--rules", tmp_path / "rules.txt", "--train", tmp_path / "train.jsonl", "--test", tmp_path / "test.jsonl")
    given = ("experiment", "slots", *files, "--examples", "0")
    assert "with --tokenizer punctuation it can be read." in re2nn(*given).err
    strict = re2nn(*given, "--tokenizer", "punctuation", "--json")
    assert (strict.code, strict.data["mean"]) == (0, 0.0)
    assert "No rule captures To_City (did you mean to_city?): only the network can learn it" in strict.err
    assert "No training text has time, to_city: what their rules find in these texts counts as incorrect." in strict.err
    assert "write --ignore-slot-case." in strict.err
    loose = re2nn(*given, "--tokenizer", "punctuation", "--ignore-slot-case", "--json")
    assert loose.data["mean"] == 100.0
    assert loose.err.count("No rule captures") == 0
    kept = re2nn(*given, "--tokenizer", "punctuation", "--ignore-slot-case", "--no-lowercase", "--json")
    assert kept.data["mean"] == 0.0


@pytest.mark.parametrize("option", [("--tokenizer", "punctuation"), ("--no-lowercase",), ("--ignore-slot-case",)])
def test_published_sets_are_cut_as_they_come(re2nn: Call, option: tuple[str, ...]) -> None:
    outcome = re2nn("experiment", "slots", "--data", "SNIPS", *option, "--examples", "0")
    assert outcome.code == 2
    assert f"{option[0]}: a published set is tokenized at white space in lower case" in outcome.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((), "There is no data set. Write --data NAME (ATIS, SNIPS)"),
        (("--data", "QC"), "'QC' is no published set with slots; ATIS, SNIPS are."),
        (("--data", "ATIS", "--rules", "x"), "--data names a published set with its own rules and texts."),
    ],
)
def test_data_sets_that_are_none(re2nn: Call, given: tuple[str, ...], message: str) -> None:
    outcome = re2nn("experiment", "slots", *given, "--json")
    assert outcome.code == 2
    assert message in outcome.data["error"]


def test_a_file_of_results_of_labels_is_none_of_slots(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"format": 1, "cells": {}}), encoding="utf-8")
    outcome = re2nn("experiment", "slots", *own, "--examples", "0", "--output", file, "--json")
    assert outcome.code == 2
    assert "this is no file of results" in outcome.data["error"]


def examples(count: int, split: str) -> list[Example]:
    return [Example(f"to oslo {number}", None, split, (Span(3, 7, "to_city"),)) for number in range(count)]


def test_a_larger_draw_holds_the_smaller_one() -> None:
    system, _ = read_slot_system(SLOT_RULES, "", Tokenization())
    texts = [*examples(200, "train"), *examples(50, "dev"), *examples(5, "test")]
    data = slot_data_set("own", system, Corpus(tuple(texts)))
    few, more = draw_slots(data, 10, seed=3), draw_slots(data, 0.5, seed=3)
    assert set(few.train) < set(more.train)
    assert (len(few.train), len(few.dev)) == (10, 10)  # below a tenth, as many dev texts
    assert (len(more.train), len(more.dev)) == (100, 50)
    assert draw_slots(data, 10, seed=4).train != few.train
    assert (count_of(0.1, data), count_of(50, data)) == (20, 50)


@pytest.mark.parametrize("place", [place for place, _ in KNOWN_SLOTS.values()])
def test_the_priorities_of_the_published_sets_are_read(place: str) -> None:
    text = (LOGIC / f"{place}_slots.toml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith('    "')]
    names = {name.strip() for line in lines for name in line.split('"')[1].split(">")}
    assert len(read_slot_logic(text, sorted(names - {"O"})).priorities) == len(lines)
    assert all(re.search(r'",\s+# +\d+ : +\d+$', line) for line in lines)  # each with its counts


def test_published_figures_are_found(tmp_path: Path) -> None:
    assert published_f1(None, "ATIS", 10) == {}
    figures = {
        "fstrnn": {
            "rule_system": {"ATIS": {"f1": 70.0}},
            "full_results": {
                "ATIS": {"FSTRNN-crf": {"10": {"mean": 71.5}, "0": {"mean": 70.5}}, "GRU-crf": {"10": {"mean": 80}}}
            },
        }
    }
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "published.json").write_text(json.dumps(figures), encoding="utf-8")
    assert published_f1(tmp_path, "ATIS", 10) == {"FSTRNN-crf": 71.5}
    assert published_f1(tmp_path, "ATIS", 0) == {"rules": 70.0, "FSTRNN-crf": 70.5}
