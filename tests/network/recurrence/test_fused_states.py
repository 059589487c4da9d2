"""Both directions of a tagger in one run: against the plain loop with torch's own gradients, and against loops over
states, arc by arc."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import batch_of, disturbed, system_of, tagger_of, vocabulary_of
from torch import Tensor

from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.fused import GroupedWeights
from re2nn_core.network.recurrence.fused_states import both_weights, fused_all_states, turned
from re2nn_core.network.recurrence.groups import Groups, Whole
from re2nn_core.network.slot_filling.recurrent_layer import TransducerLayer, word_order
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.text.vocabulary import Vocabulary

WORDS = ("a", "b", "c", "d", "e", "f")  # and z, which is unknown and so has the number that also fills up batches
SMALL = "[slots]\none := a [ b* ]<x> | $ [ c ]<y>\ntwo := $* [ d $? ]<x> e?\n"
# Enough machines to be put into groups.
MANY = "[slots]\n" + "\n".join(
    f"$* {' '.join(WORDS[(n * k) % 6] for k in range(1, 2 + n % 4))} [ {WORDS[n % 5]} $? ]<s{n % 3}> $*"
    for n in range(24)
)
TEXTS = [tuple(text.split()) for text in ("a z z", "a b c d", "a b c d", "f e d c b a", "a b b", "f e", "a", "", "")]
FORMS: tuple[dict[str, object], ...] = (
    {},
    {"transducer": "ifst"},
    {"clamp_gradient_slope": 0.0},
    {"clamp_gradient_slope": 1.0},
    {"block_diagonal": False},
    {"extra_states": 3},
    {"extra_states": 2, "block_diagonal": False},
    {"vectors": "given"},
    {"vectors": "given", "train_words": True, "rule_weight": 0.4},
    {"vectors": "context"},
    {"vectors": "context", "rule_weight": 0.3, "transducer": "ifst"},
    {"train_wildcard": False, "train_ends": False},
)
forms = pytest.mark.parametrize("form", FORMS, ids=str)
both = pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])


def network_of(rules: str, **form: object) -> tuple[FstRnn, Vocabulary]:
    """A tagger in double precision with weights on both sides of 0, so that much is clamped."""
    system = system_of(rules)
    vocabulary = vocabulary_of(system, [WORDS])
    return disturbed(tagger_of(system, vocabulary, **{"dropout": 0.0, **form}).double(), 0.3), vocabulary


def batch_for(network: FstRnn, vocabulary: Vocabulary, texts: Sequence[tuple[str, ...]]) -> Batch:
    """The texts; where words are read in context, with a vector of its own for each of them."""
    batch = batch_of(vocabulary, texts)
    if network.config.vectors != "context":
        return batch
    random = torch.Generator().manual_seed(4)
    return replace(batch, context=torch.randn(sum(batch.lengths), 3, generator=random, dtype=torch.float64))


def without_groups(network: FstRnn) -> FstRnn:
    network.reader.groups = None
    return network


def results(network: FstRnn, batch: Batch) -> tuple[list[Tensor], dict[str, Tensor]]:
    """Both states and logits, and the gradients of all parameters for a sum with a weight for each of these numbers."""
    alpha, beta = network.reader.both_states(batch, word_order(batch))
    parts = [alpha, beta, network(batch)]
    total = sum((part * torch.linspace(-1, 1, part.numel()).to(part).view_as(part)).sum() for part in parts)
    total.backward()
    return [part.detach() for part in parts], {n: p.grad for n, p in network.named_parameters() if p.grad is not None}


@both
@forms
def test_states_and_gradients_are_those_of_the_plain_loop(rules: str, form: dict[str, object]) -> None:
    network, vocabulary = network_of(rules, **form)
    batch = batch_for(network, vocabulary, TEXTS)
    grouped = rules == MANY and not {"block_diagonal", "extra_states"} & set(form)
    assert isinstance(network.reader.groups, Groups if grouped else Whole)
    found, by_fused = results(network, batch)
    wanted, by_loop = results(without_groups(network_of(rules, **form)[0]), batch)
    for one, other in zip(found, wanted, strict=True):
        assert torch.allclose(one, other, rtol=1e-10, atol=1e-10)
    assert by_fused.keys() == by_loop.keys()
    for name, gradient in by_loop.items():
        tolerance = 1e-9 * float(gradient.abs().max() + 1)
        assert torch.allclose(by_fused[name], gradient, rtol=1e-8, atol=tolerance), name


@both
def test_much_is_clamped_in_these_networks(rules: str) -> None:
    """So that the test above sees the gradient outside [0, 1], on both sides, in both directions."""
    network, vocabulary = network_of(rules)
    batch = batch_for(network, vocabulary, TEXTS)
    for states in network.reader.both_states(batch, word_order(batch)):
        assert 0.05 < float((states == 0).double().mean()) < 0.9
        assert 0.02 < float((states == 1).double().mean()) < 0.9


def matrices(reader: TransducerLayer, terms: np.ndarray) -> list[np.ndarray]:
    """Of each word [states, states]: what it adds to each state from each, entry by entry."""
    parts = reader.weights()
    sources, targets, wildcard = (part.detach().numpy() for part in (parts.sources, parts.targets, parts.wildcard))
    found = []
    for term in terms:
        matrix = wildcard.copy()
        for source in range(len(wildcard)):
            for target in range(len(wildcard)):
                matrix[source, target] += sum(sources[source] * term * targets[target])
        found.append(matrix)
    return found


@pytest.mark.parametrize("form", [*FORMS[:1], *FORMS[5:9], {"activation": "tanh"}, {"activation": "none"}], ids=str)
def test_states_by_loops_over_arcs(form: dict[str, object]) -> None:
    """alpha in front of and behind each word, and beta, one sentence after the other, straight from the formulas."""
    network, vocabulary = network_of(SMALL, **form)
    reader, config = network.reader, network.config
    batch = batch_for(network, vocabulary, TEXTS)
    order = word_order(batch)
    alpha, beta = (network.padded(states.detach(), order, batch) for states in reader.both_states(batch, order))
    squash = {"clamp": lambda x: x.clip(0, 1), "tanh": np.tanh, "none": lambda x: x}[config.activation]
    start, final = reader.start.detach().numpy(), (reader.final * reader.final_mask).sum(0).detach().numpy()
    for row, length in enumerate(batch.lengths):
        arcs = matrices(reader, terms_of(reader, batch.words[row, :length]))
        left, right = [start], [final]
        for matrix in arcs:
            left.append(squash(left[-1] @ matrix))
        for matrix in reversed(arcs):
            right.append(squash(matrix @ right[-1]))
        for time in range(length):
            assert np.allclose(alpha[row, time], left[time + 1])
            assert np.allclose(beta[row, time], right[length - 1 - time])


def terms_of(reader: TransducerLayer, words: Tensor) -> np.ndarray:
    """[words, rank]: v = E_R[x] + u G, or the mixture of equation 3."""
    factors, vectors, matrix = (
        part.detach().numpy() for part in (reader.word_factors, reader.vectors, reader.vector_map)
    )
    eta = reader.config.rule_weight
    found = []
    for word in words.tolist():
        mapped = vectors[word] @ matrix
        found.append(factors[word] + mapped if eta is None else eta * factors[word] + (1 - eta) * mapped)
    return np.array(found)


def test_words_in_context_have_vectors_of_their_own() -> None:
    """The same sentence with the vectors that its words have everywhere gives the states of these."""
    network, vocabulary = network_of(SMALL, vectors="context")
    static, _ = network_of(SMALL, vectors="given")
    static.load_state_dict(network.state_dict(), strict=False)
    reader, batch = network.reader, batch_of(vocabulary, TEXTS)
    order = word_order(batch)
    everywhere = reader.vectors[batch.words[batch.inside()]]
    found = reader.both_states(replace(batch, context=everywhere), order)
    for one, other in zip(found, static.reader.both_states(batch, order), strict=True):
        assert torch.allclose(one, other)
    others = reader.both_states(replace(batch, context=everywhere + 0.3), order)
    assert not torch.allclose(found[0], others[0], atol=0.01)
    assert not torch.allclose(found[1], others[1], atol=0.01)
    reader.context_mean.fill_(0.5)
    reader.context_scale.fill_(2.0)
    moved = replace(batch, context=everywhere / 2 + 0.5)
    for one, other in zip(found, reader.both_states(moved, order), strict=True):
        assert torch.allclose(one, other)
    beside = reader.auxiliary_vectors(moved, order)
    static_rows = reader.vectors[batch.words.reshape(-1)[order.places]]
    assert torch.allclose(beside, torch.cat([static_rows, static_rows], 1))
    assert torch.equal(reader.auxiliary_vectors(batch, order), beside)
    assert torch.equal(static.reader.auxiliary_vectors(batch, order), static_rows)
    assert beside.shape[1] == reader.auxiliary_dimensions == 2 * static.reader.auxiliary_dimensions


def test_gradient_is_checked_by_torch_itself() -> None:
    """At weights so small that nothing is clamped."""
    random = torch.Generator().manual_seed(1)

    def part(*shape: int) -> Tensor:
        return (0.05 + 0.2 * torch.rand(shape, generator=random, dtype=torch.float64)).requires_grad_()

    running = (3, 2, 2, 1)
    parts = part(2, sum(running), 3), part(2, 4), part(2, 4, 3), part(2, 4, 4), part(2, 3, 4)

    def states(terms: Tensor, start: Tensor, sources: Tensor, wildcard: Tensor, targets: Tensor) -> Tensor:
        return fused_all_states(GroupedWeights(start, sources, wildcard, targets), terms, running, 0.1)

    found = states(*parts).detach()
    assert found.shape == (2, 8, 4)
    assert 0 < float(found.min()) < float(found.max()) < 1
    assert torch.autograd.gradcheck(states, parts)
    words = parts[0].detach()
    assert torch.autograd.gradcheck(lambda *weights: states(words, *weights), parts[1:])


def test_two_runs_in_one() -> None:
    """The second one exchanges sources and targets and turns the wildcard around."""
    random = torch.Generator().manual_seed(1)
    start, final = torch.rand(2, 4, generator=random), torch.rand(2, 4, generator=random)
    sources, wildcard, targets = (torch.rand(*shape, generator=random) for shape in ((2, 4, 3), (2, 4, 4), (2, 3, 4)))
    weights = GroupedWeights(start, sources, wildcard, targets)
    other = turned(weights, final)
    assert torch.equal(other.start, final)
    assert torch.equal(other.sources[0], targets[0].T)
    assert torch.equal(other.wildcard[1], wildcard[1].T)
    assert torch.equal(other.targets[0], sources[0].T)
    pair = both_weights(weights, other)
    assert torch.equal(pair.sources, torch.cat([sources, targets.transpose(1, 2)]))
    assert (pair.start.shape, pair.wildcard.shape, pair.targets.shape) == ((4, 4), (4, 4, 4), (4, 3, 4))


def test_no_words() -> None:
    weights = GroupedWeights(torch.ones(2, 4), torch.ones(2, 4, 3), torch.ones(2, 4, 4), torch.ones(2, 3, 4))
    assert fused_all_states(weights, torch.ones(2, 0, 3), [], 0.1).shape == (2, 0, 4)


@forms
@pytest.mark.parametrize("texts", [[], [()], [(), ()]], ids=str)
def test_sentences_without_words(form: dict[str, object], texts: list[tuple[str, ...]]) -> None:
    for network in (network_of(SMALL, **form)[0], without_groups(network_of(SMALL, **form)[0])):
        batch = batch_for(network, vocabulary_of(system_of(SMALL), [WORDS]), texts)
        alpha, beta = network.reader.both_states(batch, word_order(batch))
        assert alpha.shape == beta.shape == (0, len(network.reader.start))


def test_order_of_words_by_hand() -> None:
    """Of `1 2 3`, `4 5`, `6` and nothing; 9 is behind the end."""
    batch = Batch(torch.tensor([[1, 2, 3, 9], [4, 5, 9, 9], [6, 9, 9, 9], [9, 9, 9, 9]]), [3, 2, 1, 0])
    order = word_order(batch)
    read = batch.words.reshape(-1)[order.places]
    assert read.tolist() == [1, 4, 6, 2, 5, 3]
    assert order.running == [3, 2, 1]
    mirrored = read[order.mirrored]
    assert mirrored.tolist() == [3, 5, 6, 2, 4, 1]
    behind = [0, *mirrored.tolist()]  # what has been read from the right in front of each word, last; 0 for nothing
    assert [behind[place] for place in order.behind.tolist()] == [2, 5, 0, 3, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(3, 9), max_size=5), max_size=6))
def test_order_of_words_by_definition(codes: list[list[int]]) -> None:
    codes = sorted(codes, key=len, reverse=True)
    words = torch.zeros(len(codes), max(map(len, codes), default=0), dtype=torch.long)
    for row, one in enumerate(codes):
        words[row, : len(one)] = torch.tensor(one, dtype=torch.long)
    order = word_order(Batch(words, [len(one) for one in codes]))
    places = [(row, time) for time in range(words.shape[1]) for row, one in enumerate(codes) if time < len(one)]
    number = {place: count for count, place in enumerate(places)}
    assert order.places.tolist() == [row * words.shape[1] + time for row, time in places]
    assert order.running == [sum(len(one) > time for one in codes) for time in range(words.shape[1])]
    from_end = [(row, len(codes[row]) - 1 - time) for row, time in places]
    assert order.mirrored.tolist() == [number[place] for place in from_end]
    # Of the word behind: where the run from the right comes to it, one further for the state in front of that run.
    assert order.behind.tolist() == [number[row, back - 1] + 1 if back else 0 for row, back in from_end]
