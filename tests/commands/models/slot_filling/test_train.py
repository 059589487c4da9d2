"""re2nn train for slots: a small tagger, trained once, and every command that takes a model."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.command_line import RULES, Call, Outcome
from support.tagging_command_line import SLOT_RULES, marked_lines

from re2nn_core.cli import main
from re2nn_core.commands.models.slot_filling import train as command
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.loop import Epoch

QUICK = ("--vectors", "none", "--device", "cpu", "--threads", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules, and texts of each split; `model` is trained on them for three epochs."""
    folder = tmp_path_factory.mktemp("slots")
    (folder / "slots.txt").write_text(SLOT_RULES, encoding="utf-8")
    (folder / "labels.txt").write_text(RULES, encoding="utf-8")
    (folder / "train.jsonl").write_text(marked_lines(3), encoding="utf-8")
    (folder / "dev.jsonl").write_text(marked_lines(2), encoding="utf-8")
    (folder / "all.jsonl").write_text(marked_lines(5, splits=("train", "train", "dev")), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def trained(folder: Path) -> Outcome:
    """The outcome of `train --json`; the model is in `folder / "model"`."""
    files = ("--train", folder / "train.jsonl", "--dev", folder / "dev.jsonl", "--test", folder / "dev.jsonl")
    settings = (
        "--output",
        folder / "model",
        "--epochs",
        "3",
        "--learning-rate",
        "0.05",
        "--head-learning-rate",
        "0.1",
        *QUICK,
    )
    arguments = ["train", "--rules", str(folder / "slots.txt"), *map(str, (*files, *settings)), "--json"]
    result = CliRunner().invoke(main, arguments)
    return Outcome(result.exit_code, result.stdout, result.stderr)


def test_train_reports_and_writes_a_model(folder: Path, trained: Outcome) -> None:
    assert trained.code == 0, trained.err
    data = trained.data
    assert (data["task"], data["model"], data["epochs"], data["train_size"]) == ("slots", str(folder / "model"), 3, 18)
    assert data["zero_shot"] == pytest.approx({"dev": 16 / 19, "test": 16 / 19})
    assert data["dev"] >= data["zero_shot"]["dev"]
    assert data["test"] == data["dev"] == data["test_scores"]["f1"]
    assert data["history"][0]["epoch"] == 0
    description = json.loads((folder / "model" / "bundle.json").read_text(encoding="utf-8"))
    assert (description["task"], description["config"]["auxiliary"]) == ("slots", "none")


def test_progress_is_on_stderr(trained: Outcome) -> None:
    lines = [line for line in trained.err.splitlines() if line.startswith("epoch")]
    assert lines[0].startswith("epoch   0  (untrained)  train F1  84.21%  dev F1  84.21%")
    assert lines[0].endswith("best so far")
    assert len(lines) == 4
    assert len(trained.out.splitlines()) == 1


def test_evaluate_finds_the_task_in_the_model(re2nn: Call, folder: Path, trained: Outcome) -> None:
    outcome = re2nn("evaluate", "--model", folder / "model", "--data", folder / "dev.jsonl", "--json")
    assert outcome.code == 0
    assert outcome.data["network"]["f1"] == pytest.approx(trained.data["dev"])
    assert outcome.data["rules"]["f1"] == pytest.approx(trained.data["zero_shot"]["dev"])
    beside = re2nn(
        "evaluate",
        "--model",
        folder / "model",
        "--rules",
        folder / "slots.txt",
        "--data",
        folder / "dev.jsonl",
        "--json",
    )
    assert beside.data == outcome.data


def test_predict_reports_its_confidence(re2nn: Call, folder: Path, trained: Outcome, tmp_path: Path) -> None:
    given = ("predict", "--model", folder / "model", "-")
    data = re2nn(*given, "--json", input="from boston to oslo\n").data
    spans = data["predictions"][0]["spans"]
    assert [(span["slot"], span["rules"]) for span in spans] == [("from_city", ["from_city"]), ("to_city", ["to_city"])]
    assert all(0 < span["confidence"] <= 1 for span in spans)
    # The confidence of a text is that of its least certain word.
    assert 0 < data["predictions"][0]["confidence"] <= min(span["confidence"] for span in spans)
    listed = re2nn(*given, input="from boston to oslo\n").out.splitlines()
    assert listed[0].split() == ["confidence", "slots", "text"]
    assert listed[1].lstrip()[0].isdigit()
    output = tmp_path / "answers.conll"
    assert re2nn(*given, "-o", output, input="from boston to oslo\n").code == 0
    columns = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()]
    assert [(row[0], row[2]) for row in columns][1] == ("boston", "B-from_city")
    assert all(0 < float(row[1]) <= 1 for row in columns)
    assert [span.slot for span in read_slot_corpus(output, tokenization=Tokenization()).corpus.examples[0].spans or ()]


