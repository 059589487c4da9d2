"""re2nn reconstruct --json: the same keys for labels and for slots, and each figure under the key of its measure."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call
from support.networks.explained import as_trained
from support.networks.small_system import LOGIC
from support.networks.small_system import RULES as LABEL_RULES
from support.projects.finished_tagger_run import NETWORK, RULES, TRAIN, slot_corpus

from re2nn_core.commands.models.reconstruct_json import labels_data, slots_data
from re2nn_core.exchange.slot_filling.write import render_slot_jsonl
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.reconstruction.classification.report import (
    AddedRule,
    Reconstruction,
    RuleChange,
    SplitAccuracy,
)
from re2nn_core.reconstruction.weights.edges import LearnedEdge
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.fine_tuning.training_texts import keep_training_texts
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
)
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

EDGE = LearnedEdge(0, 1, "$2", 2, 0, ("cost",), (0.9,), (), "words like price")


def keys(value: Any) -> Any:
    """The keys of a value, inside as well; of a list those of its first entry, None where there is none."""
    if isinstance(value, dict):
        return {name: keys(inner) for name, inner in value.items()}
    return keys(value[0]) if isinstance(value, list) and value else None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of either task, and dev texts for it."""
    folder = tmp_path_factory.mktemp("both")
    save_bundle(folder / "labels", as_trained())
    (folder / "labels.tsv").write_text("travel\ta flight to oslo\nmoney\thow much is it\n", encoding="utf-8")
    system, _ = read_slot_system(RULES, "", Tokenization())
    training = TrainConfig(**{**TRAIN, "copies": 1, "epochs": 1})  # type: ignore[arg-type]
    train_tagger(system, slot_corpus(), TaggerConfig(**NETWORK), training, folder=folder / "slots")  # type: ignore[arg-type]
    (folder / "slots.jsonl").write_bytes(render_slot_jsonl(slot_corpus().of_split("dev").examples))
    return folder


def test_both_tasks_have_the_same_keys(re2nn: Call, folder: Path, tmp_path: Path) -> None:
    found = {}
    for task, texts in (("labels", "labels.tsv"), ("slots", "slots.jsonl")):
        given = ("--model", folder / task, "--dev", folder / texts, "-o", tmp_path / f"{task}.txt", "--json")
        outcome = re2nn("reconstruct", *given)
        assert outcome.code == 0, outcome.err
        found[task] = outcome.data
    labels, slots = found["labels"], found["slots"]
    assert (labels["task"], slots["task"]) == ("classification", "slots")
    assert labels.keys() == slots.keys()
    for part in ("original", "network", "changed", "reconstructed", "splits", "counts"):
        assert keys(labels[part]) == keys(slots[part]), part
    assert labels["rules"][0].keys() == slots["rules"][0].keys()
    # What a task has is under the key of its measure, and what it has not is null.
    assert (labels["network"]["f1"], slots["network"]["accuracy"]) == (None, None)
    assert None not in (labels["network"]["accuracy"], slots["network"]["f1"])
    assert (labels["agreement_words"], slots["counts"]["edges"]) == (None, None)


def test_rules_have_the_same_keys_and_keep_their_values() -> None:
    change = RuleChange("price", "money", "a", "b", 0.5, False, None, ("b", "c"), (), (3,), 1, 2, (EDGE,))
    new = AddedRule("cost", "money", "cost", (3, 4))
    labels = labels_data(Reconstruction("", "", (), (change,), new_rules=(new,), dropped=("old",)))
    slot = SlotRuleChange("day", "date", "a", "b", False, ("a step",), 3, ("x", "y"), ("z",), ("B-date",), ())
    learned = LearnedRule("on", "date", "on [x]<date>", 4)
    slots = slots_data(SlotReconstruction("", "", (), (slot,), (learned,), ("day > on",)))
    assert labels.keys() == slots.keys()
    for part in ("rules", "new_rules", "counts"):
        assert set(keys(labels[part])) == set(keys(slots[part])), part
    (rule,), (of_slot,) = labels["rules"], slots["rules"]
    assert [rule[name] for name in ("label", "threshold", "edges", "words", "gain")] == ["money", 0.5, 1, 2, None]
    assert (rule["learned"][0]["weights"], rule["only_reconstructed"]) == ((0.9,), ["b", "c"])
    assert [of_slot[name] for name in ("label", "threshold", "edges", "words", "gain")] == ["date", None, None, 3, 3]
    assert (labels["counts"]["dropped"], slots["counts"]["dropped"], slots["counts"]["words"]) == (1, 0, 3)
    assert [part["new_rules"][0]["text"] for part in (labels, slots)] == ["cost", "on [x]<date>"]
    assert (labels["new_rules"][0]["sentences"], slots["new_rules"][0]["gain"]) == (2, 4)
    assert (labels["new_priorities"], slots["new_priorities"]) == (None, ["day > on"])


