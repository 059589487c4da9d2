"""The loss of the linear layer for slots, its slope, and the minimum that is found agree with torch's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from support.networks.tagger_samples import sample_project, sample_system

from re2nn_core.network.auxiliary.tag_linear import PLACES, TagLinear, scores_of, without_wildcard
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.crf import LinearChain
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.slot_filling import linear_fit
from re2nn_core.services.fine_tuning.slot_filling import read_words as read_module
from re2nn_core.services.fine_tuning.slot_filling.linear_fit import (
    RULES,
    TagLoss,
    by_name,
    fitted_layer,
    start_tables,
)
from re2nn_core.services.fine_tuning.slot_filling.read_words import features_of, read_words
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.tagged_examples import TagExamples
from re2nn_core.training.varied_texts import with_copies

INVERSE = 3.0
Named = dict[str, torch.Tensor]


@pytest.fixture(scope="module")
def sample() -> tuple[FstRnn, TagLinear, TagExamples]:
    """An untrained network with random vectors, its layer, and texts with slots."""
    system = sample_system("flight_slots")
    annotated = [one for one in sample_project("flight_slots").corpus if one.spans is not None][::12]
    texts = tagged_texts(annotated, system.tokenization)
    bundle = start_tagger(
        system, Corpus(tuple(annotated)), texts, TaggerConfig(vectors="none", auxiliary="none", linear=True)
    )
    torch.nn.init.normal_(bundle.network.reader.vectors, generator=torch.Generator().manual_seed(1))
    assert bundle.network.linear is not None
    return bundle.network, bundle.network.linear, TagEncoder(bundle).examples(texts)


def plain_loss(
    network: FstRnn, texts: TagExamples, weights: Named, chain: Named, inverse: float = INVERSE
) -> torch.Tensor:
    """The same by torch's own gradients, in double precision, one batch after another."""
    tags = len(weights["bias"])
    pulled = torch.zeros_like(weights["by_tag"])
    middle = PLACES.index(0) * tags
    pulled[:, middle : middle + tags].fill_diagonal_(RULES)
    moved = {**weights, **chain, "by_tag": weights["by_tag"] - pulled}
    value = torch.stack([part.square().sum() for part in moved.values()]).sum() / (2 * inverse)
    linear_chain = LinearChain(tags)
    for name, part in chain.items():
        delattr(linear_chain, name)
        setattr(linear_chain, name, part)
    for numbered, gold in texts.with_gold(network.device):
        read = network.word_features(numbered.batch)
        features = replace(read, vectors=read.vectors.detach().double(), emitted=read.emitted.detach().double())
        scores = without_wildcard(scores_of(features, weights, tags))
        value = value - linear_chain.log_likelihood(scores, gold, read.inside).sum()
    return value / len(texts)


def learning(parts: Named) -> Named:
    return {name: part.detach().double().requires_grad_() for name, part in parts.items()}


@pytest.mark.parametrize(("mean", "exact"), [(0.0, 1e-5), (-5.0, 1e-4)], ids=["usual", "below the wildcard"])
def test_value_and_slope_are_those_of_the_plain_loss(
    sample: tuple[FstRnn, TagLinear, TagExamples], mean: float, exact: float
) -> None:
    network, layer, texts = sample
    read = read_words(network, texts, len(layer.by_emitter))
    loss = TagLoss(
        read, features_of(read, len(layer.by_word), layer.tags), start_tables(layer, len(layer.by_vector)), INVERSE
    )
    moved = np.random.default_rng(1).normal(mean, 0.3, size=loss.pulled.flat.shape)
    flat = (loss.pulled.flat + moved).astype(np.float32)
    weights, chain = map(learning, by_name(loss.pulled.of(flat), layer))
    plain = plain_loss(network, texts, weights, chain)
    plain.backward()
    value, slope = loss(flat)
    assert value == pytest.approx(plain.item(), rel=1e-6)
    ours = by_name(loss.pulled.of(slope), layer)
    for parts, found in zip((weights, chain), ours, strict=True):
        assert parts.keys() == found.keys()
        for name, part in parts.items():
            assert part.grad is not None
            assert torch.allclose(found[name].double(), part.grad, rtol=1e-4, atol=exact), name


@pytest.mark.long
def test_the_loss_is_as_low_as_that_of_torch_s_optimizer(
    sample: tuple[FstRnn, TagLinear, TagExamples], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, layer, texts = sample
    monkeypatch.setattr(linear_fit, "MOST_C", INVERSE)
    monkeypatch.setattr(linear_fit, "C_OF_ONE", 1000.0)
    every = with_copies(texts, linear_fit.COPIES_SEED)
    inverse = INVERSE * len(texts) / len(every)  # a text and its copies count once
    weights, chain = map(learning, by_name(start_tables(layer, len(layer.by_vector)), layer))
    learned = [*weights.values(), *chain.values()]
    optimizer = torch.optim.LBFGS(learned, max_iter=60, history_size=10, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        value = plain_loss(network, every, weights, chain, inverse)
        value.backward()
        return value

    optimizer.step(closure)
    passes: list[int] = []
    found = [learning(part) for part in fitted_layer(network, layer, texts, passes.append)]
    reached = plain_loss(network, every, weights, chain, inverse).item()
    assert plain_loss(network, every, found[0], found[1], inverse).item() == pytest.approx(reached, rel=1e-3)
    assert passes == list(range(1, len(passes) + 1))


def test_words_of_one_number_have_vectors_of_their_own_in_their_sentences() -> None:
    numbers = np.array([4, 7, 4])
    apart = np.array([[1.0], [2.0], [3.0]], np.float32)
    vectors, which = read_module._distinct(numbers, apart)
    assert vectors[which].tolist() == [[1.0], [2.0], [3.0]]
    vectors, which = read_module._distinct(numbers, np.array([[1.0], [2.0], [1.0]], np.float32))
    assert (vectors.tolist(), which.tolist()) == ([[1.0], [2.0]], [0, 1, 0])
