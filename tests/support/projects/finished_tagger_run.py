"""A small project for slots, and training runs of it made in the test: for the services and pages behind training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from re2nn_core.jobs.worker import run_job
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import FILE
from re2nn_core.store import ProjectRecord, RunRecord, Store, create_project, create_run, get_run, latest_version
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.vocabulary import Vocabulary

RULES = """\
@city@=( boston | oslo | paris | rome )
to := $* to [ @city@ ]<to_city> $*
from_to := $* from [ @city@ ]<from_city> to $*
day := $* on [ monday | friday | foot ]<day> $*     // "on foot" is no day
"""
NETWORK = {"auxiliary": "none", "decoding": "softmax", "vectors": "none", "dropout": 0.0, "logit_scale": 2.0}
TRAIN = {"device": "cpu", "epochs": 6, "batch_size": 8, "learning_rate": 0.05, "head_learning_rate": 0.05}
_CITIES = ("boston", "oslo", "paris", "rome", "vienna", "lisbon", "cairo", "quito")
_DAYS = ("monday", "friday")
_FRAMES = (
    "a flight to {city:to_city} on {day:day}",
    "from {city:from_city} to {other:to_city} please",
    "on foot to {city:to_city}",
)


def marked(frame: str, split: str | None, **words: str) -> Example:
    """The text of a frame with its {word:slot} put in, and their spans."""
    text, spans = "", []
    for part in frame.split("{"):
        named, closing, rest = part.partition("}")
        if closing:
            name, _, slot = named.partition(":")
            spans.append(Span(len(text), len(text) + len(words[name]), slot))
            text += words[name] + rest
        else:
            text += part
    return Example(text, None, split, tuple(spans))


def slot_corpus() -> Corpus:
    """56 texts. The rules know half of the cities, and take "foot" for a day; one city in four is dev, one is test."""
    splits = ("train", "dev", "train", "test", "train", "train", "dev", "test")
    examples = []
    for number, (city, split) in enumerate(zip(_CITIES, splits, strict=True)):
        other = _CITIES[(number + 3) % len(_CITIES)]
        for day in _DAYS:
            examples += [marked(frame, split, city=city, other=other, day=day) for frame in _FRAMES]
        examples.append(Example("good morning", None, split, ()))
    return Corpus(tuple(examples))


def slot_project(store: Store, *, unannotated: int = 0, rules: str = RULES, name: str = "Slots") -> ProjectRecord:
    """A project of these texts, and some more that nobody has marked."""
    more = tuple(Example(f"a new text to rome number {number}") for number in range(unannotated))
    return create_project(
        store,
        name=name,
        task=Task.SLOT_FILLING,
        examples=Corpus((*slot_corpus().examples, *more)),
        rules_text=rules,
        logic_text="",
        author="tester",
    )


def waiting_slot_run(
    store: Store, project: ProjectRecord, *, train: Mapping[str, Any] | None = None, **network: Any
) -> RunRecord:
    """A run that no process works at."""
    version = latest_version(store, project.id)
    config = {"task": Task.SLOT_FILLING, "network": NETWORK | network, "train": TRAIN | dict(train or {}), "threads": 1}
    return create_run(store, project.id, "train", rule_version_id=version.id, config=config)


def finished_slot_run(
    store: Store, project: ProjectRecord, *, train: Mapping[str, Any] | None = None, **network: Any
) -> RunRecord:
    """Train a few epochs in this process; the run as it ended."""
    run = waiting_slot_run(store, project, train=train, **network)
    run_job(store, run.id)
    return get_run(store, run.id)


def plant_new_slot_rules(run: RunRecord, rules: Mapping[str, tuple[str, int]], classes: str = "") -> None:
    """A kept readback with these rules that nobody has written, instead of its own: names such as `learned.day.1`
    with the rule and its gain. `classes` are the word classes that they name."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    found["rules_text"] += classes + "".join(f"{name} := {text}\n" for name, (text, _) in rules.items())
    found["new_rules"] = [
        {"name": name, "slot": name.split(".")[1], "text": text, "gain": gain} for name, (text, gain) in rules.items()
    ]
    path.write_text(json.dumps(values), encoding="utf-8")


def with_vienna(vocabulary: Vocabulary, weights: list[WeightedRule]) -> list[WeightedRule]:
    """As if the first rule had learned vienna with half the weight that it gives oslo."""
    words = vocabulary.words
    [block] = weights[0].blocks
    grown = block.words.copy()
    grown[words.index("vienna")] = (block.words[words.index("oslo")] + block.words[words.index("vienna")]) / 2
    return [WeightedRule((replace(block, words=grown),)), *weights[1:]]
