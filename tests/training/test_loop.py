"""The loop on a tiny corpus: it learns, stops, is repeatable, resumes, and never ends worse than it began on dev."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig, resolve_device
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.loop import Epoch, train_network

CPU = TrainConfig(device="cpu", epochs=4, batch_size=8, learning_rate=0.01, patience=10)


def bundle() -> Bundle:
    return untrained(small_system(), small_corpus().texts, NetworkConfig(vectors="none", train_words=True, dropout=0.0))


def examples(made: Bundle, split: str) -> EncodedExamples:
    corpus = small_corpus().of_split(split)
    codes = [made.vocabulary.encode(sentence) for sentence in words_of_all(corpus.texts, made.tokenization)]
    return EncodedExamples(codes, [made.logic.labels.index(example.label) for example in corpus])


def train(made: Bundle, config: TrainConfig = CPU, **more: object):
    return train_network(made.network, examples(made, "train"), examples(made, "dev"), config, **more)


def test_training_learns_what_the_rules_miss():
    result = train(bundle(), TrainConfig(device="cpu", epochs=15, batch_size=8, learning_rate=0.01))
    first, best = result.history[0], result.history[result.best]
    assert first.dev < 1.0
    assert best.dev > first.dev
    assert result.history[-1].loss < result.history[1].loss


def test_epoch_zero_is_the_network_as_it_came_and_is_kept_when_nothing_helps():
    made = bundle()
    before = {name: value.clone() for name, value in made.network.state_dict().items()}
    nothing = TrainConfig(device="cpu", epochs=2, learning_rate=0, embedding_learning_rate=0, head_learning_rate=0)
    result = train(made, nothing)
    assert result.best == 0
    assert all(torch.equal(before[name], value) for name, value in made.network.state_dict().items())


def test_the_same_seed_gives_the_same_network():
    one, two = bundle(), bundle()
    assert [e.loss for e in train(one).history] == [e.loss for e in train(two).history]
    assert torch.equal(one.network.reader.sources, two.network.reader.sources)
    other = bundle()
    different = TrainConfig(device="cpu", epochs=4, batch_size=8, learning_rate=0.01, patience=10, seed=1)
    assert [e.loss for e in train(other, different).history] != [e.loss for e in train(bundle()).history]


def test_a_stopped_run_goes_on_as_the_unbroken_one(tmp_path: Path):
    unbroken = bundle()
    whole = train(unbroken)
    seen: list[int] = []

    def stop_after_two(epoch: Epoch, best: int) -> None:
        seen.append(epoch.epoch)

    broken = bundle()
    with pytest.raises(Cancelled, match="cancelled"):
        train(broken, folder=tmp_path, on_epoch=stop_after_two, should_stop=lambda: len(seen) > 2)
    assert seen == [0, 1, 2]
    resumed = bundle()
    result = train(resumed, folder=tmp_path)
    assert [e.loss for e in result.history] == pytest.approx([e.loss for e in whole.history])
    assert torch.allclose(resumed.network.reader.sources, unbroken.network.reader.sources, atol=1e-6)


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path):
    train(bundle(), TrainConfig(device="cpu", epochs=1), folder=tmp_path)
    (tmp_path / "checkpoint.json").write_text('{"epoch": 1, "hist', encoding="utf-8")
    result = train(bundle(), TrainConfig(device="cpu", epochs=2), folder=tmp_path)
    assert [epoch.epoch for epoch in result.history] == [0, 1, 2]


def test_patience_ends_a_run_that_gains_nothing():
    nothing = TrainConfig(
        device="cpu", epochs=50, patience=3, learning_rate=0, embedding_learning_rate=0, head_learning_rate=0
    )
    assert len(train(bundle(), nothing).history) == 4


@pytest.mark.parametrize(("measured", "places"), [(None, (0, 1, 2, 3)), (9, (0, 1, 2, 3)), (2, (0, 3)), (1, (0,))])
def test_some_texts_spread_evenly_are_measured(measured: int | None, places: tuple[int, ...]) -> None:
    made = bundle()
    four = examples(made, "train")
    given = EncodedExamples(four.codes[:4], four.labels[:4], measured=measured)
    alone = EncodedExamples([four.codes[place] for place in places], [four.labels[place] for place in places])
    assert given.measure([made.network]) == alone.measure([made.network])
    assert len(given) == 4


def test_a_pull_keeps_arcs_nearer_to_the_rules():
    free, pulled = bundle(), bundle()
    start = free.network.reader.sources.detach().clone()
    train(free)
    train(pulled, TrainConfig(device="cpu", epochs=4, batch_size=8, learning_rate=0.01, patience=10, l2_to_initial=1.0))
    assert (pulled.network.reader.sources - start).norm() < (free.network.reader.sources - start).norm()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1 (got 0)"),
        ({"learning_rate": -1.0}, "learning_rate must be 0 or more (got -1.0)"),
        ({"device": "tpu"}, "device must be one of auto, cuda, mps, cpu (got 'tpu')"),
    ],
)
def test_settings_are_checked(values: dict[str, object], message: str):
    with pytest.raises(InputError) as caught:
        TrainConfig(**values)
    assert str(caught.value) == message


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA GPU, so asking for it is no mistake")
def test_a_device_that_is_not_there_is_named():
    with pytest.raises(InputError, match="device 'cuda' is not on this machine, which has: .*cpu"):
        resolve_device("cuda")
