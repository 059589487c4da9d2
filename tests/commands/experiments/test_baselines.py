"""re2nn experiment with the papers' other systems: names, settings, the file of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import Call
from support.tagging_command_line import SLOT_RULES, marked_lines

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.experiments.result_tables.slot_filling import published_f1

QUICK = ("--vectors", "builtin", "--device", "cpu", "--epochs", "1", "--hidden", "6")


@pytest.fixture
def own_slots(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options of a data set in files with slots: 24 texts to learn from, 12 for dev, 6 for test."""
    given: list[str | Path] = ["--rules", tmp_path / "capture_rules.txt"]
    (tmp_path / "capture_rules.txt").write_text(SLOT_RULES, encoding="utf-8")
    for split, times in (("train", 4), ("dev", 2), ("test", 1)):
        path = tmp_path / f"{split}.jsonl"
        path.write_text(marked_lines(times), encoding="utf-8")
        given += [f"--{split}", path]
    return tuple(given)


def test_a_baseline_is_run_kept_and_shown(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    given = (
        "experiment",
        "classification",
        *own,
        *QUICK,
        "--portion",
        "5%",
        "--seeds",
        "2",
        "--output",
        file,
        "--json",
    )
    first = re2nn(*given, "--model", "BiGRU+kd")
    assert first.code == 0, first.err
    assert (first.data["model"], first.data["seeds"]) == ("bigru+kd", [0, 1])
    assert first.data["settings"] == {"hidden": 6, "epochs": 1}
    again = re2nn(*given, "--model", "bigru+kd")
    assert again.data == first.data
    assert again.err.count("--again runs it once more") == 2
    other = re2nn(*given, "--model", "bigru+kd", "--student", "0.3")
    assert "--again" not in other.err
    shown = re2nn("experiment", "show", file, "--json").data["cells"]
    assert {(cell["model"], cell["settings"].get("student")) for cell in shown} == {
        ("bigru+kd", None),
        ("bigru+kd", 0.3),
    }


def test_a_curve_may_have_baselines_beside_networks_of_rules(re2nn: Call, own: tuple[str | Path, ...]) -> None:
    given = ("experiment", "curve", *own, "--vectors", "builtin", "--portions", "0", "--seeds", "1", "--json")
    rows = re2nn(*given, "--model", "dan+o", "--model", "fa-rnn").data["rows"]
    assert [(row["model"], row["mean"]) for row in rows] == [("dan+o", 87.5), ("fa-rnn", 87.5)]


def test_slots_have_baselines_too(re2nn: Call, own_slots: tuple[str | Path, ...], tmp_path: Path) -> None:
    file = tmp_path / "slots.json"
    given = ("experiment", "slots", *own_slots, *QUICK, "--output", file, "--json")
    learned = re2nn(*given, "--model", "bilstm-crf+pr", "--examples", "50%", "--seeds", "2")
    assert learned.code == 0, learned.err
    assert [run["train_size"] for run in learned.data["runs"]] == [12, 12]
    # Without texts rules on the logits are the rules: 8 of the 9 given spans are right, of 10 there are.
    rules = re2nn(*given, "--model", "bigru+o", "--examples", "0", "--seeds", "1")
    assert rules.data["mean"] == rules.data["rules"] == pytest.approx(100 * 16 / 19, abs=0.01)
    re2nn("experiment", "slots", *own_slots, "--examples", "0", "--output", file)
    shown = re2nn("experiment", "show", file, "--json").data["cells"]
    assert [cell["model"] for cell in shown] == ["fst", "bigru+o", "bilstm-crf+pr"]
    assert "bilstm-crf+pr" in re2nn("experiment", "show", file).out


@pytest.mark.skipif(not encoder_is_installed(), reason="the sentence encoder is not installed")
@pytest.mark.parametrize("fixed", ["--no-tune-encoder", "--tune-encoder"])
def test_the_sentence_encoder_with_a_linear_layer(re2nn: Call, own_slots: tuple[str | Path, ...], fixed: str) -> None:
    given = ("experiment", "slots", *own_slots, "--device", "cpu", "--epochs", "1", "--seeds", "1", "--json")
    data = re2nn(*given, "--model", "encoder-crf+i", "--examples", "12", fixed).data
    assert data["vectors"].endswith("tuned" if fixed == "--tune-encoder" else "in context")
    learned_along = data["parameters"] > 1_000_000
    assert learned_along is (fixed == "--tune-encoder")


def test_texts_that_the_rules_tag_are_learned_from(re2nn: Call, own_slots: tuple[str | Path, ...]) -> None:
    given = ("experiment", "slots", *own_slots, *QUICK, "--examples", "0", "--seeds", "1", "--json")
    (run,) = re2nn(*given, "--model", "bigru+u").data["runs"]
    assert run["recipe"] == "0 texts, 21 with the rules' predictions; 3 decide when to stop."


@pytest.mark.parametrize(
    ("command", "more", "message"),
    [
        ("classification", ("--model", "bigru+x"), "'bigru+x' is no model; the models of rules are: fa-rnn, fa-gru"),
        ("classification", ("--model", "bigru-crf"), "is no baseline for labels: one of rnn, gru"),
        (
            "classification",
            ("--model", "bigru", "--rule-weight", "0.3"),
            "--rule-weight: no setting of a baseline, only of networks",
        ),
        ("classification", ("--model", "bigru", "--hidden", "0"), "hidden must be at least 1 (got 0)"),
        ("classification", ("--hidden", "3"), "--hidden: no setting of fa-rnn, only of baselines such as bigru+kd"),
        ("slots", ("--model", "cnn"), "is no baseline for slots: one of birnn"),
        ("slots", ("--student", "0.5"), "--student: no setting of fst, only of baselines"),
        ("slots", ("--model", "bigru", "--rule-weight", "0.5"), "--rule-weight: no setting of a baseline"),
    ],
)
def test_what_cannot_be_asked_for(
    re2nn: Call,
    own: tuple[str | Path, ...],
    own_slots: tuple[str | Path, ...],
    command: str,
    more: tuple[str, ...],
    message: str,
) -> None:
    data = own if command == "classification" else own_slots
    outcome = re2nn("experiment", command, *data, *more)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.split())


def test_a_baseline_stands_beside_its_own_row(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    figures = {
        "full_results": {"SNIPS": {"GRU+kd-crf": {"10": {"mean": 17.06, "std": 2.7}}}},
        "contextual_snips": {"columns": ["0", "10"], "BERT+CRF": [None, 25.17]},
    }
    (tmp_path / "reference" / "published.json").write_text(json.dumps({"fstrnn": figures}), encoding="utf-8")
    assert published_f1(tmp_path, "SNIPS", 10, "bigru-crf+kd") == {"GRU+kd-crf": 17.06}
    assert published_f1(tmp_path, "SNIPS", 10, "encoder-crf") == {"BERT+CRF": 25.17}
    for data, amount, model in (
        ("SNIPS", 0, "encoder-crf"),
        ("SNIPS", 0.5, "encoder-crf"),
        ("ATIS", 10, "encoder-crf"),
        ("SNIPS", 50, "bigru-crf+kd"),
        ("SNIPS", 10, "bigru+kd"),
        ("SNIPS", 10, "bigru-crf+kd+u"),
    ):
        assert published_f1(tmp_path, data, amount, model) == {}
