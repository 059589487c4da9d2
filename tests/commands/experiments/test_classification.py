"""re2nn experiment classification: cells, published figures and the file of results, on a made-up data set."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call
from support.networks.small_experiment import small_set, write_files

from re2nn_core.commands.experiments._common.options import Running
from re2nn_core.experiments.datasets import classification as data_module
from re2nn_core.experiments.datasets.classification import FOLDER_VARIABLE
from re2nn_core.experiments.datasets.portions import draw_portion
from re2nn_core.experiments.reproduce.runs.classification import label_cell
from re2nn_core.experiments.reproduce.tables.systems import WITH_AUXILIARY
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.classification import LabelRecord, run_seed
from re2nn_core.experiments.studies import classification
from re2nn_core.services.fine_tuning.classification import objectives

QUICK = ("--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


def test_a_cell_as_json(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    outcome = re2nn("experiment", "classification", *own, "--portion", "5%", *QUICK, "--json")
    assert outcome.code == 0, outcome.err
    data = outcome.data
    assert {"mean", "std", "runs", "zero_shot", "recipe"} <= set(data)
    assert (data["zero_shot"], data["seeds"], data["portion"]) == (87.5, [0, 1], 0.05)
    assert data["std_of"] == "of a sample (n - 1)"
    first, second = data["runs"]
    assert data["mean"] == pytest.approx((first["test"] + second["test"]) / 2, abs=0.01)
    assert data["std"] == pytest.approx(abs(first["test"] - second["test"]) / 2**0.5, abs=0.01)
    assert first["train_size"] == first["dev_size"] == 16
    assert first["drawn"] != second["drawn"]
    assert data["recipe"] == " / ".join(dict.fromkeys((first["recipe"], second["recipe"])))
    assert data["published"] is None
    reported = [line for line in outcome.err.splitlines() if line.startswith("rules  5%  fa-rnn, epochs=1  seed ")]
    assert len(reported) == 2
    assert "untrained 87.50%  16 texts, kept epoch" in reported[0]


def test_a_cell_as_text(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    outcome = re2nn("experiment", "classification", *own, "--portion", "0", "--seeds", "1", "--vectors", "none")
    assert outcome.out.startswith("rules, 0% of train, fa-rnn, 1 seed (0)\n")
    assert ["untrained", "87.50", "87.10"] in [line.split() for line in outcome.out.splitlines()]
    assert "Training plan: no training: the network as the rules made it." in outcome.out
    assert "published" not in outcome.out


@pytest.mark.parametrize("model", ["fa-rnn", "bigru+o"])
def test_the_rest_of_train_in_the_place_of_test(re2nn: Call, own: tuple[str | Path, ...], model: str) -> None:
    """Untrained both are the rules, so their figure tells which texts were measured on."""
    given = (
        "experiment",
        "classification",
        *own,
        "--model",
        model,
        "--vectors",
        "builtin",
        "--seeds",
        "1",
        "--on-rest",
    )
    none = re2nn(*given, "--portion", "0")
    assert none.out.startswith(f"rules, rest of train, 0% of train, {model}, 1 seed (0)\n")
    assert "rest of train  rest without training texts" in none.out
    some = re2nn(*given, "--portion", "5%", "--epochs", "1", "--seed", "1", "--json").data
    data = small_set()
    learned = set(draw_portion(data, 0.05, 1).train)
    rest = [example for example in data.train if example not in learned]
    right = sum(
        prediction == e.label
        for prediction, e in zip(data.system.predictions([e.text for e in rest]), rest, strict=True)
    )
    assert (some["data"], some["rules"], some["published"]) == ("rules, rest of train", 87.5, None)
    assert some["zero_shot"] == some["zero_shot_without_duplicates"]["mean"] == round(100 * right / 304, 2) != 87.5
    every = re2nn(*given, "--portion", "1")
    assert every.code == 2
    assert every.err.endswith(
        "Error: All 320 training texts are used for training; none of them is left to measure on.\n"
        "Use a smaller portion, or leave out --on-rest.\n"
    )


def test_a_setting_that_is_given_counts_even_where_it_is_the_default(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    """So few texts are learned without a state head unless somebody asks for one."""
    call = ("experiment", "classification", *own, "--portion", "5%", *QUICK)
    usual, asked = re2nn(*call), re2nn(*call, "--head-learning-rate", "0.005")
    assert (usual.code, asked.code) == (0, 0)
    assert "output layer" not in usual.out
    assert "output layer with learning rate 0.005" in asked.out
    assert "set by hand (Maximum epochs: 1, Learning rate of the output layer: 0.005)." in asked.out


def test_seeds_begin_where_they_are_told_to(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    given = ("experiment", "classification", *own, "--portion", "0", "--vectors", "none", "--json")
    assert re2nn(*given, "--seeds", "3", "--seed", "5").data["seeds"] == [5, 6, 7]
    wrong = re2nn(*given, "--seeds", "0")
    assert wrong.code == 2
    assert "x>=1" in wrong.data["error"]


@pytest.mark.parametrize(("copies", "dev"), [("2", "out-of-fold"), ("1", "dev")])
def test_dev_is_named_after_what_was_learned_from(
    copies: str, dev: str, re2nn: Call, own: tuple[str | Path, ...]
) -> None:
    """Few texts take turns at being held out; one copy keeps dev apart."""
    given = (*own, "--portion", "5%", *QUICK, "--seeds", "1", "--members", copies)
    outcome = re2nn("experiment", "classification", *given)
    assert outcome.code == 0, outcome.err
    [header] = [line for line in outcome.out.splitlines() if line.startswith("accuracy %")]
    assert header.endswith(f"  {dev}")


def test_a_reader_beside_the_rules_is_named(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    quick = ("--vectors", "builtin", "--device", "cpu", "--epochs", "1", "--seeds", "1", "--auxiliary", "rnn")
    outcome = re2nn("experiment", "classification", *own, "--portion", "5%", *quick)
    assert outcome.out.startswith("rules, 5% of train, fa-rnn with an auxiliary encoder, 1 seed (0)\n"), outcome.err


@pytest.mark.parametrize("given", [{}, {"auxiliary": "none"}])
def test_without_a_reader_a_cell_is_that_of_the_table_s_row(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objectives, "encoder_is_installed", lambda: True)
    running = Running((0,), None, again=False, verbose=False, settings={"objective": "accuracy", **given})
    cell = running.cell(small_set(), 0.1, "fa-rnn")
    assert isinstance(cell, LabelCell)
    row = label_cell(small_set(), 0.1, "fa-rnn" if given else WITH_AUXILIARY, {})
    assert (cell.network, cell.train.average) == (row.network, row.train.average)


def test_published_stands_beside_measured(re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write_files(tmp_path)
    for split in ("train", "dev", "test"):
        (tmp_path / "sms").mkdir(exist_ok=True)
        files[split].rename(tmp_path / "sms" / f"{split}.tsv")
    (tmp_path / "rules").mkdir()
    rules = "[ham]\n$ * ( flight | flights ) $ *\n[spam]\n$ * ( price | fare ) $ *\n"
    (tmp_path / "rules" / "sms.rules.config").write_text(rules, encoding="utf-8")
    (tmp_path / "reference").mkdir()
    figures = {"farnn": {"full_results": {"SMS": {"FA-RNN-F": {"0%": {"mean": 10.0, "std": 1.0}}}}}}
    (tmp_path / "reference" / "published.json").write_text(json.dumps(figures), encoding="utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    outcome = re2nn("experiment", "classification", "--data", "sms", "--portion", "0", *QUICK)
    assert ["published", "10.00", "±", "1.00"] in [line.split() for line in outcome.out.splitlines()]
    assert "Against the published figure: -10.00" in outcome.out


def test_stopped_experiment_keeps_its_seeds(
    re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted_after_first(cell: Any, seed: int, **more: Any) -> LabelRecord:
        if seed == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return run_seed(cell, seed, **more)

    file = tmp_path / "results.json"
    given = ("experiment", "classification", *own, *QUICK, "--portion", "0.05", "--json")
    with monkeypatch.context() as patched:
        patched.setattr(classification, "run_seed", interrupted_after_first)
        lost = re2nn(*given)
        kept = re2nn(*given, "--output", file)
        nothing = re2nn(*given, "--seed", "1")
    assert lost.code == kept.code == 130
    assert (lost.data["stopped"], lost.data["seeds"]) == (True, [0])
    assert "Stopped. Finished runs are printed, but not saved, because --output FILE is not given." in lost.err
    assert f"Stopped. Finished runs are in {file}; run the same command to continue." in kept.err
    assert nothing.code == 130
    assert nothing.data == {"error": "Stopped. Run the same command to continue."}
    rest = re2nn(*given, "--output", file)
    assert rest.code == 0
    assert "seed 0: " in rest.err
    assert f"(from {file};" in rest.err
    assert rest.data["runs"][0] == kept.data["runs"][0]


def test_verbose_tells_epochs(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    given = ("experiment", "classification", *own, *QUICK, "--portion", "0.05", "--seeds", "1")
    assert "  epoch   1  loss " in re2nn(*given, "--verbose").err
    assert "epoch   1" not in re2nn(*given).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "There is no data set. Write --data NAME (ATIS, QC, SMS), or for texts of your own --rules FILE"),
        (("--data", "SNLI"), "'SNLI' is no published data set; ATIS, QC, SMS are."),
        (("--data", "SMS"), "The published data are not on this machine. Write --folder DIR"),
        (("--data", "SMS", "--folder", "nowhere"), "nowhere: there is no such folder (--folder)."),
        (("--data", "SMS", "--rules", "x"), "--data names a published set with its own rules and texts."),
        (("--rules", "x", "--train", "y"), "There is no data set."),
        (("--data", "SMS", "--portion", "2"), "'2' is no share: a number from 0 to 1 is expected"),
        (("--data", "SMS", "--portion", "nan"), "'nan' is no share"),
        (("--data", "SMS", "--portion", "much"), "'much' is no share"),
        (("--data", "SMS", "--model", "transformer"), "'transformer' is no model; the models of rules are: fa-rnn"),
    ],
)
def test_bad_usage(
    re2nn: Call, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(data_module, "_BESIDE", tmp_path / "beside")
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    outcome = re2nn("experiment", "classification", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_what_is_too_little_is_told(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    outcome = re2nn("experiment", "classification", *own, *QUICK, "--portion", "0.01")
    assert outcome.code == 2
    assert "at least 10 are needed. Use a portion of 0.032 or more, or 0 (zero-shot)." in outcome.err


def test_output_that_cannot_be_used(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    given = ("experiment", "classification", *own, *QUICK, "--output")
    assert "this is a folder. Give the path of a file to write." in re2nn(*given, tmp_path).err
    assert "rules.txt is an input, and --output would overwrite it." in re2nn(*given, tmp_path / "rules.txt").err
    assert (tmp_path / "rules.txt").read_text(encoding="utf-8").startswith("[travel]")
    notes = tmp_path / "notes.txt"
    notes.write_text("no results", encoding="utf-8")
    assert "no file of results that can be read" in re2nn(*given, notes).err
    assert notes.read_text(encoding="utf-8") == "no results"
