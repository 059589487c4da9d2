"""The chain of tags against all sequences one by one, at random weights and several lengths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
import torch
from support.networks.tagger_samples import (
    EXACT_FORMS,
    TRIP,
    TRIP_TEXTS,
    predictions_of,
    system_of,
    tagger_of,
    vocabulary_of,
)
from torch import Tensor

from re2nn_core.network.slot_filling import crf as module
from re2nn_core.network.slot_filling.crf import LinearChain, mean_chain

TAGS = 3
LENGTHS = (4, 3, 1, 0)
Sequences = dict[tuple[int, ...], float]


def chain_of(seed: int, size: float = 1.0, tags: int = TAGS) -> LinearChain:
    """A chain with random weights, in double precision."""
    random = torch.Generator().manual_seed(seed)
    chain = LinearChain(tags).double()
    with torch.no_grad():
        for parameter in chain.parameters():
            parameter.copy_(size * torch.randn(parameter.shape, generator=random, dtype=torch.float64))
    return chain


def inside_of(lengths: Sequence[int]) -> Tensor:
    return torch.arange(max(lengths, default=0)) < torch.tensor(lengths, dtype=torch.long)[:, None]


def emissions_of(lengths: Sequence[int], seed: int, size: float = 1.0, tags: int = TAGS) -> Tensor:
    """Random ones, behind the end of a sentence as well."""
    random = torch.Generator().manual_seed(100 + seed)
    return size * torch.randn(len(lengths), max(lengths, default=0), tags, generator=random, dtype=torch.float64)


def scores_of(chain: LinearChain, emissions: Tensor, length: int) -> Sequences:
    """The score of every sequence of tags of a sentence, by the definition; emissions [time, tags]."""
    found = {}
    for tags in product(range(emissions.shape[1]), repeat=length):
        score = sum(float(emissions[time, tag]) for time, tag in enumerate(tags))
        score += sum(float(chain.transitions[a, b]) for a, b in zip(tags[:-1], tags[1:], strict=True))
        if tags:
            score += float(chain.start[tags[0]]) + float(chain.end[tags[-1]])
        found[tags] = score
    return found


def shares_of(scores: Sequences) -> Sequences:
    """The probability of every sequence."""
    weights = torch.softmax(torch.tensor(list(scores.values()), dtype=torch.float64), 0).tolist()
    return dict(zip(scores, weights, strict=True))


@pytest.fixture(params=[(0, 1.0), (1, 1.0), (2, 8.0), (3, 100.0)], ids=lambda chosen: f"size {chosen[1]}")
def drawn(request: pytest.FixtureRequest) -> tuple[LinearChain, Tensor]:
    """A chain and emissions; the last weights are so far apart that sums of their exponentials lose most of them."""
    seed, size = request.param
    with torch.no_grad():
        yield chain_of(seed, size), emissions_of(LENGTHS, seed, size)


def test_likelihoods_are_shares_of_all_sequences(drawn: tuple[LinearChain, Tensor]) -> None:
    chain, emissions = drawn
    inside = inside_of(LENGTHS)
    for row, length in enumerate(LENGTHS):
        scores = scores_of(chain, emissions[row], length)
        total = torch.logsumexp(torch.tensor(list(scores.values()), dtype=torch.float64), 0)
        for tags, score in scores.items():
            padded = torch.zeros(len(LENGTHS), max(LENGTHS), dtype=torch.long)
            padded[row, :length] = torch.tensor(tags, dtype=torch.long)
            likelihood = chain.log_likelihood(emissions, padded, inside)[row]
            assert float(likelihood) == pytest.approx(score - float(total), abs=1e-9)


def test_marginals_are_sums_over_sequences(drawn: tuple[LinearChain, Tensor]) -> None:
    chain, emissions = drawn
    found = chain.marginals(emissions, inside_of(LENGTHS))
    wanted = torch.zeros_like(emissions)
    for row, length in enumerate(LENGTHS):
        for tags, share in shares_of(scores_of(chain, emissions[row], length)).items():
            for time, tag in enumerate(tags):
                wanted[row, time, tag] += share
    assert torch.allclose(found, wanted, atol=1e-9)


def test_the_best_sequence_has_the_highest_score(drawn: tuple[LinearChain, Tensor]) -> None:
    chain, emissions = drawn
    found = chain.best(emissions, inside_of(LENGTHS))
    for row, length in enumerate(LENGTHS):
        scores = scores_of(chain, emissions[row], length)
        best = max(scores, key=scores.__getitem__)
        assert found[row].tolist() == [*best, *[0] * (max(LENGTHS) - length)]


@pytest.mark.parametrize("lengths", [(1,), (2, 2), (5, 1, 1), (3, 0, 0)], ids=str)
def test_what_is_behind_the_end_counts_for_nothing(lengths: tuple[int, ...]) -> None:
    chain, inside, emissions = chain_of(7), inside_of(lengths), emissions_of(lengths, 7)
    padded = torch.nn.functional.pad(inside, (0, 2))
    longer = torch.cat([emissions, torch.full((len(lengths), 2, TAGS), 50.0, dtype=torch.float64)], 1)
    tags = torch.randint(0, TAGS, inside.shape, generator=torch.Generator().manual_seed(1)) * inside
    further = torch.nn.functional.pad(tags, (0, 2))
    for one, other in (
        (chain.log_likelihood(emissions, tags, inside), chain.log_likelihood(longer, further, padded)),
        (chain.marginals(emissions, inside), chain.marginals(longer, padded)[:, : inside.shape[1]]),
        (chain.best(emissions, inside), chain.best(longer, padded)[:, : inside.shape[1]]),
    ):
        assert torch.allclose(one, other)
    assert not chain.marginals(longer, padded)[~padded].any()
    assert not chain.best(longer, padded)[~padded].any()


@pytest.mark.parametrize("lengths", [(), (0,), (0, 0), (2, 0)], ids=str)
def test_sentences_without_words(lengths: tuple[int, ...]) -> None:
    """They have one sequence of tags, the empty one, which is certain, and no gradient."""
    chain, inside, emissions = chain_of(1), inside_of(lengths), emissions_of(lengths, 1).requires_grad_()
    likelihood = chain.log_likelihood(emissions, torch.zeros_like(inside, dtype=torch.long), inside)
    assert likelihood[[place for place, length in enumerate(lengths) if not length]].tolist() == [0.0] * lengths.count(
        0
    )
    likelihood.sum().backward()
    assert emissions.grad is not None
    assert not emissions.grad[~inside].any()
    assert chain.marginals(emissions, inside).shape == emissions.shape
    assert chain.best(emissions, inside).shape == inside.shape
    assert chain.best(emissions, inside).dtype == torch.long


class Likelihood(torch.nn.Module):
    """The likelihood of some tags as a function of emissions and the chain's weights."""

    def __init__(self) -> None:
        super().__init__()
        self.chain = chain_of(4)

    def forward(self, emissions: Tensor) -> Tensor:
        tags = torch.tensor([[0, 2, 1], [1, 1, 0], [0, 0, 0]])
        return self.chain.log_likelihood(emissions, tags, inside_of((3, 2, 0)))


