"""The network after training, against plain loops over states and words; gradients against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
from support.networks.machine_samples import machines_of, vocabulary_for
from torch import Tensor

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence import recurrent_layer as reader_module
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.network.recurrence.semiring_loop import MaxProduct
from re2nn_core.tensors.factors import exact_factors
from re2nn_core.tensors.machines import reversed_machines

TEXT = "[x]\none := a b* | $ c\n[y]\ntwo := $* d\n"
SENTENCES = (("a", "b", "b"), ("c", "d", "e"), ("a", "b"), ("d",), ())
FORMS = (
    {},
    {"scoring": "viterbi"},
    {"block_diagonal": False},
    {"train_words": True, "rule_weight": 0.4},
    {"decomposed": False},
    {"decomposed": False, "scoring": "viterbi"},
)


def small_network(seed: int = 0, **chosen: object) -> FaRnn:
    """A network in double precision with two extra states, word vectors, and weights anywhere in (0.02, 0.35), or in
    (0.02, 0.15) where all states are joined."""
    machines, vocabulary = machines_of(TEXT), vocabulary_for(TEXT, ("e",))
    random = np.random.default_rng(seed)
    vectors = random.uniform(0.1, 0.5, size=(len(vocabulary), 2)).astype(np.float32)
    config = NetworkConfig(**{"vectors": "none", "extra_states": 2, "dropout": 0.0, **chosen})
    backwards = exact_factors(reversed_machines(machines), vocabulary) if config.bidirectional else None
    network = FaRnn(exact_factors(machines, vocabulary), machines.logic, vectors, config, backwards).double().eval()
    largest = 0.35 if config.block_diagonal else 0.15
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.from_numpy(random.uniform(0.02, largest, size=parameter.shape)))
    return network


def codes() -> list[list[int]]:
    vocabulary = vocabulary_for(TEXT, ("e",))
    return [vocabulary.encode(sentence) for sentence in sorted(SENTENCES, key=len, reverse=True)]


def matrix_of(reader: RecurrentLayer, word: int) -> np.ndarray:
    """[states, states]: what one word does, entry by entry."""
    states = len(reader.start)
    term = reader.word_terms(torch.tensor([word]))[0].detach().numpy()
    if not reader.decomposed:
        matrix = np.zeros((states, states))
        for arc, (source, target) in enumerate(
            zip(reader.arc_sources.tolist(), reader.arc_targets.tolist(), strict=True)
        ):
            matrix[source, target] += term[arc]
        return matrix
    weights = reader.weights()
    sources, targets, wildcard = (
        part.detach().numpy() for part in (weights.sources, weights.targets, weights.wildcard)
    )
    return np.asarray(
        [
            [
                sum(term[r] * sources[i, r] * targets[j, r] for r in range(len(term))) + wildcard[i, j]
                for j in range(states)
            ]
            for i in range(states)
        ]
    )


def plain_machine_scores(reader: RecurrentLayer, code: list[int]) -> list[float]:
    """One sentence, state by state."""
    combine = max if isinstance(reader.semiring, MaxProduct) else sum
    state = reader.start.detach().tolist()
    for word in code:
        matrix = matrix_of(reader, word)
        state = [clamped(combine(state[i] * matrix[i, j] for i in range(len(state)))) for j in range(len(state))]
    final = (reader.final * reader.final_mask).detach().tolist()
    return [clamped(combine(value * weight for value, weight in zip(state, row, strict=True))) for row in final]


def clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_batched_network_is_the_plain_loop(form: dict[str, object]) -> None:
    network = small_network(**form)
    with torch.no_grad():
        scores = network.machine_scores(network.run(make_batch(codes(), torch.device("cpu"))))
    wanted = np.asarray([plain_machine_scores(network.reader, code) for code in codes()])
    assert np.abs(scores.numpy() - wanted).max() < 1e-9
    assert 0.01 < wanted.max() < 1


def test_two_readers_are_averaged() -> None:
    network = small_network(bidirectional=True)
    with torch.no_grad():
        scores = network.machine_scores(network.run(make_batch(codes(), torch.device("cpu"))))
    forwards = np.asarray([plain_machine_scores(network.reader, code) for code in codes()])
    backwards = np.asarray([plain_machine_scores(network.backward_reader, code[::-1]) for code in codes()])
    assert np.abs(scores.numpy() - (forwards + backwards) / 2).max() < 1e-9


def weighted_logits(network: FaRnn) -> Tensor:
    """One number from all logits, each with a weight of its own."""
    logits = network(make_batch(codes(), torch.device("cpu")))
    return (logits * torch.linspace(0.3, 1.7, logits.numel(), dtype=torch.float64).reshape(logits.shape)).sum()


def entries(network: FaRnn) -> Iterator[tuple[str, Tensor, int]]:
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            for place in range(parameter.numel()):
                yield name, parameter, place


@pytest.mark.parametrize("form", [*FORMS, {"cell": "gru"}, {"bidirectional": True}], ids=str)
def test_gradients_are_finite_differences(form: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """At weights so small that nothing is clamped, which is checked."""
    seen: list[Tensor] = []

    def watched(values: Tensor, leak: float) -> Tensor:
        seen.append(values.detach())
        return clamp_with_slope(values, leak)

    monkeypatch.setattr(reader_module, "clamp_with_slope", watched)
    network = small_network(**form)
    weighted_logits(network).backward()
    assert all(values.min() >= 0 and values.max() < 1 for values in seen)
    checked = 0
    for name, parameter, place in entries(network):
        assert parameter.grad is not None, name
        gradient = float(parameter.grad.reshape(-1)[place])
        assert gradient == pytest.approx(difference(network, parameter, place), rel=1e-4, abs=1e-6), f"{name} {place}"
        checked += gradient != 0
    assert checked > 50


def difference(network: FaRnn, parameter: Tensor, place: int, step: float = 1e-6) -> float:
    """The central difference at one entry of a parameter."""
    values = []
    with torch.no_grad():
        flat = parameter.view(-1)
        before = float(flat[place])
        for sign in (1, -1):
            flat[place] = before + sign * step
            values.append(float(weighted_logits(network)))
        flat[place] = before
    return (values[0] - values[1]) / (2 * step)


@pytest.mark.parametrize("leak", [0.0, 0.1, 1.0])
def test_clamp_leaks_outside_and_passes_inside(leak: float) -> None:
    values = torch.tensor([-2.0, -1e-3, 0.0, 0.25, 1.0, 1.001, 7.0], requires_grad=True)
    clamped_values = clamp_with_slope(values, leak)
    assert clamped_values.tolist() == pytest.approx([0, 0, 0, 0.25, 1, 1, 1])
    (clamped_values * torch.arange(1.0, 8.0)).sum().backward()
    assert values.grad is not None
    assert values.grad.tolist() == pytest.approx([leak * 1, leak * 2, 3, 4, 5, leak * 6, leak * 7])


def test_clamp_inside_is_checked_by_torch_itself() -> None:
    inside = torch.linspace(0.1, 0.9, 7, dtype=torch.float64, requires_grad=True)
    check: Callable[..., bool] = torch.autograd.gradcheck
    assert check(lambda values: clamp_with_slope(values, 0.1), (inside,))


def test_entries_that_blocks_forbid_never_get_a_gradient() -> None:
    network = small_network()
    weighted_logits(network).backward()
    reader = network.reader
    for parameter, mask in (
        (reader.sources, reader.source_mask),
        (reader.targets, reader.target_mask),
        (reader.wildcard, reader.wildcard_mask),
        (reader.final, reader.final_mask),
    ):
        assert parameter.grad is not None
        assert (mask == 0).any()
        assert (parameter.grad[mask == 0] == 0).all()
