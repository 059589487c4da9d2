"""Clamping to [0, 1] with a gradient that does not die outside."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor


class _ClampWithSlope(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, values: Tensor, slope: float) -> Tensor:
        context.slope = slope
        context.save_for_backward(values)
        return values.clamp(0, 1)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (values,) = context.saved_tensors
        return clamp_gradient(gradients[0], values, context.slope), None


def clamp_with_slope(values: Tensor, slope: float) -> Tensor:
    """Values clamped to [0, 1]; the gradient is 1 inside and `slope` outside. The axes stay."""
    clamped: Tensor = _ClampWithSlope.apply(values, slope)
    return clamped


def clamp_gradient(gradient: Tensor, values: Tensor, slope: float, out: Tensor | None = None) -> Tensor:
    """The gradient of `values` from the gradient of `clamp_with_slope`. The axes stay."""
    lowest, highest = _bounds(values.dtype)
    inside = torch.ops.aten.hardtanh_backward(gradient, values, lowest, highest)
    return torch.lerp(inside, gradient, slope, out=out)


@cache
def _bounds(dtype: torch.dtype) -> tuple[float, float]:
    """torch counts its bounds as outside, and 0 and 1 are inside: so these are the next numbers behind them."""
    limits = torch.finfo(dtype)
    return -limits.tiny, 1 + limits.eps