def test_gradients() -> None:
    """By finite differences, for all weights and emissions."""
    network = Likelihood()
    names = [name for name, _ in network.named_parameters()]

    def likelihood(emissions: Tensor, *weights: Tensor) -> Tensor:
        return torch.func.functional_call(network, dict(zip(names, weights, strict=True)), emissions)

    emissions = emissions_of((3, 2, 0), 4).requires_grad_()
    assert torch.autograd.gradcheck(likelihood, (emissions, *network.parameters()))


@pytest.mark.parametrize("size", [0.0, 5.0, 1000.0])
def test_single_precision_is_enough(size: float) -> None:
    """Also where transitions are further apart than exponentials of single precision reach, and in long texts."""
    exact, plain = chain_of(2, size), LinearChain(TAGS)
    plain.load_state_dict({name: value.float() for name, value in exact.state_dict().items()})
    exact.load_state_dict({name: value.double() for name, value in plain.state_dict().items()})
    emissions = (emissions_of((300,), 2, 3.0) + 1000).float()
    inside = inside_of((300,))
    tags = exact.best(emissions.double(), inside)
    with torch.no_grad():
        shares = plain.marginals(emissions, inside).double()
        assert torch.equal(plain.best(emissions, inside), tags)
        assert torch.allclose(shares, exact.marginals(emissions.double(), inside), atol=1e-3)
        assert torch.allclose(shares.sum(2), torch.ones(1, 300, dtype=torch.float64), atol=1e-5)
        # The likelihood is a difference of two sums of about 300,000, which have about three digits behind the point.
        wanted = float(exact.log_likelihood(emissions.double(), tags, inside))
        assert float(plain.log_likelihood(emissions, tags, inside)) == pytest.approx(wanted, abs=0.5)


