"""Training a baseline: a made-up set is learned, twice in the same way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from support.networks.baseline_samples import LABELS, RULE_TAGS, network

from re2nn_core.baselines.fit import fit
from re2nn_core.baselines.lesson import Lesson
from re2nn_core.baselines.texts import SILENT, RuleFeatures, Texts
from re2nn_core.errors import Cancelled
from re2nn_core.task import Task

NAMES = ("O", "B-a", "I-a", "B-b")
QUICK = {"epochs": 12, "batch_size": 8, "learning_rate": 0.03, "dropout": 0.0}


def _toy(task: Task, count: int, seed: int) -> Lesson:
    """The label hangs on the number of one word among others, or the tag on each word's own; rules are often wrong."""
    random = np.random.default_rng(seed)
    codes, gold, said = [], [], []
    for _ in range(count):
        words = random.integers(8, 30, random.integers(2, 7))
        if task == Task.CLASSIFICATION:
            label = random.integers(0, LABELS)
            words[random.integers(0, len(words))] = label + 4
            own = np.array([label])
        else:
            own = words % LABELS
        codes.append(words.tolist())
        gold.append(own.astype(np.int64))
        wrong = random.random(len(own)) < 0.4
        said.append(RuleFeatures(np.zeros((len(own), RULE_TAGS), dtype=np.float32), np.where(wrong, SILENT, own)))
    tags = [[NAMES[number] for number in own] for own in gold] if task == Task.SLOT_FILLING else None
    return Lesson(Texts(codes, gold, said), NAMES, tags)


@pytest.mark.parametrize(
    ("task", "name"),
    [
        (Task.CLASSIFICATION, "bigru"),
        (Task.CLASSIFICATION, "lstm+kd"),
        (Task.CLASSIFICATION, "cnn"),
        (Task.CLASSIFICATION, "dan+o"),
        (Task.SLOT_FILLING, "birnn"),
        (Task.SLOT_FILLING, "bilstm-crf+pr"),
    ],
)
def test_a_made_up_set_is_learned(task: Task, name: str) -> None:
    epochs: list[int] = []
    baseline = network(name, task, **QUICK, hidden=12)
    learned = fit(baseline, _toy(task, 160, 0), _toy(task, 40, 1), on_epoch=lambda epoch, _: epochs.append(epoch.epoch))
    history = learned.result.history
    assert epochs == list(range(len(history)))
    assert history[learned.result.best].dev > 0.75
    assert history[learned.result.best].dev > history[0].dev


def test_the_same_seed_learns_the_same() -> None:
    def weights(seed: int) -> torch.Tensor:
        baseline = network("bigru+kd", Task.CLASSIFICATION, epochs=2, seed=seed)
        fit(baseline, _toy(Task.CLASSIFICATION, 40, 0), _toy(Task.CLASSIFICATION, 10, 1))
        return baseline.head.weight.detach()

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


def test_texts_count_as_they_weigh() -> None:
    """A text of weight nothing teaches nothing."""
    some = _toy(Task.CLASSIFICATION, 4, 0)
    heavy = Lesson(replace(some.texts, weights=[1.0, 1.0, 0.0, 0.0]), NAMES)
    first = Lesson(some.texts.at([0, 1]), NAMES)
    baseline = network("dan", Task.CLASSIFICATION, dropout=0.0)
    losses = []
    for one in (heavy, first):
        (numbered,) = one.shuffled(8, torch.device("cpu"), torch.Generator().manual_seed(0))
        losses.append(float(one.loss(baseline, numbered).detach()))
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_it_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        fit(
            network("bigru", Task.CLASSIFICATION),
            _toy(Task.CLASSIFICATION, 8, 0),
            _toy(Task.CLASSIFICATION, 4, 1),
            should_stop=lambda: True,
        )


def test_few_of_many_texts_tell_how_good_it_is() -> None:
    some = _toy(Task.SLOT_FILLING, 50, 0)
    some.measured = 10
    assert len(some._measured) == 10
    assert some._measured.tags == [some.tags[place] for place in np.linspace(0, 49, 10).astype(int)]  # type: ignore[index]
