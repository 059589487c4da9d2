"""What a tagger is for, and the settings that follow: to be read back as rules, or to be right as often as it can.

To be right, rules are left as they are. A linear layer over words and the rules' tags (linear_layer.py) is better than
an auxiliary encoder with few texts, and both together are better than either from some hundred texts on; held-out texts
decide how much each counts (layer_and_encoder.py), so that one recipe serves every number of texts. An encoder that
learned together with the rules spoiled them with fifty texts (SNIPS, F1 on dev: 49 to 53, where the rules alone reach
56.2). F1 on dev, one seed, together / as it is now: SNIPS 1,308 texts 85.7 / 87.7, ATIS 3,982 texts 97.4 / 97.0, and
MITR 6,884 texts as it is now 81.1. Static word vectors carry over to words that are not in the training texts better
than vectors in context do for the encoder (the same of encoder and layer: ATIS 398 texts 90.0 in context, 91.5 static;
SNIPS 1,308 texts 89.2, 89.7; MITR 200 texts 72.3 both). The layer reads words in context, of middle layers, where that
is worth it. Twenty epochs at twice the usual rate, which then falls by a tenth an epoch, do as much for the encoder as
thirty at the usual one (ATIS, 398 texts, F1 on dev of the encoder alone: 89.3 / 89.1).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.training.config import TrainConfig

# Training texts that should hardly move the rules; that can teach a large network.
TINY, MANY = 20, 2000
RULES_ALONE = TaggerConfig(auxiliary="none", decoding="softmax")  # nothing but the network of the rules


def slot_network(objective: Objective, examples: int) -> TaggerConfig:
    """The settings to begin with, for a number of training texts.

    interpretable
                the rules' network alone, each word tagged by itself: what it learns can be written down as rules. Where
                it learns little, the rules as they are and a linear layer over words (layer_or_network.py)
    accuracy    a linear layer and an auxiliary encoder next to the rules, and a chain over the tags"""
    if objective == "interpretable":
        return replace(RULES_ALONE, linear=True)
    return TaggerConfig(
        auxiliary_states=_states(examples),
        auxiliary_rules="tags",
        word_dropout=0.3,
        dropout=0.5,
        linear=True,
        linear_vectors="context",
    )


def slot_training(objective: Objective, examples: int) -> TrainConfig:
    """How it is trained to begin with.

    With ten texts the usual rates of the rules' network lose what rules know (F1 on all of dev, four seeds, ATIS /
    SNIPS: 72.6 / 54.3, where the rules have 76.1 / 56.2); slow ones 76.3 / 55.9. With fifty the usual ones do as well.
    """
    if objective == "accuracy":
        return TrainConfig(**_ADDING, batch_size=_batch(examples), copies=_members(examples))
    if objective == "interpretable" and 0 < examples < TINY:
        return TrainConfig(**{**slot_train_defaults(examples), **_SLOWLY})
    return TrainConfig(**slot_train_defaults(examples))


_SLOWLY: dict[str, Any] = {"learning_rate": 2e-4, "embedding_learning_rate": 5e-4, "head_learning_rate": 5e-4}
_LARGEST = 21_000  # training texts; with more nothing differs
_ADDING: dict[str, Any] = {"epochs": 20, "head_learning_rate": 0.004, "decay": 0.9, "average": "predictions"}


def _batch(examples: int) -> int:
    """As many texts as a root of their number: 6 for 200, 28 for 4,000."""
    return max(4, min(64, round(0.45 * examples**0.5)))


def _states(examples: int) -> int:
    """States of the auxiliary encoder in each direction: 100 up to 400 texts, 200 from 1,600 on."""
    return 20 * max(5, min(10, round(0.25 * examples**0.5)))


def _members(examples: int) -> int:
    """Auxiliary encoders whose predictions are averaged: three with few texts, two with many, which differ less."""
    return 3 if examples < MANY else 2


@cache
def sizes_that_differ() -> tuple[int, ...]:
    """Numbers of training texts, one for each way in which the settings to begin with differ by it."""
    first = {(_batch(count), _states(count), _members(count)): count for count in reversed(range(_LARGEST))}
    return (*sorted(first.values()), TINY - 1, MANY)


def slot_train_defaults(examples: int) -> dict[str, Any]:
    """The settings of TrainConfig that differ from its defaults, for a number of training texts."""
    if examples < MANY:
        return {"epochs": 40, "batch_size": 16, "head_learning_rate": 0.002, "decay": 0.97, "patience": 10}
    return {"epochs": 25, "batch_size": 32, "head_learning_rate": 0.002, "decay": 0.95, "patience": 7}