def test_the_guide_names_them(re2nn: Call) -> None:
    assert "re2nn help reconstruction" in " ".join(re2nn("reconstruct", "--help").out.split())
    reported = re2nn("help", "reconstruction").out
    assert all(name in reported for name in ("agreement", "accuracy", "f1", "threshold", "new_rules", "counts"))


@pytest.mark.parametrize(
    ("better", "on_dev", "confidence"),
    [
        (
            3,
            "Dev improves (on dev 3 better and 0 worse of 80), but the difference is not statistically significant.",
            False,
        ),
        (
            20,
            "Dev improves and test does not: the changes were chosen on train and dev and may fit only these texts. "
            "The difference is statistically significant (on dev 20 better and 0 worse of 80).",
            True,
        ),
    ],
)
def test_a_gain_on_dev_alone_is_judged_by_how_many_texts_it_is(
    re2nn: Call,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    better: int,
    on_dev: str,
    confidence: bool,
) -> None:
    dev = SplitAccuracy("dev", 80, 0.5, 0.9, 0.5 + better / 80, 0.9, 80, better, 0)
    test = SplitAccuracy("test", 80, 0.5, 0.5, 0.5, 0.9, 80, 1, 1)
    found = Reconstruction(LABEL_RULES, LOGIC, (dev, test), ())
    monkeypatch.setattr(
        "re2nn_core.services.rule_reconstruction.classification.reconstruction.reconstruct",
        lambda *given, **reported: found,
    )
    given = (
        "reconstruct",
        "--model",
        folder / "labels",
        "--dev",
        folder / "labels.tsv",
        "-o",
        tmp_path / "new.txt",
        "--overwrite",
    )
    reported = f"On test, which had no part in choosing: 1 better and 1 worse of 80 texts. {on_dev}"
    lines = re2nn(*given).out.splitlines()
    assert (f"Warning: {reported}" if confidence else reported) in lines
    data = re2nn(*given, "--json").data
    assert (reported in data["warnings"], data["remarks"]) == (confidence, [] if confidence else [reported])
    assert (data["splits"]["dev"]["better"], data["splits"]["dev"]["worse"]) == (better, 0)


def test_files_are_written_together_or_not_at_all(
    re2nn: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> int:
        if "logic" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    write = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", full)
    (tmp_path / "x.txt").write_text("the best so far")
    given = (
        "--dev",
        folder / "labels.tsv",
        "-o",
        tmp_path / "x.txt",
        "--overwrite",
        "--weights-output",
        tmp_path / "x.jsonl",
    )
    outcome = re2nn("reconstruct", "--model", folder / "labels", *given)
    assert outcome.code == 2
    assert f"No space left on the disk that holds {tmp_path / 'x.logic.toml'}. Make room there" in outcome.err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.txt", "the best so far")]


@pytest.mark.parametrize(
    ("trained_on", "learned"), [(("another text",), False), (("a flight to oslo", "how much is it"), True)]
)
def test_dev_texts_that_the_network_was_not_trained_on_are_not_called_so(
    re2nn: Call, folder: Path, tmp_path: Path, trained_on: tuple[str, ...], learned: bool
) -> None:
    """A network of cross-validation was called trained on dev texts that it had never seen."""
    own = tmp_path / "model"
    save_bundle(own, replace(as_trained(), figures={"turns": 5}))
    keep_training_texts(own, trained_on)
    given = ("--model", own, "--dev", folder / "labels.tsv", "-o", tmp_path / "x.txt", "--json")
    found = re2nn("reconstruct", *given).data
    assert found["splits"]["dev"]["learned_from"] is learned
    assert any("also used for training" in one for one in found["warnings"]) is learned
