"""Bundles as training leaves them, made by noise: for tests of explanations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from support.networks.small_system import LOGIC, RULES, small_corpus
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, config_of, disturbed

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.ensemble import Network, twin_of
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary


def as_trained(*, copies: int = 0, size: float = 0.15, seed: int = 5, dimensions: int = 0, **chosen: object) -> Bundle:
    """A classifier of the small rule system with noise on its parameters; `dimensions` of random word vectors."""
    vocabulary = build_vocabulary([example.text.split() for example in small_corpus()])
    config = NetworkConfig(**{"vectors": "none", "dropout": 0.0, "train_words": True, **chosen})
    random = np.random.default_rng(seed).normal(size=(len(vocabulary), dimensions)).astype(np.float32)
    vectors = random if dimensions else None
    bundle = build_bundle(RULES, LOGIC, Tokenization(), vocabulary, config, vectors, extra_labels=("other",))
    if bundle.network.linear is not None:
        bundle.network.linear.set_rarity([vocabulary.encode(text.split()) for text in small_corpus().texts])
    further = tuple(_noisy(twin_of(bundle.network), size, seed + n + 1) for n in range(copies))
    _noisy(bundle.network, size, seed)
    return replace(bundle, trained=True, copies=further)


def _noisy(network: Network, size: float, seed: int) -> Network:
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += size * torch.randn(parameter.shape, generator=random)
    return network.eval()


def tagger_as_trained(
    *, size: float = 0.1, extra_tags: Sequence[str] = (), dimensions: int = 0, **chosen: object
) -> TaggerBundle:
    """A tagger of TRIP with noise on its parameters; `dimensions` of random word vectors."""
    vocabulary = build_vocabulary(TRIP_TEXTS)
    parts = TaggerParts(TRIP, "", Tokenization(), vocabulary, config_of(**chosen), extra_tags=tuple(extra_tags))
    random = np.random.default_rng(5).normal(size=(len(vocabulary), dimensions)).astype(np.float32)
    bundle = build_tagger(parts, random if dimensions else None)
    disturbed(bundle.network, size)
    if bundle.network.linear is not None:
        bundle.network.linear.share.fill_(0.75)
    return replace(bundle, trained=True)
