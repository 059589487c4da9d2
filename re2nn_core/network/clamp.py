"""Clamping to [0, 1] with a gradient that does not die outside."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _LeakyClamp(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, values: Tensor, leak: float) -> Tensor:
        context.leak = leak
        context.save_for_backward((values < 0) | (values > 1))
        return values.clamp(0, 1)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (outside,) = context.saved_tensors
        gradient = gradients[0]
        return torch.where(outside, gradient * context.leak, gradient), None


def leaky_clamp(values: Tensor, leak: float) -> Tensor:
    """Values clamped to [0, 1]; the gradient is 1 inside and `leak` outside."""
    clamped: Tensor = _LeakyClamp.apply(values, leak)
    return clamped
