"""Networks that know further words: each acts on the rules as the word that was read in its place, with a vector of its
own. All other parameters are shared with the network that is given, which stays as it is.

`stand_ins` [new]: the number that is read so far in the place of each word that comes behind the vocabulary; `numbers`
[words] and `vectors` [words, dimensions]: words that have vectors from now on, of those and of the vocabulary's own.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TypeVar

import torch
from torch import Tensor, nn

from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.tensors.factors import Floats

Module = TypeVar("Module", bound=nn.Module)
Layer = TypeVar("Layer", bound=RecurrentLayer)


def shallow(module: Module) -> Module:
    """A module of its own with the same parts; torch keeps these in three tables."""
    made = copy.copy(module)
    for table in ("_parameters", "_buffers", "_modules"):
        made.__dict__[table] = dict(getattr(module, table))
    return made


def with_rows(module: Module, tables: Sequence[str], stand_ins: Sequence[int]) -> Module:
    """The module with the rows of these words once more behind each of its tables of words."""
    made = shallow(module)
    for name in tables:
        table: Tensor = getattr(module, name)
        rows = torch.as_tensor(stand_ins, dtype=torch.long, device=table.device)
        longer = torch.cat([table.detach(), table.detach()[rows]])
        setattr(made, name, nn.Parameter(longer, requires_grad=False) if isinstance(table, nn.Parameter) else longer)
    return made


def reader_with_words(reader: Layer, stand_ins: Sequence[int], numbers: Sequence[int], vectors: Floats) -> Layer:
    """One direction of a network with further words."""
    made = with_rows(reader, ("word_factors",) if reader.decomposed else ("arc_weights",), stand_ins)
    behind = reader.vectors.new_zeros(len(stand_ins), reader.vectors.shape[1])
    made.vectors = torch.cat([reader.vectors, behind])
    made.vectors[list(numbers)] = torch.as_tensor(vectors, device=behind.device)
    return made
