"""The card of a model folder: a head that Hugging Face reads, and what a user of the model has to know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import support.command_line as labels
import yaml

import re2nn_core as re2nn
from re2nn_core.network.model_card import CARD, POLICY, card_text, renamed_card
from re2nn_core.services.fine_tuning.run_material import RunMaterial, keep_material
from re2nn_core.store import Policy
from re2nn_core.task import Task

EXAMPLES = [(text, label) for label, text in labels.TEXTS] * 6


def head_of(folder: Path) -> tuple[dict[str, object], str]:
    """The head as Hugging Face reads it, and what stands below."""
    _, head, text = re.split(r"^---\n", (folder / CARD).read_text(encoding="utf-8"), maxsplit=2, flags=re.MULTILINE)
    return yaml.safe_load(head), text


def test_a_trained_model_has_its_figures_in_the_card(tmp_path: Path) -> None:
    rules = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    model = re2nn.train(rules, EXAMPLES, folder=tmp_path / "flights: a", epochs=30)
    assert model.trained
    head, text = head_of(tmp_path / "flights: a")
    assert (head["library_name"], head["pipeline_tag"]) == ("re2nn", "text-classification")
    [index] = head["model-index"]  # type: ignore[misc]
    assert index["name"] == "flights: a"
    [pair] = model.figures["figures"]
    [result] = index["results"]
    assert result["dataset"] == {"name": f"own texts, {pair['name']}", "type": "own-texts", "split": "dev"}
    assert result["metrics"] == [{"type": "accuracy", "value": round(pair["trained"], 4)}]
    for line in (
        "A network of 3 rules for labels, by RE2NN.",
        "| flight | 2 |",
        f"- Texts: {pair['texts'] if model.figures['turns'] else model.figures['train_size']}",
        f"- {POLICY}",
        f"| {pair['name']} | {pair['texts']} | {pair['untrained']:.1%} | {pair['trained']:.1%} |",
        "`re2nn reconstruct` writes the rules that it has learned",
    ):
        assert line in text


def test_the_card_of_a_copy_has_its_name(tmp_path: Path) -> None:
    rules = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    re2nn.train(rules, [(text, label) for label, text in labels.TEXTS] * 5, folder=tmp_path / "here", epochs=1)
    here = (tmp_path / "here" / CARD).read_text(encoding="utf-8")
    there = renamed_card(here, "there")
    head = yaml.safe_load(there.split("---\n")[1])
    assert (head["model-index"][0]["name"], "# there\n" in there) == ("there", True)
    assert renamed_card(there, "here") == here
    assert renamed_card("", "x") == ""


def test_the_policy_of_a_project_is_named(tmp_path: Path) -> None:
    re2nn.train(re2nn.compile(labels.RULES, logic=labels.LOGIC), EXAMPLES, folder=tmp_path, epochs=30)
    material = RunMaterial(Policy(), frozenset({0, 1}), frozenset({2}))
    keep_material(tmp_path, material)
    text = (tmp_path / CARD).read_text(encoding="utf-8")
    assert POLICY not in text
    assert f"- {material.in_words}\n" in text


def test_an_untrained_model_for_slots(tmp_path: Path) -> None:
    re2nn.compile("to := $* to [ oslo ]<city> $*").save_pretrained(tmp_path / "cities")
    head, text = head_of(tmp_path / "cities")
    assert head["pipeline_tag"] == "token-classification"
    assert "model-index" not in head
    assert "Slots: `city`." in text
    assert "Nothing was measured." in text
    assert "The untrained network equals its rules; `re2nn certify --model FOLDER --data FILE -o " in text
    assert re2nn.from_pretrained(tmp_path / "cities").predict(["to oslo"])[0]


def test_an_approximated_network_is_not_called_equal_to_its_rules() -> None:
    description = {
        "trained": False,
        "config": {"rank": 5},
        "vocabulary": ["a"],
        "tokenization": {"kind": "whitespace"},
    }
    card = card_text("m", Task.CLASSIFICATION, ["a|b"], [("r", "a|b")], description)
    assert "does not begin as an exact copy of its rules" in card
    assert "| a\\|b | 1 |" in card


def trained_with(figures: dict[str, Any]) -> dict[str, Any]:
    """What a model folder says of a training that measured these figures."""
    return {
        "trained": True,
        "config": {},
        "vocabulary": ["a"],
        "tokenization": {"kind": "whitespace"},
        "vectors_name": "none",
        "figures": figures,
    }


def test_texts_that_took_turns_are_counted_with_dev() -> None:
    pairs = [
        {"name": name, "texts": texts, "untrained": 0.5, "trained": 0.75}
        for name, texts in (("out-of-fold", 413), ("dev (also used for training)", 102), ("test", 900))
    ]
    description = trained_with({"train_size": 311, "turns": True, "figures": pairs})
    assert "- Texts: 413 (311 train, 102 dev)\n" in _card(description)
    description["figures"] = {"train_size": 311, "turns": True, "figures": [pairs[0], pairs[2]]}
    assert "- Texts: 413\n" in _card(description)
    description["figures"] = {"train_size": 311, "turns": False, "figures": pairs[2:]}
    assert "- Texts: 311\n" in _card(description)


def test_a_training_of_no_epochs_keeps_none_of_them() -> None:
    description = trained_with({"best_epoch": 0, "epochs": 0, "linear_weight": 0.75})
    assert "- Epoch kept: none; the rules as written, with a linear layer\n" in _card(description)


def _card(description: dict[str, object]) -> str:
    return card_text("m", Task.CLASSIFICATION, ["a"], [("r", "a")], description)
