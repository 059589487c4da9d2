"""Baselines as networks: shapes, padding that changes no prediction, and rules that are predicted before training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.baseline_samples import LABELS, NAMES, logits_of, network, texts

from re2nn_core.baselines.lesson import Lesson, predictions_of
from re2nn_core.baselines.texts import SILENT, RuleFeatures
from re2nn_core.task import Task

ALL = [(task, name) for task, names in NAMES.items() for name in names]
NAMES_OF_LABELS = [str(number) for number in range(LABELS)]
# One of each kind of encoder, with and without what the rules say; pooling matters for labels alone.
VARIED = [
    (Task.CLASSIFICATION, "gru", "last"),
    (Task.CLASSIFICATION, "birnn+io", "last"),
    (Task.CLASSIFICATION, "bigru+i", "max"),
    (Task.CLASSIFICATION, "bilstm+o", "mean"),
    (Task.CLASSIFICATION, "cnn+io", "max"),
    (Task.CLASSIFICATION, "dan+i", "mean"),
    (Task.SLOT_FILLING, "bigru+io", "max"),
    (Task.SLOT_FILLING, "bilstm-crf+i", "max"),
    (Task.SLOT_FILLING, "encoder+o", "max"),
]


@pytest.mark.parametrize(("task", "name"), ALL)
def test_every_system_scores_each_unit_of_each_text(task: Task, name: str) -> None:
    some = texts(task, [5, 3, 1, 0], in_context=name.startswith("encoder"))
    found = logits_of(network(name, task), some, [0, 1, 2, 3])
    assert [one.shape for one in found] == [(len(gold), LABELS) for gold in some.gold]
    assert all(bool(torch.isfinite(one).all()) for one in found)


@pytest.mark.parametrize(("task", "name", "pooling"), VARIED)
@given(lengths=st.lists(st.integers(0, 9), min_size=2, max_size=5), seed=st.integers(0, 100))
@settings(max_examples=15, deadline=None)
def test_what_stands_behind_a_text_changes_no_score(
    task: Task, name: str, pooling: str, lengths: list[int], seed: int
) -> None:
    lengths = sorted(lengths, reverse=True)
    some = texts(task, lengths, seed, in_context=name.startswith("encoder"))
    baseline = network(name, task, pooling=pooling, seed=seed)
    together = logits_of(baseline, some, range(len(lengths)))
    for place, scores in enumerate(together):
        (alone,) = logits_of(baseline, some, [place])
        torch.testing.assert_close(scores, alone, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("task", "name"), [(task, name) for task, name in ALL if name.endswith(("+o", "+io"))])
def test_untrained_it_gives_the_rules_prediction_where_rules_are_added(task: Task, name: str) -> None:
    some = texts(task, [6, 4, 4, 1], in_context=name.startswith("encoder"))
    found, _ = predictions_of(network(name, task), Lesson(some, NAMES_OF_LABELS))
    # Of a word that rules say nothing of the first tag is said, which is O.
    silent = 0 if task == Task.SLOT_FILLING else SILENT
    for own, said in zip(found, some.rule_features, strict=True):
        assert own.tolist() == np.where(said.predictions == SILENT, silent, said.predictions).tolist()


def test_a_random_start_is_the_papers() -> None:
    """What rules count for is drawn as well, and may speak against them; elsewhere the start changes nothing."""
    drawn = network("bigru+o", Task.CLASSIFICATION, start="random").trust
    assert drawn is not None
    assert len(set(drawn.tolist())) == len(drawn)
    some = texts(Task.CLASSIFICATION, [4] * 40)
    (one,), (two,) = (
        logits_of(network("bigru+o", Task.CLASSIFICATION, start=start), some, [0]) for start in ("rules", "random")
    )
    assert not torch.equal(one, two)
    (one,), (two,) = (
        logits_of(network("bigru+i", Task.CLASSIFICATION, start=start), some, [0]) for start in ("rules", "random")
    )
    assert torch.equal(one, two)


def test_without_them_it_guesses() -> None:
    some = texts(Task.CLASSIFICATION, [4] * 40)
    predictions, _ = predictions_of(network("bigru+kd", Task.CLASSIFICATION), Lesson(some, NAMES_OF_LABELS))
    found = np.concatenate(predictions)
    rules = np.concatenate([said.predictions for said in some.rule_features])
    assert (found != rules).any()
    assert (found != SILENT).all()


@pytest.mark.parametrize("name", ["bigru", "cnn", "dan"])
def test_the_same_seed_makes_the_same_network(name: str) -> None:
    some = texts(Task.CLASSIFICATION, [3])
    (one,), (same,), (other,) = (
        logits_of(network(name, Task.CLASSIFICATION, seed=seed), some, [0]) for seed in (1, 1, 2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_what_rules_say_reaches_the_scores_only_where_it_should() -> None:
    some, other = texts(Task.CLASSIFICATION, [4], 0), texts(Task.CLASSIFICATION, [4], 3)
    reported = texts(Task.CLASSIFICATION, [4], 0)
    reported.rule_features[0] = other.rule_features[0]  # type: ignore[index]
    for name, reached in (("bigru", False), ("bigru+kd", False), ("bigru+i", True), ("bigru+o", True)):
        (one,), (two,) = (logits_of(network(name, Task.CLASSIFICATION), which, [0]) for which in (some, reported))
        assert torch.equal(one, two) is not reached


def test_no_prediction_is_no_right_prediction_where_the_label_is_unknown() -> None:
    some = texts(Task.CLASSIFICATION, [3, 2])
    unknown = Lesson(
        replace(
            some,
            gold=[np.array([SILENT])] * 2,
            rule_features=[RuleFeatures(one.features, one.predictions * 0 + SILENT) for one in some.rule_features],
        ),
        NAMES_OF_LABELS,
    )
    baseline = network("bigru+o", Task.CLASSIFICATION)
    assert [one.tolist() for one in predictions_of(baseline, unknown)[0]] == [[SILENT]] * 2
    assert unknown.measure([baseline])[0] == 0.0
