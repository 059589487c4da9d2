"""The loss of the linear layer, its slope, and the minimum that is found agree with torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix

from re2nn_core.services.fine_tuning.classification.linear_fit import STEPS, C, LinearLoss, fit_linear
from re2nn_core.services.fine_tuning.minimum import minimum

TEXTS, DIMENSIONS, WORDS, LABELS = 60, 7, 30, 4


def texts(seed: int) -> LinearLoss:
    """Random texts, each with a mean vector, some of the words, and a label that the vector tells something of."""
    random = np.random.default_rng(seed)
    mean = random.normal(size=(TEXTS, DIMENSIONS)).astype(np.float32)
    words = (random.random((TEXTS, WORDS)) * (random.random((TEXTS, WORDS)) < 0.1)).astype(np.float32)
    targets = np.argmax(mean[:, :LABELS] + random.normal(size=(TEXTS, LABELS)), axis=1)
    return LinearLoss(mean, csr_matrix(words), targets, LABELS)


def plain_loss(loss: LinearLoss, table: torch.Tensor) -> torch.Tensor:
    """The same in a line of torch each, in double precision."""
    features = torch.from_numpy(np.hstack([loss.mean, loss.words.toarray()])).double()
    logits = features @ table[:-1] + table[-1]
    penalty = table[:-1].square().sum() / (2 * C * len(features))
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(loss.targets)) + penalty


@pytest.mark.parametrize("seed", range(3))
def test_value_and_slope_are_those_of_the_plain_loss(seed: int) -> None:
    loss = texts(seed)
    flat = np.random.default_rng(seed).normal(size=loss.start.size).astype(np.float32)
    table = torch.from_numpy(flat).double().view(-1, LABELS).requires_grad_()
    plain = plain_loss(loss, table)
    plain.backward()
    value, slope = loss(flat)
    assert value == pytest.approx(plain.item(), rel=1e-6)
    assert table.grad is not None
    assert slope == pytest.approx(table.grad.flatten().numpy(), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_as_low_as_that_of_torch_s_optimizer(seed: int) -> None:
    loss = texts(seed)
    table = torch.zeros(DIMENSIONS + WORDS + 1, LABELS, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.LBFGS([table], max_iter=500, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        value = plain_loss(loss, table)
        value.backward()
        return value

    optimizer.step(closure)
    by_vector, by_word, bias = fit_linear(loss.mean, loss.words, loss.targets, LABELS)
    found = plain_loss(loss, torch.cat([by_vector, by_word, bias[None]]).double())
    assert float(found) == pytest.approx(float(plain_loss(loss, table).detach()), rel=1e-4)


def test_labels_without_a_text_and_words_of_no_text_have_zeros() -> None:
    loss = texts(0)
    wider = csr_matrix((loss.words.data, loss.words.indices + 2, loss.words.indptr), shape=(TEXTS, WORDS + 5))
    by_vector, by_word, bias = fit_linear(loss.mean, wider, loss.targets + 1, LABELS + 2)
    narrow = fit_linear(loss.mean, loss.words, loss.targets, LABELS)
    for found, other in zip((by_vector, by_word[2:-3], bias), narrow, strict=True):
        assert torch.equal(found[..., 1:-1], other)
        assert not found[..., 0].any()
        assert not found[..., -1].any()
    assert not by_word[:2].any()
    assert not by_word[-3:].any()


def test_fewer_texts_than_dimensions_get_the_weights_of_the_plain_steps() -> None:
    random = np.random.default_rng(3)
    mean = random.normal(size=(20, 50)).astype(np.float32)
    words = csr_matrix((random.random((20, WORDS)) < 0.1).astype(np.float32))
    words = words[:, np.unique(words.indices)]
    loss = LinearLoss(mean, words, np.arange(20) % LABELS, LABELS)
    plain = minimum(loss, loss.start, STEPS).reshape(-1, LABELS)
    by_vector, by_word, bias = (part.numpy() for part in fit_linear(mean, words, loss.targets, LABELS))
    assert np.concatenate([by_vector, by_word, bias[None]]) == pytest.approx(plain, abs=1e-3)
    assert np.abs(plain).max() > 0.5
