"""Copies of a network, with parameters of their own: for several that are trained side by side."""

from __future__ import annotations

import copy
from typing import TypeVar

from torch import nn

Network = TypeVar("Network", bound=nn.Module)


def twin_of(network: Network) -> Network:
    """A copy with parameters of its own; what is not trained (word vectors, masks) is shared."""
    shared: dict[int, object] = {id(buffer): buffer for buffer in network.buffers()}
    return copy.deepcopy(network, shared)
