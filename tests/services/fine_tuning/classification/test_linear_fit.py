"""The loss of the linear layer, its slope, and the minimum that is found agree with torch's, for each fold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix

from re2nn_core.services.fine_tuning.classification import linear_fit
from re2nn_core.services.fine_tuning.classification.linear_fit import C, LinearLoss, TextFeatures, fit_folds

TEXTS, DIMENSIONS, WORDS, LABELS = 60, 7, 30, 4
FOLDS = [[place for place in range(TEXTS) if place % 3 != fold] for fold in range(3)] + [list(range(TEXTS))]


def features(seed: int, *, texts: int = TEXTS, dimensions: int = DIMENSIONS) -> TextFeatures:
    """Random texts, each with a mean vector, some of the words, and a label that the vector tells something of."""
    random = np.random.default_rng(seed)
    mean = random.normal(size=(texts, dimensions)).astype(np.float32)
    words = (random.random((texts, WORDS)) * (random.random((texts, WORDS)) < 0.1)).astype(np.float32)
    targets = np.argmax(mean[:, :LABELS] + random.normal(size=(texts, LABELS)), axis=1)
    where = words.nonzero()
    return TextFeatures(mean, *where, words[where], WORDS, targets)


def table_of(texts: TextFeatures) -> np.ndarray:
    """[texts, dimensions + words + 1]"""
    words = np.zeros((len(texts.mean), texts.vocabulary), np.float32)
    np.add.at(words, (texts.texts, texts.words), texts.values)
    return np.hstack([texts.mean, words, np.ones((len(words), 1), np.float32)])


def plain_loss(texts: TextFeatures, fold: list[int], table: torch.Tensor) -> torch.Tensor:
    """The same in a line of torch each, in double precision, of table [labels, dimensions + words + 1]."""
    logits = torch.from_numpy(table_of(texts)[fold]).double() @ table.T
    penalty = table[:, :-1].square().sum() / (2 * C * len(fold))
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(texts.targets[fold])) + penalty


@pytest.mark.parametrize("words_apart", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_value_and_slope_are_those_of_the_plain_loss(seed: int, words_apart: bool) -> None:
    texts = features(seed)
    table = table_of(texts)[:, :-1]
    parts = (table[:, :DIMENSIONS], csr_matrix(table[:, DIMENSIONS:])) if words_apart else (table, None)
    loss = LinearLoss(*parts, texts.targets, LABELS)
    flat = np.random.default_rng(seed).normal(size=loss.start.shape).astype(np.float32)
    value, slope = loss(flat)
    weights = torch.from_numpy(flat).double().view(-1, LABELS).requires_grad_()
    plain = plain_loss(texts, list(range(TEXTS)), weights.T)
    plain.backward()
    assert value == pytest.approx(plain.item(), rel=1e-5)
    assert weights.grad is not None
    assert slope == pytest.approx(weights.grad.flatten().numpy(), abs=1e-6)


@pytest.mark.parametrize("few", [0, 800], ids=["words apart", "one table"])
def test_the_losses_are_as_low_as_those_of_torch_s_optimizer(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(linear_fit, "FEW", few)
    texts = features(1)
    for fold, (by_vector, by_word, bias) in zip(FOLDS, fit_folds(texts, FOLDS, LABELS), strict=True):
        table = torch.zeros(LABELS, DIMENSIONS + WORDS + 1, dtype=torch.double, requires_grad=True)
        optimizer = torch.optim.LBFGS([table], max_iter=500, line_search_fn="strong_wolfe")

        def closure(fold: list[int] = fold, table: torch.Tensor = table) -> torch.Tensor:
            table.grad = None
            value = plain_loss(texts, fold, table)
            value.backward()
            return value

        optimizer.step(closure)
        found = plain_loss(texts, fold, torch.cat([by_vector, by_word, bias[None]]).T.double())
        assert float(found) == pytest.approx(float(plain_loss(texts, fold, table).detach()), rel=1e-4)


def test_a_fold_knows_nothing_of_other_texts() -> None:
    """Whatever label a text has that a fold has not learned from, and however many other folds there are."""
    texts = features(2)
    first, *_ = fit_folds(texts, FOLDS, LABELS)
    others = texts.targets.copy()
    others[::3] = (others[::3] + 1) % LABELS  # what the first fold holds out
    changed, second, *_ = fit_folds(replace(texts, targets=others), FOLDS, LABELS)
    alone = fit_folds(texts, FOLDS[:1], LABELS)[0]
    for one, other, apart, of_second in zip(first, changed, alone, second, strict=True):
        assert torch.equal(one, other)
        assert torch.equal(one, apart)
        assert not torch.allclose(one, of_second, atol=1e-2)


def test_labels_without_a_text_and_words_of_no_text_have_zeros() -> None:
    texts = features(0)
    wider = replace(texts, words=texts.words + 2, vocabulary=WORDS + 5, targets=texts.targets + 1)
    by_vector, by_word, bias = fit_folds(wider, FOLDS, LABELS + 2)[-1]
    narrow = fit_folds(texts, FOLDS, LABELS)[-1]
    for found, other in zip((by_vector, by_word[2:-3], bias), narrow, strict=True):
        assert torch.equal(found[..., 1:-1], other)
        assert not found[..., 0].any()
        assert not found[..., -1].any()
    assert not by_word[:2].any()
    assert not by_word[-3:].any()


def test_labels_that_a_fold_lacks_and_texts_without_a_known_label_have_no_part() -> None:
    texts = features(0)
    fold = [place for place in range(TEXTS) if texts.targets[place] != 2]
    unknown = replace(texts, targets=np.where(texts.targets == 2, -1, texts.targets))
    without, every = fit_folds(unknown, [fold, range(TEXTS)], LABELS)
    lacking, _ = fit_folds(texts, [fold, range(TEXTS)], LABELS)
    for one, other, third in zip(without, every, lacking, strict=True):
        assert one.numpy() == pytest.approx(other.numpy(), abs=1e-2)
        assert one.numpy() == pytest.approx(third.numpy(), abs=1e-2)
        assert not third[..., 2].any()


def test_fewer_texts_than_features_get_the_weights_of_the_plain_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = features(3, texts=20, dimensions=50)
    turned = fit_folds(texts, [range(20)], LABELS)[0]
    monkeypatch.setattr(linear_fit, "FEW", 0)
    plain = fit_folds(texts, [range(20)], LABELS)[0]
    assert turned[0].numpy() == pytest.approx(plain[0].numpy(), abs=1e-2)
    assert turned[1].numpy() == pytest.approx(plain[1].numpy(), abs=1e-2)
    assert float(plain[0].abs().max()) > 0.5


def test_what_a_layer_adds_is_what_its_features_weigh() -> None:
    texts = features(4)
    weights = fit_folds(texts, FOLDS, LABELS)[0]
    expected = table_of(texts) @ torch.cat([weights[0], weights[1], weights[2][None]]).numpy()
    assert texts.scores(weights).numpy() == pytest.approx(expected, abs=1e-4)