def test_a_step_that_is_all_but_forbidden_is_taken_where_words_demand_it() -> None:
    """exp(-200) is nothing in single precision, and yet no other sequence comes near."""
    chain, inside = LinearChain(2), inside_of((3,))
    emissions = torch.tensor([[[1000.0, 0.0], [0.0, 1000.0], [1000.0, 0.0]]])
    with torch.no_grad():
        chain.transitions[0, 1] = -200
        tags = torch.tensor([[0, 1, 0]])
        assert chain.log_likelihood(emissions, tags, inside).tolist() == [0.0]
        assert chain.marginals(emissions, inside).tolist() == [[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]
        assert torch.equal(chain.best(emissions, inside), tags)


def test_small_differences_decide_in_long_texts() -> None:
    """As between tags with equal votes; the score of the whole text is so large that it has no such digits."""
    random = torch.Generator().manual_seed(3)
    emissions = 100 + 0.001 * torch.randint(0, 4, (1, 2000, 5), generator=random).float()
    inside = inside_of((2000,))
    assert torch.equal(LinearChain(5).best(emissions, inside), emissions.argmax(2))


def test_both_ways_to_add_up_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chain, emissions, inside = chain_of(3), emissions_of(LENGTHS, 3), inside_of(LENGTHS)
    tags = torch.zeros_like(inside, dtype=torch.long)
    by_product = chain.log_likelihood(emissions, tags, inside)
    monkeypatch.setattr(module, "FAR_APART", 0.0)
    assert torch.allclose(chain.log_likelihood(emissions, tags, inside), by_product, atol=1e-12)


def test_a_chain_starts_neutral() -> None:
    chain, inside, emissions = LinearChain(TAGS).double(), inside_of(LENGTHS), emissions_of(LENGTHS, 5)
    assert torch.equal(chain.best(emissions, inside), emissions.argmax(2) * inside)
    shares = torch.softmax(emissions, 2) * inside[:, :, None]
    assert torch.allclose(chain.marginals(emissions, inside), shares)
    tags = torch.ones_like(inside, dtype=torch.long) * inside
    by_itself = (torch.log_softmax(emissions, 2)[:, :, 1] * inside).sum(1)
    assert torch.allclose(chain.log_likelihood(emissions, tags, inside), by_itself)


def test_of_equal_tags_the_first_is_taken() -> None:
    emissions = torch.tensor([[[0.0, 1.0, 1.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]]])
    assert LinearChain(TAGS).best(emissions, inside_of((3,))).tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("form", [form for form in EXACT_FORMS if "decoding" not in form], ids=str)
def test_a_neutral_chain_changes_no_prediction_of_a_tagger(form: dict[str, object]) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    alone, chained = (tagger_of(system, vocabulary, **form, decoding=decoding) for decoding in ("softmax", "crf"))
    assert predictions_of(alone, vocabulary, TRIP_TEXTS) == predictions_of(chained, vocabulary, TRIP_TEXTS)
    assert chained.chain is not None
    with torch.no_grad():
        chained.chain.transitions[:, chained.tags.index("B-city")] -= 100
    said = predictions_of(chained, vocabulary, TRIP_TEXTS)
    assert "B-city" in {tags[0] for tags in said if tags}
    assert "B-city" not in {tag for tags in said for tag in tags[1:]}


def test_the_mean_of_chains_gives_each_sequence_the_geometric_mean_of_what_they_give() -> None:
    chains = [chain_of(seed) for seed in range(3)]
    emissions = [emissions_of([3], seed)[0] for seed in range(3)]
    with torch.no_grad():
        every = [scores_of(chain, part, 3) for chain, part in zip(chains, emissions, strict=True)]
        joined = scores_of(mean_chain(chains), torch.stack(emissions).mean(0), 3)
    for tags, score in joined.items():
        assert score == pytest.approx(sum(one[tags] for one in every) / 3)
