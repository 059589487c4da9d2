"""The untrained network scores as the machines accept, whatever the batch, the padding and the order."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.machine_samples import VOCABULARY, machines_of, machines_of_trees, random_machines
from support.rules import oracles
from support.rules.automata_strategies import sentences

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.network.classification import predict as predict_module
from re2nn_core.network.classification.classifier import Batch, FaRnn
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batching import batches_by_length, make_batch, shuffled_batches, targets_of
from re2nn_core.network.recurrence.semiring_loop import ArcWeights, MaxProduct, SumProduct, Weights, last_states
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node
from re2nn_core.services.prediction.classification.predictor import UNTRAINED_NEAR
from re2nn_core.tensors.factors import exact_factors, normalise
from re2nn_core.tensors.machines import Machines, reversed_machines

CPU = torch.device("cpu")
Texts = list[oracles.Sentence]
SETTINGS = (
    {},
    {"scoring": "viterbi"},
    {"extra_states": 5},
    {"extra_states": 2, "block_diagonal": False, "scoring": "viterbi"},
    {"decomposed": False},
    {"state_head": False, "train_words": True},
)


def network_of(machines: Machines, *, dimensions: int = 0, backwards: bool = False, **chosen: object) -> FaRnn:
    vectors = np.random.default_rng(1).normal(size=(len(VOCABULARY), dimensions)).astype(np.float32)
    config = NetworkConfig(**{"vectors": "none", **chosen})
    made = normalise if config.normalize else (lambda factors: factors)
    factors = made(exact_factors(machines, VOCABULARY))
    reverse = made(exact_factors(reversed_machines(machines), VOCABULARY)) if backwards else None
    return FaRnn(factors, machines.logic, vectors if dimensions else None, config, reverse).eval()


def machine_scores(network: FaRnn, texts: Texts) -> np.ndarray:
    return run_network(network, [VOCABULARY.encode(text) for text in texts], abstain=True).machine_scores


@settings(max_examples=40, deadline=None)
@given(random_machines(), st.lists(sentences(6), min_size=1, max_size=12), st.sampled_from(SETTINGS))
def test_scores_are_acceptance(machines: Machines, texts: Texts, chosen: dict[str, object]) -> None:
    wanted = [[float(oracles.accepts(machine.tree, text)) for machine in machines.machines] for text in texts]
    assert machine_scores(network_of(machines, dimensions=3, **chosen), texts).tolist() == wanted


@settings(max_examples=30, deadline=None)
@given(random_machines(), st.lists(sentences(6), min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_company_and_order_change_no_score(machines: Machines, texts: Texts, random: Random) -> None:
    network = disturbed(network_of(machines, extra_states=2, dimensions=3))
    alone = np.concatenate([machine_scores(network, [text]) for text in texts])
    order = random.sample(range(len(texts)), len(texts))
    together = machine_scores(network, [texts[place] for place in order])
    assert np.abs(together - alone[order]).max() < 1e-5


def disturbed(network: FaRnn, size: float = 0.2) -> FaRnn:
    """The network with noise on every parameter, as if it had been trained."""
    random = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += size * torch.randn(parameter.shape, generator=random)
    return network


@settings(max_examples=30, deadline=None)
@given(random_machines(), st.lists(sentences(6), min_size=1, max_size=6), st.integers(0, 9))
def test_padding_changes_no_score(machines: Machines, texts: Texts, padding: int) -> None:
    """What stands behind the end of a sentence is never read, be it a word or none."""
    network = disturbed(network_of(machines))
    batch = make_batch(sorted((VOCABULARY.encode(text) for text in texts), key=len, reverse=True), CPU)
    words = torch.nn.functional.pad(batch.words, (0, padding), value=3)
    behind = torch.arange(words.shape[1])[None, :] >= torch.tensor(batch.lengths)[:, None]
    padded = Batch(torch.where(behind, torch.tensor(3), words), batch.lengths)
    with torch.no_grad():
        assert torch.allclose(network(padded), network(batch), atol=1e-6)


def test_many_batches_predict_in_the_order_of_the_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict_module, "BATCH", 3)
    machines = machines_of_trees(*[anywhere(word) for word in "abc"])
    texts = [("a",), (), ("b", "d"), ("c",), ("d", "d", "d", "c"), ("a", "b", "c"), ("d",)] * 2
    wanted = [[float(word in text) for word in "abc"] for text in texts]
    done: list[tuple[int, int]] = []
    outputs = run_network(
        network_of(machines),
        [VOCABULARY.encode(text) for text in texts],
        abstain=True,
        on_progress=lambda so_far, of: done.append((so_far, of)),
    )
    assert outputs.machine_scores.tolist() == wanted
    assert outputs.predictions.tolist() == [next((n for n, hit in enumerate(row) if hit), -1) for row in wanted]
    assert [so_far for so_far, _ in done] == [3, 6, 9, 12, 14]
    assert {of for _, of in done} == {14}


def anywhere(word: str) -> Node:
    return parse_expression(f"$* {word} $*")


def test_no_sentences_and_empty_sentences() -> None:
    network = network_of(machines_of_trees(anywhere("a")))
    assert run_network(network, [], abstain=True).predictions.shape == (0,)
    assert run_network(network, [[], []], abstain=True).predictions.tolist() == [-1, -1]


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"normalize": True},
        {"scoring": "viterbi", "bidirectional": True},
        {"cell": "gru"},
    ],
    ids=str,
)
def test_of_two_labels_that_both_fit_the_first_is_the_prediction(chosen: dict[str, object]) -> None:
    machines = machines_of("[x]\n$* a $*\n[y]\n$* b $*")
    texts = [("a", "b"), ("b", "a"), ("a", "a", "b"), ("b", "c", "a", "c"), ("b", "c")]
    network = network_of(machines, backwards=bool(chosen.get("bidirectional")), **chosen)
    outputs = run_network(network, [VOCABULARY.encode(text) for text in texts], abstain=True, near=UNTRAINED_NEAR)
    assert outputs.predictions.tolist() == [0, 0, 0, 0, 1]


@settings(max_examples=40, deadline=None)
@given(random_machines(most=1), sentences(4))
def test_recurrence_without_clamp_counts_paths(machines: Machines, text: oracles.Sentence) -> None:
    """Sum-product with all weights 1 gives the number of paths; max-product tells whether there is one."""
    factors = exact_factors(machines, VOCABULARY)
    weights = Weights(*(torch.from_numpy(part.copy()) for part in (factors.sources, factors.targets, factors.wildcard)))
    words = torch.from_numpy(factors.words[VOCABULARY.encode(text)])[None]
    start, final = torch.from_numpy(factors.start.copy()), torch.from_numpy(factors.final.copy())
    paths = oracles.count_paths(pseudo_dfa(machines.machines[0].tree), text)

    def score(semiring: SumProduct | MaxProduct) -> float:
        last = last_states(lambda state, word: semiring.step(weights, state, word), start, words, [len(text)])
        return float(semiring.end(last, final)[0, 0])

    assert score(SumProduct()) == paths
    assert (score(MaxProduct()) > 0) == (paths > 0)
    assert score(MaxProduct()) <= score(SumProduct())


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**31 - 1))
def test_semirings_by_plain_loops(states: int, rank: int, batch: int, seed: int) -> None:
    random = torch.Generator().manual_seed(seed)
    sources, targets, wildcard, state, word = (
        torch.randn(*shape, generator=random, dtype=torch.float64)
        for shape in ((states, rank), (states, rank), (states, states), (batch, states), (batch, rank))
    )
    matrix = torch.einsum("br,ir,jr->bij", word, sources, targets) + wildcard
    walked = state[:, :, None] * matrix  # [batch, sources, targets]
    weights = Weights(sources, targets, wildcard)
    assert torch.allclose(SumProduct().step(weights, state, word), walked.sum(1))
    assert torch.allclose(MaxProduct().step(weights, state, word), walked.amax(1))
    pairs = torch.cartesian_prod(torch.arange(states), torch.arange(states)).reshape(-1, 2)
    arcs = ArcWeights(pairs[:, 0], pairs[:, 1])
    flat = matrix[:, pairs[:, 0], pairs[:, 1]]
    assert torch.allclose(SumProduct().arc_step(arcs, state, flat), walked.sum(1))
    assert torch.allclose(MaxProduct().arc_step(arcs, state, flat), walked.amax(1).clamp(min=0))


def test_batches_hold_every_sentence_once_longest_first() -> None:
    codes = [[1] * length for length in (3, 0, 5, 5, 1, 2, 8)]
    for batches in (batches_by_length(codes, 3, CPU), list(shuffled_batches(codes, 3, CPU, torch.Generator()))):
        assert sorted(place for numbered in batches for place in numbered.places) == list(range(len(codes)))
        for numbered in batches:
            lengths = [len(codes[place]) for place in numbered.places]
            assert numbered.batch.lengths == lengths == sorted(lengths, reverse=True)
            assert numbered.batch.words.shape == (len(lengths), max(lengths))
    assert targets_of([2, 0], torch.tensor([5, 6, 7])).tolist() == [7, 5]
