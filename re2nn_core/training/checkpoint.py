"""Checkpoints: everything the loop needs to go on where it stopped, as safetensors and JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from re2nn_core.files import read_json_object, write_together
from re2nn_core.training.adam import Adam, Moments

PAUSE = 50  # times what a checkpoint took, at least, before the next one is written
TENSORS, STATE = "checkpoint.safetensors", "checkpoint.json"


@dataclass(frozen=True)
class Checkpoint:
    """Parameters now and at the best epoch, Adam's two moments by parameter name, the parameters of the latest epochs
    where their mean is taken, and plain values."""

    parameters: Mapping[str, Tensor]
    best: Mapping[str, Tensor]
    moments: Mapping[str, tuple[Tensor, Tensor, float]]
    latest: Sequence[Mapping[str, Tensor]]
    values: Mapping[str, Any]


class Pace:
    """When a checkpoint is due: as long as the last one took little of the time, since a broken run computes again what
    came after it. On few texts one after each epoch took a fifteenth of a training."""

    def __init__(self) -> None:
        self.began, self.next = time.perf_counter(), 0.0

    def due(self) -> bool:
        """Whether to write one now."""
        self.began = time.perf_counter()
        return self.began >= self.next

    def ended(self) -> None:
        """The one that was due is written."""
        now = time.perf_counter()
        self.next = now + PAUSE * (now - self.began)


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; the old one stays until the new one is complete. The JSON names the tensors it belongs to."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors: dict[str, Tensor] = {}
    for name, value in checkpoint.parameters.items():
        tensors[f"now/{name}"] = value
    for name, value in checkpoint.best.items():
        tensors[f"best/{name}"] = value
    for name, (first, second, step) in checkpoint.moments.items():
        tensors[f"first/{name}"], tensors[f"second/{name}"] = first, second
        tensors[f"step/{name}"] = torch.tensor(step)
    for place, parameters in enumerate(checkpoint.latest):
        tensors |= {f"latest/{place}/{name}": value for name, value in parameters.items()}
    tensors = {name: value.detach().cpu().contiguous().clone() for name, value in tensors.items()}
    number = str(checkpoint.values["epoch"])
    written = save(tensors, metadata={"epoch": number})
    write_together({folder / TENSORS: written, folder / STATE: json.dumps(dict(checkpoint.values))})


def load_checkpoint(folder: Path) -> Checkpoint | None:
    """The folder's checkpoint; None where there is none or it was cut off while it was written."""
    if not (folder / TENSORS).is_file() or not (folder / STATE).is_file():
        return None
    try:
        tensors = load_file(str(folder / TENSORS))
        values = read_json_object(folder / STATE)
    except (OSError, ValueError, SafetensorError):
        return None
    first = _of(tensors, "first/")
    places = sorted({int(name.split("/")[0]) for name in _of(tensors, "latest/")})
    return Checkpoint(
        _of(tensors, "now/"),
        _of(tensors, "best/"),
        {n: (first[n], tensors[f"second/{n}"], float(tensors[f"step/{n}"])) for n in first},
        [_of(tensors, f"latest/{place}/") for place in places],
        values,
    )


def _of(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def adam_moments(network: nn.Module, optimizer: Adam) -> dict[str, tuple[Tensor, Tensor, float]]:
    """Adam's moments by parameter name; none for parameters that had no step yet."""
    return {
        name: (moments.first, moments.second, float(moments.steps))
        for name, parameter in network.named_parameters()
        if (moments := optimizer.moments.get(parameter))
    }


def restore_moments(network: nn.Module, optimizer: Adam, moments: Mapping[str, tuple[Tensor, Tensor, float]]) -> None:
    """Put saved moments back."""
    for name, parameter in network.named_parameters():
        if name in moments:
            first, second, steps = moments[name]
            device = parameter.device
            optimizer.moments[parameter] = Moments(first.to(device), second.to(device), torch.tensor(steps))
