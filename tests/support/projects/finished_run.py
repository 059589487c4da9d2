"""A project with a finished training run, made in the test: for the services and pages behind training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from support.networks.small_system import LOGIC, RULES, small_corpus

from re2nn_core.jobs.worker import run_job
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import ProjectRecord, RunRecord, Store, create_project, create_run, get_run, latest_version
from re2nn_core.text.corpus import Corpus, Example

# The margin is next to none: with 64 texts a larger one leaves nothing to learn that a page could show.
NETWORK = {"vectors": "none", "train_words": True, "dropout": 0.0, "tie_margin": 1e-6}
TRAIN = {"device": "cpu", "epochs": 15, "batch_size": 8, "learning_rate": 0.01, "l2_to_initial": 1e-4}


def learnable_project(store: Store, *, unlabelled: int = 0, name: str = "Learnable") -> ProjectRecord:
    """A project with the 64 texts of `small_corpus`, and some more without a label."""
    more = tuple(Example(f"a new text number {number}") for number in range(unlabelled))
    return create_project(
        store,
        name=name,
        examples=Corpus((*small_corpus().examples, *more)),
        rules_text=RULES,
        logic_text=LOGIC,
        author="tester",
    )


def finished_run(
    store: Store, project: ProjectRecord, *, train: Mapping[str, Any] | None = None, **network: Any
) -> RunRecord:
    """Train a few epochs in this process; the run as it ended. With so few texts all of them take turns at being held
    out, unless `train` has copies 1."""
    version = latest_version(store, project.id)
    # One thread: two that wait for each other on a busy machine take ten times as long.
    config = {"network": NETWORK | network, "train": TRAIN | dict(train or {}), "threads": 1}
    run = create_run(store, project.id, "train", rule_version_id=version.id, config=config)
    run_job(store, run.id)
    return get_run(store, run.id)


def plant_a_change(run: RunRecord) -> None:
    """A kept reconstruction in which one rule has changed for sure: `price` has learned `cost`."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    for rule in found["rules"]:
        rule.update(kept_original=True, threshold=None, won=[], lost=[])
    rule = next(rule for rule in found["rules"] if rule["name"] == "price")
    rule.update(
        kept_original=False,
        threshold=0.4,
        witness_only_original=None,
        witness_only_reconstructed=["cost"],
        won=[6],
        lost=[],
    )
    found["rules_text"] = (
        "[travel]\ngo := $* ( flight | flights ) $*\nto_city := $* fly to ( boston | oslo ) $*\n"
        "[money]\nprice := $* ( cost | fare | price ) $*\nmuch := $* how much $*\n"
    )
    found["new_rules"], found["logic_text"] = [], LOGIC
    path.write_text(json.dumps(values), encoding="utf-8")


def plant_new_rules(run: RunRecord) -> None:
    """A kept reconstruction with two rules that nobody has written: `planes` travel, and what something may `cost` is
    money."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    corpus = small_corpus()
    found["new_rules"] = [
        {"name": f"{label}.new", "label": label, "text": f"$* {word} $*", "texts": texts_with(corpus, word)}
        for label, word in (("travel", "planes"), ("money", "cost"))
    ]
    found["rules_text"] = RULES.replace("[money]", "travel.new := $* planes $*\n[money]") + "money.new := $* cost $*\n"
    found["logic_text"] = LOGIC + 'first = ["travel.new -> travel", "money.new -> money"]\n'
    for rule in found["rules"]:
        rule.update(kept_original=True, threshold=None, won=[], lost=[])
    path.write_text(json.dumps(values), encoding="utf-8")


def texts_with(corpus: Corpus, word: str) -> list[int]:
    """The places of the texts that hold a word."""
    return [place for place, example in enumerate(corpus) if word in example.text.split()]
