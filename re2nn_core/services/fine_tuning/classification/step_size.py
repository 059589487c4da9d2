"""How far training moves from the rules: as far as texts that a network has not learned from confirm, or not at all
(step.py).

What training fixes and breaks on these texts, against the rules, is counted text by text; the standard error of its
gain is that of the difference of two counts of pairs (McNemar, Psychometrika 12, 1947).

In a cross-validation of more than two labels with few texts of each, the rules are kept whatever these texts say: how
often each label was drawn is chance, what is learned and what is held out were drawn together, and a network that has
only learned which labels are many is right on both. 20 texts of TREC, sixteen draws: +13.4 points on held-out texts,
-1.3 on dev (-1.1 where what was not certain was refused). Of two labels 20 texts show what is broken: SMS, thirteen
draws, +1.5 on dev. An auxiliary encoder learns words as well (TREC +8.4).

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
from re2nn_core.services.fine_tuning.step import (
    NEARLY,
    SHARES,
    Way,
    advice_for_more,
    confirmed_share,
    more_texts,
    most_certain,
)
from re2nn_core.text.counting import counted
from re2nn_core.training.examples import EncodedExamples, right_predictions
from re2nn_core.training.loop import TrainResult

OF_A_LABEL = 6  # held-out texts on average; of fewer their labels' shares are chance


@dataclass(frozen=True)
class StepSize:
    """`share` of the way from the rules to the trained weights, 0 for the rules. Of the `texts` that the networks have
    not learned from, so many are `fixed` and `broken` against the rules at this step, or at the full one where the
    rules are kept; `accuracy`: there, of what is kept. `missing`: so many texts more are needed to decide anything.
    `larger`: what a larger step has fixed and broken, of which few texts confirm no more than this part."""

    share: float
    fixed: int
    broken: int
    texts: int
    accuracy: float
    missing: int = 0
    larger: tuple[int, int] | None = None

    def instead_of(self, larger: StepSize) -> StepSize | None:
        """This step as a part of a larger one that few texts confirm; None where it breaks more than it fixes."""
        return None if self.fixed < self.broken else replace(self, larger=(larger.fixed, larger.broken))

    @property
    def changes(self) -> str:
        """What texts changed at this step, or at the larger one of which it is a part, in words."""
        fixed, broken = self.larger or (self.fixed, self.broken)
        return f"{fixed:,} fixed and {broken:,} broken of {counted(self.texts, 'held-out text')}"

    @property
    def in_words(self) -> str:
        """Sentences for the user."""
        gain = self.changes
        if not self.share:
            return (
                f"The rules are kept: against them the trained network has {gain}, too few to be certain of a gain. "
                f"{self._advice}"
            )
        way = f"Weights are {self.share:.0%} of the way from the rules to the trained ones"
        if self.larger:
            return f"{way}, because few texts confirm a larger step: {gain}."
        if self.share == 1:
            return f"Against the rules the trained network has {gain}."
        return f"{way}, where {gain}."

    @property
    def _advice(self) -> str:
        """What to do where the rules are kept."""
        if not self.missing:
            return advice_for_more(self.more_texts, "texts")
        more = counted(self.missing, "more annotated text")
        return (
            f"At least {more} would be needed, {OF_A_LABEL} of each label on average; or write rules for the texts "
            "that are missed."
        )

    @property
    def more_texts(self) -> int | None:
        """How many more held-out texts would show this gain (step.py)."""
        found = more_texts(self.fixed - self.broken, math.sqrt(self.fixed + self.broken), self.texts)
        return max(self.missing, found or 0) or None

    def certain(self, errors: float) -> float:
        """Texts gained, less so many standard errors."""
        return self.fixed - self.broken - errors * math.sqrt(self.fixed + self.broken)

    @property
    def confirmed(self) -> float:
        """The share of this step that its texts confirm, all of it where that is NEARLY so (step.py)."""
        gain, changed = self.fixed - self.broken, self.fixed + self.broken
        share = confirmed_share(gain, math.sqrt(changed)) if gain > 0 else 0.0
        return 1.0 if share >= NEARLY else share


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
    missing = 0 if bundle.network.auxiliary is not None else missing_texts(held_out)
    best = None if missing else most_certain(steps, further=further)
    if best is not None and best.confirmed < 1:
        smaller = best.share * best.confirmed
        best = step_between(smaller, right(smaller), rules).instead_of(best)
    best = best or replace(steps[0], share=0.0, accuracy=_accuracy(rules), missing=missing)
    way.go(best.share)
    return (bundle if best.share else replace(bundle, copies=(), trained=False)), best


def missing_texts(held_out: Sequence[EncodedExamples]) -> int:
    """How many more texts a cross-validation needs for enough of each label; 0 for one or two labels, or other texts
    than those that are learned from."""
    labels = {label for part in held_out for label in part.labels}
    if len(held_out) < 2 or len(labels) <= 2:
        return 0
    return max(0, OF_A_LABEL * len(labels) - sum(map(len, held_out)))


def _right(networks: Sequence[FaRnn], texts: EncodedExamples, untrained: bool) -> Tensor:
    return right_predictions(networks, texts, untrained=untrained)


def step_between(share: float, right: Tensor, rules: Tensor) -> StepSize:
    """What a model that is `right` fixes and breaks against the rules, or whatever is `rules` [held-out texts]."""
    fixed, broken = int((right & ~rules).sum()), int((rules & ~right).sum())
    return StepSize(share, fixed, broken, len(right), _accuracy(right))


def _accuracy(right: Tensor) -> float:
    """Of right [texts]."""
    return int(right.sum()) / len(right)