def test_texts_that_were_used_for_training_are_reported(re2nn: Call, folder: Path, trained: Outcome) -> None:
    for called in (("predict", folder / "train.jsonl"), ("evaluate", "--data", folder / "train.jsonl")):
        given = (called[0], "--model", folder / "model", *called[1:])
        assert re2nn(*given, "--json").data["used_for_training"] == 18
        assert "Note: All of 18 texts were used for training" in re2nn(*given).out


def test_certify_takes_the_rules_of_a_model(re2nn: Call, folder: Path, trained: Outcome) -> None:
    arguments = ("--model", folder / "model", "--data", folder / "dev.jsonl", "-o", folder / "c.json", "--json")
    outcome = re2nn("certify", *arguments)
    assert outcome.code == 0
    assert outcome.data["equal"] is True


def test_model_and_rules_of_different_tasks(re2nn: Call, folder: Path, trained: Outcome) -> None:
    given = ("predict", "--model", folder / "model", folder / "dev.jsonl")
    outcome = re2nn(*given, "--rules", folder / "labels.txt")
    assert outcome.code == 2
    assert f"labels.txt captures no word, for labels, and {folder / 'model'} is a model for slots." in outcome.err
    outcome = re2nn(*given, "--task", "classification")
    assert "is a model for slots. Leave --task classification out." in outcome.err
    outcome = re2nn(*given, "--tokenizer", "characters")
    assert "was made for --tokenizer whitespace. Leave these options out for a model." in outcome.err


