"""Texts as baselines learn from them, and what the rules say of them.

What is predicted is a *unit*: a whole text where labels are learned, a word where slots are. Rows of units stand text
after text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.recurrence.batching import Context

SILENT = -1  # the prediction of rules that say nothing of a unit, and of people a label that the network does not have

Numbers = NDArray[np.int64]
Features = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class RuleFeatures:
    """What the rules say of a text: features [units, rule tags], 1 where a tag is given; predictions [units], numbers
    of labels, SILENT where they say nothing."""

    features: Features
    predictions: Numbers


@dataclass(frozen=True, eq=False)
class Texts:
    """Encoded texts: word numbers; the right label of each unit, SILENT where the network has no such label; what the
    rules say; the vectors of words in their sentences, or the numbers of their pieces, where the network takes them;
    what each text counts in training (1 where nothing is given)."""

    codes: Sequence[Sequence[int]]
    gold: Sequence[Numbers]
    rule_features: Sequence[RuleFeatures]
    context: Sequence[Context] | None = None
    weights: Sequence[float] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, places: Sequence[int]) -> Texts:
        """The texts at these places."""
        return Texts(
            [self.codes[place] for place in places],
            [self.gold[place] for place in places],
            [self.rule_features[place] for place in places],
            None if self.context is None else [self.context[place] for place in places],
            None if self.weights is None else [self.weights[place] for place in places],
        )


@dataclass(frozen=True)
class Hints:
    """What the rules say of a batch: features [units, rule tags]; predictions [units], SILENT where they say
    nothing."""

    features: Tensor
    predictions: Tensor


def hints_of(texts: Texts, places: Sequence[int], device: torch.device) -> Hints:
    """What the rules say of these texts, unit after unit."""
    features = np.concatenate([texts.rule_features[place].features for place in places])
    predictions = np.concatenate([texts.rule_features[place].predictions for place in places])
    return Hints(torch.from_numpy(features).to(device), torch.from_numpy(predictions).to(device))


def gold_of(texts: Texts, places: Sequence[int], device: torch.device) -> Tensor:
    """[units]: the right labels, unit after unit."""
    return torch.from_numpy(np.concatenate([texts.gold[place] for place in places])).to(device)


def weights_of(texts: Texts, places: Sequence[int], device: torch.device) -> Tensor:
    """[texts]: what each counts."""
    weights = [1.0 if texts.weights is None else texts.weights[place] for place in places]
    return torch.tensor(weights, device=device)
