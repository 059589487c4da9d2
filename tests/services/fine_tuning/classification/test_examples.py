"""What a training would learn from: counts, warnings, what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_system import small_system
from support.projects.finished_run import learnable_project

from re2nn_core.services.fine_tuning.classification import examples as module
from re2nn_core.services.fine_tuning.classification.examples import SAMPLE, encoder_knows_texts, label_examples_of
from re2nn_core.services.fine_tuning.classification.objectives import settings_for
from re2nn_core.store import (
    Store,
    record_label,
    texts_of,
)
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig


def test_rules_that_no_formula_names_are_reported_before_training(store: Store) -> None:
    records = texts_of(store, learnable_project(store).id)
    formula = 'logic = ["price -> money"]'
    (warning,) = set(label_examples_of(records, small_system(logic=formula)).warnings) - set(
        label_examples_of(records, small_system(logic="")).warnings
    )
    assert warning == (
        "'much' changes nothing: 'money' is decided by its formula (label logic, line 1), which does not name it. "
        "Training leaves it out. Add it to the formula on Write rules first."
    )


def test_examples_are_counted_by_label_and_source(store):
    project = learnable_project(store, unlabelled=2)
    records = texts_of(store, project.id)
    record_label(store, records[-1].id, "money", "Ann")
    found = label_examples_of(texts_of(store, project.id), small_system())
    money = next(entry for entry in found.labels if entry.label == "money")
    assert (money.by_people, money.with_data, money.dev, money.test, money.rules) == (1, 16, 8, 8, 2)
    assert (found.train, found.dev, found.test, found.unlabelled, found.missing) == (33, 16, 16, 1, None)
    assert found.recipe(TrainConfig()).reason.startswith("33 train texts: low learning rates")
    assert found.turns
    assert not label_examples_of([record for record in records if record.split != "train"], small_system()).turns


def test_what_may_spoil_a_training_is_said(store):
    project = learnable_project(store, unlabelled=1)
    record_label(store, texts_of(store, project.id)[-1].id, "seat", "Ann")
    found = label_examples_of(texts_of(store, project.id), small_system())
    assert found.warnings == (
        "Fewer than 5 training texts: seat. Label a few more of these.",
        "No rule: seat. The network has to learn these from texts alone.",
    )


def test_few_dev_texts_are_said_where_the_figure_is_of_these_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = texts_of(store, learnable_project(store).id)
    assert label_examples_of(records, small_system()).warnings == ()  # all 48 texts are measured in turns
    monkeypatch.setattr("re2nn_core.services.fine_tuning.training_plan.GENTLE_BELOW", 0)
    assert label_examples_of(records, small_system()).warnings == (
        "Only 16 dev texts: one text more or less moves the dev accuracy by 6.2%.",
    )


@pytest.mark.parametrize("below", [0, 400])
def test_table_and_plan_count_the_same_texts(store: Store, monkeypatch: pytest.MonkeyPatch, below: int) -> None:
    """Without dev texts no text is of dev, whether all are in turns or a fifth is held out."""
    monkeypatch.setattr("re2nn_core.services.fine_tuning.training_plan.GENTLE_BELOW", below)
    records = [record for record in texts_of(store, learnable_project(store).id) if record.split == "train"]
    found = label_examples_of(records, small_system())
    assert not any(entry.dev for entry in found.labels)
    assert sum(entry.train for entry in found.labels) == found.train + found.dev == 32
    assert ("no dev texts: every fifth" in found.recipe(TrainConfig()).reason) == (below == 0)
    assert ("no dev texts: 5-fold" in found.recipe(TrainConfig()).reason) == (below > 0)


def test_too_little_to_learn_from_is_said_before_it_starts(store):
    project = learnable_project(store)
    records = texts_of(store, project.id)
    few = label_examples_of([*records[:3], *records[32:40]], small_system())
    assert few.missing == "3 labelled training texts; at least 10 are needed. Label more texts first."
    one = [record for record in records if record.label == "money"]
    assert label_examples_of(one, small_system()).missing == (
        "All training texts have the label money. Use at least two labels."
    )


def test_a_label_without_training_texts_is_named_where_others_have_some(store: Store) -> None:
    records = [replace(record, split="train") for record in texts_of(store, learnable_project(store).id)]
    tested = [replace(record, label="seat", split="test") for record in records[:1]]
    assert label_examples_of([*records, *tested], small_system()).warnings == (
        "No training text at all: seat. Label some of these, or write rules for them.",
    )
    nothing = [replace(record, label=None) for record in records]
    assert label_examples_of(nothing, small_system()).warnings == ()


@pytest.mark.parametrize("known", [True, False])
def test_whether_the_encoder_knows_the_words_decides_the_vectors(
    store: Store, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    asked: list[set[str]] = []
    monkeypatch.setattr(module, "encoder_knows", lambda words: asked.append(set(words)) or known)
    found = label_examples_of(texts_of(store, learnable_project(store).id), small_system())
    assert found.encoder_knows == known
    assert asked[0]
    assert settings_for("accuracy", found.train, in_context=known)["vectors"] == ("context" if known else "auto")


def test_of_many_texts_a_spread_sample_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(module, "encoder_knows", lambda words: asked.append(list(words)) or True)
    encoder_knows_texts([Example(f"w{number}", "a", "train") for number in range(10 * SAMPLE)], Tokenization())
    assert SAMPLE / 2 < len(asked[0]) <= SAMPLE
    assert asked[0][0] == "w0"
    assert int(asked[0][-1][1:]) > 9.8 * SAMPLE
