"""The model card: README.md of a model folder, with the head that Hugging Face reads.

Its head is YAML: https://huggingface.co/docs/hub/model-cards. Strings in it are written as JSON, which YAML reads too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted

CARD = "README.md"
LARGEST_WEIGHTS = "Words with the largest weights"
POLICY = "Training labels: the policy is not noted."
_SPLITS = ("train", "dev", "test")


def card_text(
    name: str, task: Task, names: Sequence[str], rules: Sequence[tuple[str, str]], description: Mapping[str, Any]
) -> str:
    """The card of a model called `name`. `names`: its labels or slots; `rules`: (name, label) of each rule;
    `description`: what bundle.json holds."""
    figures = description.get("figures", {})
    kinds = by_task(task, classification="text-classification", slot_filling="token-classification")
    pairs = [pair for pair in figures.get("figures", ()) if _kept(pair) is not None]
    head = ["library_name: re2nn", f"pipeline_tag: {kinds}", "tags:", "- re2nn", "- rules", "- finite-automata"]
    metric = by_task(task, classification="accuracy", slot_filling="f1")
    head += _index(name, kinds, metric, pairs) if pairs else []
    what = by_task(task, classification="labels", slot_filling="slots")
    parts = [
        f"# {name}",
        f"A network of {counted(len(rules), 'rule')} for {what}, by RE2NN.",
        _of_names(task, names, rules),
        "## Training",
        _training(description, figures),
        "## Figures",
        _figures(metric, pairs),
        "## Certificate and reconstruction",
        _faithful(description, figures),
        "## Limits",
        f"It knows {counted(len(description['vocabulary']), 'word')}; others take the vector of the encoder, where "
        "it is installed, or of words spelled alike, and else count as unknown, by their kind. "
        "Figures hold for texts like those that were measured. Rules match words as the tokenizer "
        f"`{description['tokenization']['kind']}` cuts them.",
        "## Use",
        "```python\nimport re2nn_core as re2nn\n\nmodel = re2nn.from_pretrained(FOLDER)\nmodel.predict([TEXT])\n```",
    ]
    return "---\n" + "\n".join(head) + "\n---\n\n" + "\n\n".join(parts) + "\n"


def _kept(pair: Mapping[str, Any]) -> float | None:
    """A figure of the network that is kept."""
    found: float | None = pair["trained"] if pair.get("near_rules") is None else pair["near_rules"]
    return found


def renamed_card(card: str, name: str) -> str:
    """The card of a copy of the model that is called `name`."""
    title = re.search("^# (.*)$", card, re.MULTILINE)
    if title is None:
        return card
    named = card.replace(title[0], f"# {name}", 1)
    return named.replace(f"- name: {json.dumps(title[1])}\n", f"- name: {json.dumps(name)}\n", 1)


def _index(name: str, kind: str, metric: str, pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["model-index:", f"- name: {json.dumps(name)}", "  results:"]
    for pair in pairs:
        split = next((split for split in _SPLITS if str(pair["name"]).startswith(split)), "dev")
        lines += [
            "  - task:",
            f"      type: {kind}",
            "    dataset:",
            f"      name: {json.dumps('own texts, ' + str(pair['name']), ensure_ascii=False)}",
            "      type: own-texts",
            f"      split: {split}",
            "    metrics:",
            f"    - type: {metric}",
            f"      value: {_kept(pair):.4f}",
        ]
    return lines


def _of_names(task: Task, names: Sequence[str], rules: Sequence[tuple[str, str]]) -> str:
    slots = "Slots: " + ", ".join(f"`{name}`" for name in names) + "."
    rows = [f"| {_cell(name)} | {sum(label == name for _, label in rules)} |" for name in names]
    labels = "\n".join(["| label | rules |", "| --- | --- |", *rows])
    return by_task(task, classification=labels, slot_filling=slots)


def _training(description: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    if not description["trained"]:
        return "Not trained."
    strongest = figures.get("strongest_words")
    lines = [
        f"- Texts: {_learned_from(figures)}",
        f"- Epoch kept: {_epoch_kept(figures)}",
        f"- Training plan: {figures.get('recipe') or 'not noted'}",
        f"- Word vectors: {description['vectors_name']}",
        f"- {POLICY}",
        *([f"- {LARGEST_WEIGHTS}: {words_by_label(strongest)}."] if strongest else ()),
        *(f"- {note}" for note in figures.get("notes", ())),
    ]
    return "\n".join(line.replace("\n", " ") for line in lines)


def _epoch_kept(figures: Mapping[str, Any]) -> str:
    """Which epoch's network predicts; none where a linear layer does, with the rules as written."""
    best, of = figures.get("best_epoch", "?"), figures.get("epochs", "?")
    if best == 0 and figures.get("linear_weight"):
        return f"none{f' of {of}' if of else ''}; the rules as written, with a linear layer"
    return f"{best} of {of}"


def words_by_label(words: Mapping[str, Sequence[str]]) -> str:
    """`fare: price, much; seat: chair`."""
    return "; ".join(f"{label}: {', '.join(own)}" for label, own in words.items())


def _learned_from(figures: Mapping[str, Any]) -> str:
    """How many texts the network has learned from: where they took turns, dev texts too."""
    size = figures.get("train_size")
    if size is None or not figures.get("turns"):
        return "not noted" if size is None else str(size)
    texts = {str(pair["name"]): pair.get("texts") or 0 for pair in figures.get("figures", ())}
    dev = sum(count for name, count in texts.items() if "also used for training" in name)
    if dev:
        return f"{size + dev} ({size} train, {dev} dev)"
    return str(max([size, *(count for name, count in texts.items() if name != "test")]))


def _figures(metric: str, pairs: Sequence[Mapping[str, Any]]) -> str:
    if not pairs:
        return "Nothing was measured."
    title = {"accuracy": "accuracy", "f1": "F1 of spans"}[metric]
    rows = [
        f"| {_cell(str(pair['name']))} | {pair.get('texts') or 'not noted'} | {_share(pair['untrained'])} "
        f"| {_share(_kept(pair))} |"
        for pair in pairs
    ]
    return "\n".join([f"| {title} on | texts | rules | this network |", "| --- | --- | --- | --- |", *rows])


def _faithful(description: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    config = description["config"]
    if config.get("rank") is not None or config.get("initial") == "random":
        return "The network does not begin as an exact copy of its rules, and may differ from them."
    if not description["trained"]:
        return (
            "The untrained network equals its rules; `re2nn certify --model FOLDER --data FILE -o certificate.json` "
            "proves it."
        )
    if "written" in figures:
        return "The network was built again from its reconstructed rules: rules and network predict the same."
    return (
        "Training may have moved the network away from its rules. `re2nn reconstruct` writes the rules that it has "
        "learned and reports how often they and the network agree."
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _cell(text: str) -> str:
    """Text in a cell of a Markdown table."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
