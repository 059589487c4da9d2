"""The loss as one operation of compiled loops against the ordinary code with torch's own gradients."""

from __future__ import annotations

import math

import pytest
import torch
from support.networks.fused_samples import MANY, SENTENCES, SMALL, assert_same_gradients, batch_of, network_of
from torch import Tensor, nn

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.label_loss import compiled_loss
from re2nn_core.network.recurrence import by_machine
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.by_machine import compiled_recurrence

pytestmark = pytest.mark.skipif(by_machine.loaded() is None, reason="numba is not here")
LOGIC = MANY + "\n[y]\n$* e $*\n[z]\n$* f e $*\n"
USUAL = (
    {},
    {"tie_margin": 0.25},
    {"clamp_gradient_slope": 0.0},
    {"logit_scale": 1.0, "tie_margin": 0.1},
    {"train_wildcard": False, "train_ends": False},
    {"dropout": 0.4},
)
OTHERS = (
    {"block_diagonal": False},
    {"bidirectional": True},
    {"train_words": True},
    {"rule_weight": 0.4},
    {"vectors": "context"},
    {"state_head": False},
    {"aggregation": "layers"},
    {"scoring": "viterbi"},
    {"cell": "gru"},
    {"auxiliary": "lstm"},
)


def wanted_of(network: FaRnn, texts: int, *, weighted: bool) -> tuple[Tensor, Tensor | None, Tensor]:
    labels = len(network.logic.labels)
    without = torch.tensor([label > 1 for label in range(labels)])
    targets = torch.arange(texts) % min(2, labels)
    return targets, torch.linspace(0.1, 2, texts).double() if weighted else None, without


def by_torch(network: FaRnn, batch: Batch, wanted: tuple[Tensor, Tensor | None, Tensor]) -> Tensor:
    targets, weights, without = wanted
    each = nn.functional.cross_entropy(network(batch).masked_fill(without, -math.inf), targets, reduction="none")
    return (each if weights is None else each * weights).mean()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rules", [SMALL, LOGIC], ids=["small", "many"])
@pytest.mark.parametrize("form", USUAL, ids=str)
def test_loss_and_gradients_are_those_of_torch(form: dict[str, object], rules: str, weighted: bool) -> None:
    ours, theirs = network_of(rules, **form).train(), network_of(rules, **form).train()
    batch = batch_of(rules, SENTENCES * 4)
    wanted = wanted_of(ours, len(batch.lengths), weighted=weighted)
    torch.manual_seed(1)
    with compiled_recurrence(wanted=True):
        found = compiled_loss(ours, batch, wanted)
    assert found is not None
    torch.manual_seed(1)
    by_loop = by_torch(theirs, batch, wanted)
    assert torch.allclose(found, by_loop, rtol=1e-10)
    (found * 3).backward()
    (by_loop * 3).backward()
    gradients = [{name: p.grad for name, p in of.named_parameters() if p.grad is not None} for of in (ours, theirs)]
    assert_same_gradients(*gradients)


@pytest.mark.parametrize("form", OTHERS, ids=str)
def test_other_forms_are_left_to_torch(form: dict[str, object]) -> None:
    network, batch = network_of(MANY, **form), batch_of(MANY, SENTENCES)
    with compiled_recurrence(wanted=True):
        assert compiled_loss(network, batch, wanted_of(network, len(batch.lengths), weighted=False)) is None


def test_it_runs_where_the_compiled_recurrence_does() -> None:
    network, batch = network_of(MANY), batch_of(MANY, SENTENCES)
    wanted = wanted_of(network, len(batch.lengths), weighted=False)
    assert compiled_loss(network, batch, wanted) is None
    with compiled_recurrence(wanted=True):
        assert compiled_loss(network, batch_of(MANY, ["", ""]), wanted) is None


def test_a_number_that_is_none_stays_so() -> None:
    network, batch = network_of(MANY), batch_of(MANY, SENTENCES)
    with torch.no_grad():
        network.reader.wildcard.fill_(torch.nan)
    with compiled_recurrence(wanted=True):
        found = compiled_loss(network, batch, wanted_of(network, len(batch.lengths), weighted=False))
    assert found is not None
    assert found.isnan()
