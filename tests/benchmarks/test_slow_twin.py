"""The plain padded loop that speed is measured against computes what the network computes, gradients included."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from benchmarks import slow_twin
from benchmarks.network_speed import Row, in_turns, line
from benchmarks.slow_twin import SlowTwin
from torch import nn

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

RULES = "[x]\n$* a b* c $*\n[y]\n$* d ( a | e ) $*\n"
TEXTS = ["a b b c", "d e e", "a c d a", "b b", "e", "c"]


@pytest.fixture
def bundle() -> Bundle:
    """A network with noise on every parameter; outside [0, 1] no gradient passes, as in the loop."""
    vocabulary = build_vocabulary([text.split() for text in TEXTS])
    vectors = np.random.default_rng(0).normal(size=(len(vocabulary), 3)).astype(np.float32)
    config = NetworkConfig(dropout=0.0, clamp_gradient_slope=0.0)
    made = build_bundle(RULES, "", Tokenization(), vocabulary, config, vectors)
    random = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in made.network.parameters():
            parameter += 0.2 * torch.randn(parameter.shape, generator=random)
    return made


def twin_of(bundle: Bundle) -> SlowTwin:
    twin = SlowTwin(bundle)
    twin.take_over(bundle.network)
    return twin


def test_twin_has_the_rank_and_the_predictions(bundle: Bundle) -> None:
    codes = [bundle.vocabulary.encode(text.split()) for text in TEXTS]
    twin = twin_of(bundle)
    assert twin.network.reader.sources.shape[1] == slow_twin.RANK
    wanted = run_network(bundle.network, codes, abstain=False)
    words, lengths = slow_twin.padded(codes, torch.device("cpu"))
    assert words.shape == (len(TEXTS), slow_twin.TIMES)
    with torch.no_grad():
        logits, scores = twin.eval()(words, lengths)
    assert np.abs(scores.numpy() - wanted.machine_scores).max() < 1e-5
    assert np.abs(torch.softmax(logits, 1).numpy() - wanted.probabilities).max() < 1e-5
    assert list(slow_twin.predictions(twin, codes, torch.device("cpu"))) == wanted.predictions.tolist()


def test_twin_has_the_gradients(bundle: Bundle) -> None:
    codes = sorted((bundle.vocabulary.encode(text.split()) for text in TEXTS), key=len, reverse=True)
    labels = torch.tensor([number % 2 for number in range(len(codes))])
    twin = twin_of(bundle)
    nn.functional.cross_entropy(bundle.network(make_batch(codes, torch.device("cpu"))), labels).backward()
    nn.functional.cross_entropy(twin(*slow_twin.padded(codes, torch.device("cpu")))[0], labels).backward()
    by_loop = dict(twin.network.named_parameters())
    for name, parameter in bundle.network.named_parameters():
        wanted = by_loop[name].grad
        assert parameter.grad is not None
        assert wanted is not None
        own = wanted[tuple(slice(0, size) for size in parameter.shape)]
        assert torch.allclose(parameter.grad, own, atol=1e-5 * float(own.abs().max() + 1)), name


def test_rows_tell_how_many_times_as_fast() -> None:
    assert Row("answers", "cpu", "none", 0.6, 0.1).times == pytest.approx(6)
    assert line(Row("answers", "cpu", "none", 0.6, 0.1, 5.0)).endswith(">= 5  reached")
    assert line(Row("answers", "cpu", "none", 0.4, 0.1, 5.0)).endswith(">= 5  MISSED")


def test_ways_are_measured_by_turns() -> None:
    done: list[str] = []
    seconds = in_turns({"a": lambda: done.append("a"), "b": lambda: done.append("b")}, 2, torch.device("cpu"))
    assert done == ["a", "b"] * 3
    assert seconds.keys() == {"a", "b"}
