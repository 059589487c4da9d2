"""Copies that learn as one against the same copies, each of which learns by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.fused_samples import MANY, SMALL, WORDS, network_of
from support.networks.machine_samples import vocabulary_for

from re2nn_core.errors import Cancelled
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.training import loop, member_measures
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples, TrainingPart
from re2nn_core.training.loop import Epoch, TrainResult, train_parts

GROUPED = MANY.replace("\n$* f a $*", "\n[y]\n$* f a $*", 1)  # two labels
CONFIG = TrainConfig(device="cpu", epochs=3, batch_size=4, learning_rate=0.02, l2_to_initial=0.01, decay=0.9)
SIZES = (23, 19, 24)  # texts of each copy: 6, 5 and 6 batches
FORMS = [
    {},
    {"dropout": 0.3},
    {"dropout": 0.3, "vectors": "context", "clamp_gradient_slope": 0.1},
    {"dropout": 0.1, "vectors": "context", "auxiliary": "lstm", "auxiliary_states": 7},
    {"dropout": 0.1, "vectors": "context", "auxiliary": "rnn", "auxiliary_states": 7},
    {"block_diagonal": False, "extra_states": 2, "dropout": 0.2},
    {"rule_weight": 0.4, "state_head": False},
    {"train_wildcard": False, "train_ends": False, "tie_margin": 0.25},
]


def part_of(network: FaRnn, rules: str, number: int, size: int, *, weighted: bool) -> TrainingPart[FaRnn]:
    """Random texts, two of them empty."""
    random = np.random.default_rng(number)
    vocabulary, labels = vocabulary_for(rules, WORDS), len(network.logic.labels)
    lengths = [0, 0, *random.integers(1, 9, size - 2)]
    sentences = [[str(word) for word in random.choice([*WORDS, "z"], length)] for length in lengths]
    codes = [vocabulary.encode(words) for words in sentences]
    context = [random.normal(size=(len(words), 2)).astype(np.float32) for words in sentences]
    weights = random.uniform(0.2, 1.0, size).tolist() if weighted else None
    given = context if network.reader.takes_context else None
    examples = EncodedExamples(codes, random.integers(0, labels, size).tolist(), weights, given)
    return TrainingPart(examples, examples)


def parts_of(network: FaRnn, rules: str, *, weighted: bool = False) -> list[TrainingPart[FaRnn]]:
    return [part_of(network, rules, number, size, weighted=weighted) for number, size in enumerate(SIZES)]


def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow, plain way."""
    monkeypatch.setattr(loop, "stack_of", lambda learners, parts: None)


def assert_same(one: TrainResult[FaRnn], other: TrainResult[FaRnn]) -> None:
    """In double precision, up to rounding."""
    assert one.best == other.best > 0
    for found, wanted in zip(one.history, other.history, strict=True):
        assert found.loss == pytest.approx(wanted.loss, rel=1e-5)  # sums of single precision
        assert (found.train, found.dev) == (wanted.train, wanted.dev)
    for members in zip(one.members, other.members, strict=True):
        assert members[0].keys() == members[1].keys()
        for name, value in members[0].items():
            assert torch.allclose(value, members[1][name], rtol=0, atol=1e-5), name


@pytest.mark.parametrize("rules", [SMALL, GROUPED], ids=["small", "many"])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_copies_learn_as_they_do_one_by_one(
    rules: str, form: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = network_of(rules, **form), network_of(rules, **form)
    parts = parts_of(one, rules, weighted="rule_weight" in form)
    assert loop.stack_of(loop._Run(network_of(rules, **form), parts, CONFIG, one.device).learners, parts) is not None
    together = train_parts(one, parts, CONFIG)
    in_turns(monkeypatch)
    assert_same(together, train_parts(other, parts, CONFIG))
    for name, value in one.named_parameters():
        assert torch.allclose(value, other.get_parameter(name), rtol=0, atol=1e-5), name


def test_a_stopped_run_of_copies_goes_on_as_the_unbroken_one(tmp_path: Path) -> None:
    def run(folder: Path, should_stop: Sequence[int] | None = None) -> TrainResult[FaRnn]:
        network = network_of(GROUPED, dropout=0.3)
        seen: list[int] = []

        def note(epoch: Epoch, best: int) -> None:
            seen.append(epoch.epoch)

        stop = None if should_stop is None else lambda: len(seen) > should_stop[0]
        return train_parts(network, parts_of(network, GROUPED), CONFIG, folder=folder, on_epoch=note, should_stop=stop)

    unbroken = run(tmp_path / "unbroken")
    with pytest.raises(Cancelled):
        run(tmp_path / "broken", [2])
    assert_same(run(tmp_path / "broken"), unbroken)


def test_after_training_each_network_has_parameters_of_its_own() -> None:
    network = network_of(GROUPED)
    train_parts(network, parts_of(network, GROUPED), CONFIG)
    for parameter in network.parameters():
        assert parameter.untyped_storage().nbytes() == parameter.numel() * parameter.element_size()


@pytest.mark.parametrize(
    "form",
    [
        {"scoring": "viterbi"},
        {"cell": "gru"},
        {"decomposed": False},
        {"bidirectional": True},
        {"train_words": True},
        {"auxiliary": "lstm"},
        {"auxiliary": "gru", "vectors": "context"},
    ],
    ids=str,
)
def test_other_networks_learn_one_by_one(form: dict[str, object]) -> None:
    network = network_of(SMALL, **form)
    parts = parts_of(network, SMALL)
    assert loop.stack_of(loop._Run(network, parts, CONFIG, network.device).learners, parts) is None


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("average", ["weights", "predictions"])
def test_copies_are_measured_as_they_are_one_by_one(form: dict[str, object], average: str) -> None:
    network = network_of(GROUPED, **form)
    parts = parts_of(network, GROUPED)
    if average == "predictions":  # all with the same dev, and measured together
        parts = [replace(part, dev=parts[0].dev) for part in parts]
    run = loop._Run(network, parts, replace(CONFIG, average=average), network.device)
    stack = loop.stack_of(run.learners, parts)
    assert stack is not None
    for epoch in range(2):
        found, wanted = stack.measured(untrained=epoch == 0), run._measured_in_turns(epoch)
        assert found is not None
        for one, other in zip(found.each, wanted.each, strict=True):
            assert one == pytest.approx(other, abs=1e-5)
        if run.joint:
            assert found.together == pytest.approx(wanted.together, abs=1e-5)
        stack.epoch(None)
        for learner in run.learners:
            learner.end_epoch()


def test_many_texts_are_measured_one_copy_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(GROUPED)
    parts = parts_of(network, GROUPED)
    stack = loop.stack_of(loop._Run(network, parts, CONFIG, network.device).learners, parts)
    assert stack is not None
    monkeypatch.setattr(member_measures, "MOST", 2 * max(SIZES) - 1)
    assert stack.measured(untrained=True) is None
