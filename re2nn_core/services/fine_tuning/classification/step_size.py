"""How far training moves from the rules: as far as texts that a network has not learned from confirm, or not at all
(step.py).

What training fixes and breaks on these texts, against the rules, is counted text by text; the standard error of its
gain is that of the difference of two counts of pairs (McNemar, Psychometrika 12, 1947).

`python tests/benchmarks/unseen/unseen.py training` prints rules and what is kept, on dev texts that took no part (one
seed of each with the interpretable objective: SMS 50 texts 92.6, 95.0; TREC 20 and 50 58.4, 58.4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.services.fine_tuning.step import SHARES, Way, advice_for_more, more_texts, most_certain
from re2nn_core.text.counting import counted
from re2nn_core.training.examples import EncodedExamples, right_predictions
from re2nn_core.training.loop import TrainResult


@dataclass(frozen=True)
class StepSize:
    """`share` of the way from the rules to the trained weights, 0 for the rules. Of the `texts` that the networks have
    not learned from, so many are `fixed` and `broken` against the rules at this step, or at the full one where the
    rules are kept; `accuracy`: there, of what is kept."""

    share: float
    fixed: int
    broken: int
    texts: int
    accuracy: float

    @property
    def in_words(self) -> str:
        """Sentences for the user."""
        gain = f"{self.fixed:,} fixed and {self.broken:,} broken of {counted(self.texts, 'held-out text')}"
        if not self.share:
            return (
                f"The rules are kept: against them the trained network has {gain}, too few to be certain of a gain. "
                f"{advice_for_more(self.more_texts, 'texts')}"
            )
        if self.share == 1:
            return f"Against the rules the trained network has {gain}."
        return f"Weights are {self.share:.0%} of the way from the rules to the trained ones, where {gain}."

    @property
    def more_texts(self) -> int | None:
        """How many more held-out texts would show this gain (step.py)."""
        return more_texts(self.fixed - self.broken, math.sqrt(self.fixed + self.broken), self.texts)

    def certain(self, errors: float) -> float:
        """Texts gained, less so many standard errors."""
        return self.fixed - self.broken - errors * math.sqrt(self.fixed + self.broken)


def choose_step_size(
    bundle: Bundle, result: TrainResult[FaRnn], held_out: Sequence[EncodedExamples], *, further: bool = False
) -> tuple[Bundle, StepSize | None]:
    """The trained networks of a bundle at the step that held-out texts confirm. `held_out`: a share for each member of
    the training, which has not learned from it, or one for all networks together. Where it is to be 0, the bundle has
    the rules' network alone. The bundle as it is and None where there is no held-out text. `further`: another training
    showed nothing certain on these texts."""
    if not any(map(len, held_out)):
        return bundle, None
    way = Way(bundle.networks, result)

    def right(share: float) -> Tensor:
        """[held-out texts]"""
        return torch.cat(way.on_held_out(share, held_out, _right))

    rules = right(0.0)
    steps = [step_between(share, right(share), rules) for share in SHARES]
    best = most_certain(steps, further=further) or replace(steps[0], share=0.0, accuracy=_accuracy(rules))
    way.go(best.share)
    return (bundle if best.share else replace(bundle, copies=(), trained=False)), best


def _right(networks: Sequence[FaRnn], texts: EncodedExamples, untrained: bool) -> Tensor:
    return right_predictions(networks, texts, untrained=untrained)


def step_between(share: float, right: Tensor, rules: Tensor) -> StepSize:
    """What a model that is `right` fixes and breaks against the rules, or whatever is `rules` [held-out texts]."""
    fixed, broken = int((right & ~rules).sum()), int((rules & ~right).sum())
    return StepSize(share, fixed, broken, len(right), _accuracy(right))


def _accuracy(right: Tensor) -> float:
    """Of right [texts]."""
    return int(right.sum()) / len(right)
