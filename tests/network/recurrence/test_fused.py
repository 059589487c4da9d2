"""The fused recurrence and the shared prefixes against the plain loop with torch's own gradients."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.fused_samples import (
    FORMS,
    MANY,
    SENTENCES,
    SMALL,
    assert_same_gradients,
    batch_of,
    gradients,
    network_of,
    plain,
)
from torch import Tensor

from re2nn_core.network.recurrence.batch import Batch, reading_order
from re2nn_core.network.recurrence.fused import GroupedWeights, fused_last_states
from re2nn_core.network.recurrence.groups import WIDTH, Groups, Whole
from re2nn_core.network.recurrence.prefixes import prefixes_of


@pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_gradients_are_those_of_the_plain_loop(rules: str, form: dict[str, object]) -> None:
    batch = batch_of(rules, SENTENCES, in_context=form.get("vectors") == "context")
    found, by_fused = gradients(network_of(rules, **form), batch)
    wanted, by_loop = gradients(plain(network_of(rules, **form)), batch)
    assert torch.allclose(found, wanted, rtol=1e-10, atol=1e-10)
    assert_same_gradients(by_fused, by_loop)


@pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])
def test_much_is_clamped_in_these_networks(rules: str) -> None:
    """So that the tests above see the gradient outside [0, 1], on both sides."""
    states = torch.cat(plain(network_of(rules)).run(batch_of(rules, SENTENCES)), 1)
    assert 0.05 < float((states == 0).double().mean()) < 0.9
    assert 0.02 < float((states == 1).double().mean()) < 0.9


def test_many_machines_are_grouped_and_few_are_not() -> None:
    groups = network_of(MANY).reader.groups
    assert isinstance(groups, Groups)
    assert groups.count > 3
    assert groups.width == WIDTH
    assert isinstance(network_of(SMALL).reader.groups, Whole)
    assert isinstance(network_of(MANY, block_diagonal=False).reader.groups, Whole)
    assert isinstance(network_of(MANY, extra_states=1).reader.groups, Whole)


@pytest.mark.parametrize("chosen", [{"scoring": "viterbi"}, {"cell": "gru"}, {"decomposed": False}], ids=str)
def test_other_recurrences_go_step_by_step(chosen: dict[str, object]) -> None:
    assert not network_of(SMALL, **chosen).fused


def test_groups_hold_every_state_and_term_once() -> None:
    reader = network_of(MANY).reader
    assert isinstance(reader.groups, Groups)
    states, rank = reader.sources.shape
    numbered = torch.arange(1.0, states + 1, dtype=torch.float64)
    by_group = reader.groups.states.reshape(reader.groups.count, -1)
    assert torch.equal(reader.groups.last((by_group + 1.0)[:, None]), numbered[None])
    weights = reader.groups.weights(reader.start, reader.weights())
    for found, wanted in (
        (weights.sources, reader.weights().sources),
        (weights.targets, reader.weights().targets),
        (weights.wildcard, reader.weights().wildcard),
    ):
        assert torch.equal(found[found != 0].sort().values, wanted[wanted != 0].sort().values)
    assert len(set(reader.groups.terms.tolist())) == rank


def test_gradient_is_checked_by_torch_itself() -> None:
    """At weights so small that nothing is clamped."""
    random = torch.Generator().manual_seed(1)

    def part(*shape: int) -> Tensor:
        return (0.05 + 0.2 * torch.rand(shape, generator=random, dtype=torch.float64)).requires_grad_()

    running, batch = (3, 2, 2, 1), 4
    parts = part(2, sum(running), 3), part(2, 4), part(2, 4, 3), part(2, 4, 4), part(2, 3, 4)

    def last(terms: Tensor, start: Tensor, sources: Tensor, wildcard: Tensor, targets: Tensor) -> Tensor:
        return fused_last_states(GroupedWeights(start, sources, wildcard, targets), terms, running, batch, 0.1)

    states = last(*parts).detach()
    assert 0 < float(states.min()) < float(states.max()) < 1
    assert torch.autograd.gradcheck(last, parts)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(("a", "b", "z")), max_size=5).map(" ".join), min_size=1, max_size=12))
def test_shared_prefixes_change_no_state(sentences: list[str]) -> None:
    for network in NETWORKS:
        batch = batch_of(SMALL, sentences)
        with torch.no_grad():
            shared = network.run(batch)
        for one, wanted in zip(shared, network.run(batch), strict=True):
            assert torch.allclose(one, wanted, atol=1e-12)


NETWORKS = [network_of(SMALL), network_of(SMALL, bidirectional=True, block_diagonal=False, extra_states=1)]


def test_each_prefix_is_read_once() -> None:
    batch = batch_of(SMALL, ["a b c", "a b d", "a b", "b", "a b c", ""])
    prefixes = prefixes_of(batch)
    assert prefixes.sizes == [2, 1, 2]
    assert len(prefixes.words) == 5
    assert prefixes.ends.tolist()[:4] in ([0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0])


def test_reading_order_leaves_out_what_is_behind_the_end() -> None:
    batch = Batch(torch.tensor([[1, 2, 3, 9], [4, 5, 9, 9], [6, 9, 9, 9], [9, 9, 9, 9]]), [3, 2, 1, 0])
    order = reading_order(batch)
    assert batch.words.reshape(-1)[order.places].tolist() == [1, 4, 6, 2, 5, 3]
    assert order.running == [3, 2, 1]