def test_slot_rules_beside_a_model_of_labels(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bundle.json").write_text('{"format": 2}', encoding="utf-8")
    given = ("evaluate", "--model", tmp_path, "--rules", folder / "slots.txt", "--data", folder / "dev.jsonl")
    outcome = re2nn(*given)
    assert outcome.code == 2
    assert "slots.txt captures words, for slots, and" in outcome.err
    assert "is a model for labels of whole texts. Give a model and rules of one task." in outcome.err


def test_one_file_with_splits_and_the_other_objective(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "model"
    given = ("train", "--rules", folder / "slots.txt", "--data", folder / "all.jsonl", "--output", output)
    settings = (
        "--objective",
        "accuracy",
        "--epochs",
        1,
        "--auxiliary-states",
        4,
        "--word-dimensions",
        4,
        "--transducer",
        "ifst",
        *QUICK,
    )
    outcome = re2nn(*given, *settings)
    assert outcome.code == 0
    header, untrained = outcome.out.splitlines()[:2]
    assert re.split("  +", header) == ["F1 of spans", "out-of-fold", "dev (also used for training)"]
    assert untrained.startswith("untrained    ")
    assert f"re2nn evaluate --model {output} --data FILE" in outcome.out
    config = json.loads((output / "bundle.json").read_text(encoding="utf-8"))["config"]
    assert (config["transducer"], config["auxiliary_states"], config["decoding"]) == ("ifst", 4, "crf")


def test_without_dev_texts_each_figure_says_of_which_texts_it_is(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    """The epochs are of every fifth text, the layer's figure is of all of them; both were called out-of-fold."""
    rules, train = tmp_path / "rules.txt", tmp_path / "train.jsonl"
    rules.write_text("from_city := $* from [ boston ]<from_city> $*\n", encoding="utf-8")
    train.write_text(marked_lines(6), encoding="utf-8")
    given = ("train", "--rules", rules, "--train", train, "--output", tmp_path / "model", "--epochs", 2, *QUICK)
    outcome = re2nn(*given)
    assert outcome.code == 0, outcome.err
    epochs = [line for line in outcome.err.splitlines() if line.startswith("epoch")]
    assert all(" held-out fifth F1 " in line for line in epochs)
    lines = outcome.out.splitlines()
    assert re.split("  +", lines[0]) == ["F1 of spans", "out-of-fold"]
    assert "out-of-fold: the average over the labelled train and dev texts, each" in outcome.out
    assert "in cross-validation of all labelled train texts; the epochs are of the network without it" in outcome.out


def test_the_case_of_slots_is_kept_by_the_model(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "all.jsonl"
    data.write_text((folder / "all.jsonl").read_text(encoding="utf-8").replace("to_city", "To_City"), encoding="utf-8")
    output = tmp_path / "model"
    given = ("train", "--rules", folder / "slots.txt", "--data", data, "--output", output, "--epochs", 1, *QUICK)
    assert re2nn(*given, "--ignore-slot-case").code == 0
    predictions = re2nn("predict", "--model", output, "-", "--json", input="to oslo\n").data["predictions"]
    assert [span["slot"] for span in predictions[0]["spans"]] == ["To_City"]


def test_stopped_training_goes_on(re2nn: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "model"
    given = ("train", "--rules", folder / "slots.txt", "--data", folder / "all.jsonl", "--output", output)

    def interrupt_after_first(dev: str, epoch: Epoch, best: int) -> None:
        if epoch.epoch == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(command, "_report_epoch", interrupt_after_first)
        assert re2nn(*given, "--epochs", 2, *QUICK).code == 130
    again = re2nn(*given, "--epochs", 2, *QUICK)
    assert again.code == 0
    assert f"Continuing from the checkpoint in {output}." in again.err
    assert "epoch   2 " in again.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "There are no training texts. Write --train FILE --dev FILE, or --data FILE"),
        (
            ("--data", "all.jsonl", "--auxiliary-weight", "0.5"),
            "--auxiliary-weight: no setting of networks for slots, the task here.",
        ),
        (("--data", "all.jsonl", "--split-column", "split"), "--split-column: this option has no effect for slots"),
        (("--data", "all.jsonl", "--tune-encoder"), "tune_encoder needs vectors 'context'"),
        (("--data", "all.jsonl", "--minimum-confidence", "2"), "minimum_confidence must be"),
        (("--data", "all.jsonl", "--decay", "0"), "decay must be above 0 and at most 1 (got 0.0)"),
        (
            ("--train", "few.jsonl", "--dev", "dev.jsonl"),
            "There are 6 annotated training texts; at least 10 are needed",
        ),
        (("--train", "nowhere.jsonl"), "nowhere.jsonl: there is no such file."),
    ],
)
def test_what_cannot_be_trained(
    re2nn: Call,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(folder)
    (folder / "few.jsonl").write_text(marked_lines(), encoding="utf-8")
    outcome = re2nn("train", "--rules", "slots.txt", *arguments, "--output", tmp_path / "model")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (tmp_path / "model" / "bundle.json").exists()


def test_slots_that_do_not_meet_are_told_once_and_first(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    texts = marked_lines(4).replace('"day"', '"dya"').replace('"to_city"', '"To_City"')
    (tmp_path / "texts.jsonl").write_text(texts, encoding="utf-8")
    (tmp_path / "rules.txt").write_text(f"{SLOT_RULES}late := $* at [ 7:15 ]<time> $*\n", encoding="utf-8")
    given = ("train", "--rules", tmp_path / "rules.txt", "--data", tmp_path / "texts.jsonl", "--epochs", "1", *QUICK)
    outcome = re2nn(*given, "--output", tmp_path / "model", "--tokenizer", "punctuation")
    assert outcome.code == 0, outcome.err
    lines = outcome.err.splitlines()
    places = [
        next(number for number, line in enumerate(lines) if line.startswith(start))
        for start in (
            "  line 6: rule 'late': '7:15' can never match: the tokenizer 'punctuation' cuts it into 3 words, 7 : 15.",
            "No rule captures To_City (did you mean to_city?), dya (did you mean day?): only the network can learn it",
            "No training text has day, time, to_city: what their rules find in these texts counts as incorrect.",
            "The rules spell some of them with small or capital letters instead: write --ignore-slot-case.",
            "epoch   0",
        )
    ]
    assert places == sorted(places)
    assert "No rule captures" not in outcome.out
    assert f"re2nn reconstruct --model {tmp_path / 'model'} --data FILE -o RULES" in outcome.out
    assert f"re2nn review {tmp_path / 'model'} --data FILE --html REVIEW" in outcome.out
    assert "\n1 epoch on cpu" in outcome.out


def test_settings_of_slots_for_rules_of_labels(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    given = ("train", "--rules", folder / "labels.txt", "--data", folder / "all.jsonl", "--output", tmp_path / "model")
    outcome = re2nn(*given, "--threshold", "0.2", "--ignore-slot-case")
    assert "--ignore-slot-case: this option has no effect for labels of whole texts" in outcome.err
    assert "--threshold: no setting of networks for labels of whole texts" in re2nn(*given, "--threshold", "0.2").err
