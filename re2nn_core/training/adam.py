"""Adam (Kingma and Ba, ICLR 2015) over parameters in groups, each with a learning rate of its own.

The steps are torch's (`torch.optim.adam.adam`), and only the object around them is ours: the constructor of
`torch.optim.Adam` loads torch's compiler, which takes as long as a training on a few hundred texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.optim.adam import adam

FIRST, SECOND, EPSILON = 0.9, 0.999, 1e-8  # how much of each moment stays, and what keeps a step finite
_SETTINGS: Mapping[str, Any] = {
    "amsgrad": False,
    "beta1": FIRST,
    "beta2": SECOND,
    "weight_decay": 0.0,
    "eps": EPSILON,
    "maximize": False,
}


@dataclass(frozen=True)
class RateGroup:
    """Parameters that learn at one rate."""

    parameters: Sequence[Tensor]
    rate: float


@dataclass(frozen=True)
class Moments:
    """The moving means of a parameter's gradients and of their squares, each shaped like it, and the steps taken, a
    scalar."""

    first: Tensor
    second: Tensor
    steps: Tensor


class Adam:
    """Steps down the gradients that `groups` have; `moments` of each parameter that had a step."""

    def __init__(self, groups: Sequence[RateGroup]) -> None:
        self.groups = [group for group in groups if group.parameters]
        self.moments: dict[Tensor, Moments] = {}

    @torch.no_grad()
    def step(self, share: float) -> None:
        """One step, at `share` of the groups' rates, of each parameter that has a gradient."""
        for group in self.groups:
            learning = [parameter for parameter in group.parameters if parameter.grad is not None]
            if learning:
                self._step(learning, share * group.rate)

    def _step(self, learning: list[Tensor], rate: float) -> None:
        moments = [self.moments.get(parameter) or self._begun(parameter) for parameter in learning]
        gradients = [parameter.grad for parameter in learning if parameter.grad is not None]
        firsts, seconds = [one.first for one in moments], [one.second for one in moments]
        steps = [one.steps for one in moments]
        fused = True if learning[0].device.type == "cpu" else None  # elsewhere torch's own choice
        adam(learning, gradients, firsts, seconds, [], steps, fused=fused, **_SETTINGS, lr=rate)

    def _begun(self, parameter: Tensor) -> Moments:
        """The moments of a parameter before its first step."""
        begun = Moments(torch.zeros_like(parameter), torch.zeros_like(parameter), torch.zeros(()))
        self.moments[parameter] = begun
        return begun


def scale_down(parameters: Sequence[Tensor], largest: float) -> None:
    """Scale gradients so that their norm together is `largest` at most, as `torch.nn.utils.clip_grad_norm_` does."""
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = math.hypot(*(float(torch.linalg.vector_norm(gradient)) for gradient in gradients))
    if norm + 1e-6 > largest:
        for gradient in gradients:
            gradient.mul_(largest / (norm + 1e-6))
