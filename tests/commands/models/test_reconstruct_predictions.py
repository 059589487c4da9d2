"""re2nn reconstruct from predictions: rules that predict what a model predicts, without its weights."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import LOGIC, RULES, Call
from support.networks.explained import as_trained

from re2nn_core.network.classification.bundle import save_bundle

PREDICTED = {
    "flight": ("a plane to rome", "the plane is late", "which plane is it", "any plane at noon"),
    "fare": ("the price of it", "is the price fair", "which price is it", "any price at noon"),
}


def rows(texts: dict[str, tuple[str, ...]], split: str = "") -> str:
    return "".join(f"{label}\t{text}{split}\n" for label, own in texts.items() for text in own)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Texts without a label but in test, and predictions of a model for all of them."""
    train = [text for own in PREDICTED.values() for text in own]
    test = [("fare", "a new price"), ("flight", "a new plane"), ("flight", "nothing of it")]
    lines = ["label\ttext\tsplit", *(f"\t{t} today\ttrain" for t in train), *(f"\t{t}\ttrain" for t in train)]
    (tmp_path / "texts.tsv").write_text("\n".join([*lines, *(f"{a}\t{t}\ttest" for a, t in test)]) + "\n")
    both = {label: (*own, *(f"{text} today" for text in own)) for label, own in PREDICTED.items()}
    tested = {"fare": ("a new price",), "flight": ("a new plane",)}
    (tmp_path / "predictions.tsv").write_text("label\ttext\n" + rows(both) + rows(tested) + "fare\tnothing of it\n")
    (tmp_path / "rules.txt").write_text(RULES)
    (tmp_path / "logic.toml").write_text(LOGIC)
    save_bundle(tmp_path / "model", as_trained())
    return tmp_path


def test_rules_of_predictions_are_measured_on_texts_that_the_search_did_not_see(folder: Path, re2nn: Call) -> None:
    given = ("--predictions", folder / "predictions.tsv", "--data", folder / "texts.tsv", "-o", folder / "new.txt")
    found = re2nn("reconstruct", *given, "--json").data
    assert (found["learned_from"], [one["label"] for one in found["new_rules"]]) == (16, ["flight", "fare"])
    test = found["splits"]["test"]
    assert (test["texts"], test["accuracy"], test["model"]) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found["splits"]["train"]["fidelity"] == 1.0
    assert found["splits"]["train"]["accuracy"] is None
    evaluated = re2nn(
        "evaluate", "--rules", folder / "new.txt", "--logic", folder / "new.logic.toml", "--data", folder / "texts.tsv",
        "--split", "test", "--json",
    ).data  # fmt: skip
    assert evaluated["rules"]["accuracy"] == pytest.approx(test["accuracy"])


def test_fewer_words_are_the_rules_found_first_and_the_curve_has_every_size(folder: Path, re2nn: Call) -> None:
    given = ("--predictions", folder / "predictions.tsv", "--data", folder / "texts.tsv", "-o", folder / "new.txt")
    found = re2nn("reconstruct", *given, "--most-words", "1", "--json").data
    assert [size["counts"]["new"] for size in found["curve"]] == list(range(len(found["curve"])))
    assert found["counts"]["words"] <= 1
    assert found["counts"]["new"] < len(found["curve"]) - 1


def test_written_rules_are_added_to(folder: Path, re2nn: Call) -> None:
    found = re2nn(
        "reconstruct", "--predictions", folder / "predictions.tsv", "--rules", folder / "rules.txt", "--logic",
        folder / "logic.toml", "--data", folder / "texts.tsv", "-o", folder / "new.txt", "--json",
    ).data  # fmt: skip
    written = (folder / "new.txt").read_text()
    assert "any_flight := $* flights $*" in written
    assert found["splits"]["test"]["fidelity"] > found["curve"][0]["splits"]["test"]["fidelity"]


def test_a_model_is_asked_for_its_predictions(folder: Path, re2nn: Call) -> None:
    outcome = re2nn(
        "reconstruct", "--model", folder / "model", "--from-predictions", "--data", folder / "texts.tsv", "-o",
        folder / "new.txt",
    )  # fmt: skip
    assert outcome.code == 0
    assert "test fidelity" in outcome.out
    assert "16 texts" in outcome.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--predictions", "others.tsv"], "has no prediction for any of the 19 texts"),
        (["--from-predictions"], "--from-predictions asks a model. Write --model DIR too"),
        (["--rules", "rules.txt"], "--rules: this is for rules found from predictions"),
        ([], "There is nothing to reconstruct. Write --model DIR, or --predictions FILE."),
        (["--predictions", "others.tsv", "--split", "dev"], "--split: this has no effect on rules found from"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, re2nn: Call, options: list[str], message: str) -> None:
    (folder / "others.tsv").write_text("label\ttext\nfare\tsomething else\nflight\tand more\n")
    paths = [folder / one if one.endswith(".tsv") else one for one in options]
    outcome = re2nn("reconstruct", *paths, "--data", folder / "texts.tsv", "-o", folder / "new.txt")
    assert outcome.code != 0
    assert message in outcome.err
    assert not (folder / "new.txt").exists()
