"""Networks, batches and gradients for tests of the fused recurrence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from support.networks.machine_samples import machines_of, vocabulary_for
from torch import Tensor

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.tensors.factors import exact_factors
from re2nn_core.tensors.machines import reversed_machines

WORDS = ("a", "b", "c", "d", "e", "f")  # and z, which is unknown and so has the number that also fills up batches
SMALL = "[x]\none := a b* | $ c\n[y]\ntwo := $* d\n"
# Enough machines to be put into groups: 24 rules of 2 to 6 states.
MANY = "[x]\n" + "\n".join(
    f"$* {' '.join(WORDS[(n * k) % 6] for k in range(1, 2 + n % 5))} {WORDS[n % 5]} $*" for n in range(24)
)
CPU = torch.device("cpu")
SENTENCES = ["a z z", "a b c d", "a b c d", "a b c", "f e d c b a", "a b b", "f e", "a", "", ""]
FORMS = (
    {},
    {"clamp_gradient_slope": 0.0},
    {"clamp_gradient_slope": 1.0},
    {"block_diagonal": False},
    {"extra_states": 3},
    {"extra_states": 2, "block_diagonal": False},
    {"bidirectional": True},
    {"train_words": True, "rule_weight": 0.4},
    {"train_wildcard": False, "train_ends": False},
    {"vectors": "context"},
    {"vectors": "context", "bidirectional": True},
)


def network_of(rules: str, **chosen: object) -> FaRnn:
    """A network in double precision with weights on both sides of 0, so that much is clamped."""
    machines, vocabulary = machines_of(rules), vocabulary_for(rules, WORDS)
    random = np.random.default_rng(3)
    vectors = random.normal(size=(len(vocabulary), 2)).astype(np.float32)
    config = NetworkConfig(**{"vectors": "none", "dropout": 0.0, **chosen})
    backwards = exact_factors(reversed_machines(machines), vocabulary) if config.bidirectional else None
    network = FaRnn(exact_factors(machines, vocabulary), machines.logic, vectors, config, backwards).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += torch.from_numpy(random.normal(0, 0.3, size=parameter.shape))
    return network


def plain(network: FaRnn) -> FaRnn:
    """The same network without the fused recurrence."""
    for reader in network.readers:
        reader.groups = None
    assert not network.fused
    return network


def batch_of(rules: str, sentences: list[str], *, in_context: bool = False) -> Batch:
    """The sentences, longest first; where words are read in context, with a vector of its own for each of them."""
    vocabulary = vocabulary_for(rules, WORDS)
    ordered = sorted((sentence.split() for sentence in sentences), key=len, reverse=True)
    batch = make_batch([vocabulary.encode(words) for words in ordered], CPU)
    if not in_context:
        return batch
    random = torch.Generator().manual_seed(4)
    return replace(batch, context=torch.randn(sum(batch.lengths), 2, generator=random, dtype=torch.float64))


def gradients(network: FaRnn, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """Logits, and the gradients of all parameters for a sum with a weight for each logit."""
    logits = network(batch)
    weighted(logits).backward()
    return logits.detach(), {name: p.grad for name, p in network.named_parameters() if p.grad is not None}


def weighted(logits: Tensor) -> Tensor:
    """One number from all logits, each with a weight of its own."""
    return (logits * torch.linspace(-1, 1, logits.numel()).to(logits).view_as(logits)).sum()


def assert_same_gradients(found: dict[str, Tensor], wanted: dict[str, Tensor]) -> None:
    """In double precision, up to rounding."""
    assert found.keys() == wanted.keys()
    for name, gradient in wanted.items():
        close = torch.allclose(found[name], gradient, rtol=1e-8, atol=1e-9 * float(gradient.abs().max() + 1))
        assert close, name
