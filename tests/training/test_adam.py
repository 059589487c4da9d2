"""Our Adam against torch's, and that a training loads no compiler."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from re2nn_core.training.adam import Adam, RateGroup, scale_down

STEPS = 60


def parameters() -> list[torch.Tensor]:
    random = torch.Generator().manual_seed(3)
    return [torch.randn(shape, generator=random).requires_grad_() for shape in ((4, 5), (7,), (3, 2, 2))]


def loss(values: list[torch.Tensor], step: int) -> torch.Tensor:
    """Bends, and has no gradient for the last parameter until step 10."""
    parts = [(value - 1).abs().pow(1.5).sum() * (1 + step % 3) for value in values[: 3 if step >= 10 else 2]]
    return torch.stack(parts).sum()


def test_steps_are_those_of_torch():
    ours, theirs = parameters(), parameters()
    adam = Adam([RateGroup(ours[:1], 0.01), RateGroup([], 1.0), RateGroup(ours[1:], 0.1)])
    groups = [{"params": theirs[:1], "full": 0.01}, {"params": theirs[1:], "full": 0.1}]
    torchs = torch.optim.Adam(groups, fused=True)
    for step in range(STEPS):
        share = min(1.0, (step + 1) / 20)
        for group in torchs.param_groups:
            group["lr"] = share * group["full"]
        for values in (ours, theirs):
            for value in values:
                value.grad = None
            loss(values, step).backward()
        adam.step(share)
        torchs.step()
        for one, other in zip(ours, theirs, strict=True):
            assert torch.allclose(one, other, rtol=0, atol=1e-6)
    assert [float(adam.moments[value].steps) for value in ours] == [STEPS, STEPS, STEPS - 10]


@pytest.mark.parametrize("largest", [0.1, 100.0])
def test_gradients_are_scaled_down_as_by_torch(largest: float):
    ours, theirs = parameters(), parameters()
    for values in (ours, theirs):
        loss(values, 0).backward()
    scale_down(ours, largest)
    torch.nn.utils.clip_grad_norm_(theirs, largest)
    for one, other in zip(ours[:2], theirs[:2], strict=True):
        assert torch.allclose(one.grad, other.grad, rtol=1e-6)
    assert ours[2].grad is None


def test_a_step_loads_no_compiler():
    """torch.optim.Adam would: several seconds before the first step."""
    program = (
        "import sys, torch\n"
        "from re2nn_core.training.adam import Adam, RateGroup\n"
        "value = torch.ones(3, requires_grad=True)\n"
        "value.sum().backward()\n"
        "Adam([RateGroup([value], 0.1)]).step(1.0)\n"
        "print(value.tolist(), 'torch._dynamo' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("False\n")
    assert run.stdout.startswith("[0.9")
