"""How far training moves from the rules: as far as texts that a network has not learned from confirm, or not at all.

The epoch that is best on held-out texts is the luckiest of many, and with few texts luck is all that there may be. So
what training fixes and breaks on these texts, against the rules, is counted text by text, and its gain must be larger
than its standard error (that of the difference of two counts of pairs: McNemar, Psychometrika 12, 1947). Weights on the
way from the rules to the trained ones are candidates too; where the trained ones show no such gain, these must show one
of twice the error, because they are further tries.

`python tests/benchmarks/unseen/unseen.py training` prints rules and what is kept, on dev texts that took no part (one
seed of each with the interpretable objective: SMS 50 texts 92.6, 95.0; TREC 20 and 50 58.4, 58.4).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.text.counting import counted
from re2nn_core.training.examples import EncodedExamples, right_predictions
from re2nn_core.training.loop import TrainResult

SHARES = (1.0, 0.75, 0.5, 0.25)  # of the way from the rules to the trained weights; of equal ones the first is taken
CERTAIN = 1.0  # standard errors that the gain must exceed
CERTAIN_OF_PART = 2.0  # the same of a part of the way, where all of it is not certain


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
                "Label more texts, or write rules for those that are missed."
            )
        if self.share == 1:
            return f"Against the rules the trained network has {gain}."
        return f"Weights are {self.share:.0%} of the way from the rules to the trained ones, where {gain}."


def choose_step_size(
    bundle: Bundle, result: TrainResult[FaRnn], held_out: Sequence[EncodedExamples]
) -> tuple[Bundle, StepSize | None]:
    """The trained networks of a bundle at the step that held-out texts confirm. `held_out`: a share for each member of
    the training, which has not learned from it, or one for all networks together. Where it is to be 0, the bundle has
    the rules' network alone. The bundle as it is and None where there is no held-out text."""
    texts = sum(map(len, held_out))
    if not texts:
        return bundle, None
    together = len(held_out) == 1
    trained = [_parameters(network, result.initial) for network in bundle.networks]
    groups: list[Sequence[Mapping[str, Tensor]]] = [trained] if together else [[member] for member in result.members]
    networks = bundle.networks if together else (bundle.network,)

    def right(share: float) -> Tensor:
        """[held-out texts]"""
        found = []
        for group, own in zip(groups, held_out, strict=True):
            for network, parameters in zip(networks, group, strict=True):
                _move(network, result.initial, parameters, share)
            found.append(right_predictions(networks, own, untrained=not share))
        return torch.cat(found)

    rules = right(0.0)
    steps = [step_between(share, right(share), rules) for share in SHARES]
    errors = CERTAIN if certain_gain(steps[0], CERTAIN) > 0 else CERTAIN_OF_PART
    best = max(steps, key=lambda step: certain_gain(step, errors))
    if certain_gain(best, errors) <= 0:
        best = replace(steps[0], share=0.0, accuracy=_accuracy(rules))
    for network, parameters in zip(bundle.networks, trained, strict=True):
        _move(network, result.initial, parameters, best.share)
    return (bundle if best.share else replace(bundle, copies=(), trained=False)), best


def step_between(share: float, right: Tensor, rules: Tensor) -> StepSize:
    """What a model that is `right` fixes and breaks against the rules, or whatever is `rules` [held-out texts]."""
    fixed, broken = int((right & ~rules).sum()), int((rules & ~right).sum())
    return StepSize(share, fixed, broken, len(right), _accuracy(right))


def _accuracy(right: Tensor) -> float:
    """Of right [texts]."""
    return int(right.sum()) / len(right)


def certain_gain(step: StepSize, errors: float) -> float:
    """Texts gained, less so many standard errors."""
    return step.fixed - step.broken - errors * math.sqrt(step.fixed + step.broken)


def _parameters(network: FaRnn, named: Mapping[str, Tensor]) -> dict[str, Tensor]:
    own = dict(network.named_parameters())
    return {name: own[name].detach().clone() for name in named}


def _move(network: FaRnn, initial: Mapping[str, Tensor], trained: Mapping[str, Tensor], share: float) -> None:
    """Weights so far on the way from the initial to the trained ones."""
    between = {name: value.lerp(trained[name].to(value.device), share) for name, value in initial.items()}
    network.load_state_dict(between, strict=False)
    network.eval()
