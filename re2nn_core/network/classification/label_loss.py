"""The mean loss of a batch as one operation of compiled loops, recurrence included, with a gradient by hand.

Between words and loss classifier.py starts some fifty small operations and as many for their gradients, which on
batches of 64 texts take longer than the recurrence. Where a training runs the compiled recurrence (by_machine.py), the
network's usual form is computed by its loops and those of label_loops.py; every other form as it is written there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.dropout import drawn_numbers
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.by_machine import MachineTables, loops_for, positions_of

Wanted = tuple[Tensor, Tensor | None, Tensor]


def compiled_loss(network: FaRnn, batch: Batch, wanted: Wanted) -> Tensor | None:
    """A scalar: the mean of the sentences' cross entropies, each times its weight, over the labels that have a text;
    None where other code has to compute it.

    wanted: labels [batch]; weights [batch], or None where all weigh 1; [labels] whether no text has the label.
    """
    reader, tables = network.reader, network.reader.tables
    if tables is None or not _usual(network) or not any(batch.lengths):
        return None
    loops = loops_for(sum(batch.lengths), learns=True)
    if loops is None:
        return None
    factors = (reader.start, reader.sources, reader.wildcard, reader.targets, reader.vector_map)
    parts = (reader.final, network.head, network.bias)
    loss: Tensor = _CompiledLoss.apply(*factors, *parts, network, (loops, _label_loops(), tables), batch, wanted)
    return loss


def _usual(network: FaRnn) -> bool:
    """Whether it is of the form that is written down here, on a processor."""
    config, plain = network.config, network.backward_reader is None and network.layers is None
    words = not config.train_words and config.rule_weight is None and not network.reader.takes_context
    return plain and words and network.auxiliary is None and config.state_head and network.device.type == "cpu"


@cache
def _label_loops() -> ModuleType:
    return import_module("re2nn_core.network.classification.label_loops")


class _CompiledLoss(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0913 - the tensors of a network
        context: Any,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        vector_map: Tensor,
        final: Tensor,
        head: Tensor,
        bias: Tensor,
        network: FaRnn,
        loops: tuple[ModuleType, ModuleType, MachineTables],
        batch: Batch,
        wanted: Wanted,
    ) -> Tensor:
        by_machine, by_label, tables = loops
        reader, config = network.reader, network.config
        read = positions_of(by_machine, batch, len(reader.word_factors))
        vectors = _vectors_of(network, by_label, read.distinct)  # [distinct, dimensions]
        terms = torch.mm(vector_map.T, vectors.T)  # [rank, distinct]
        by_label.add_factors(terms.numpy(), reader.word_factors.detach().numpy(), read.distinct.numpy())
        machines, given = (tables.machines, tables.order), (terms.numpy(), read.rows, read.running)
        first, *own = (part.detach().numpy() for part in (start, sources, wildcard, targets))
        kept = np.empty((len(start), len(read.rows)), first.dtype)
        last = np.empty((len(start), by_machine.filled_up(len(batch.lengths))), first.dtype)
        by_machine.kept_states(machines, given, first, tuple(own), kept, last)
        into = _zeros_like((start, sources, wildcard, targets, final, head, bias))
        written = tuple(part.numpy() for part in into)
        into_last, into_terms = np.empty_like(last), np.zeros(terms.shape, first.dtype)
        loss = by_label.label_loss(
            (tables.machines, *network.units.tables),
            (config.logit_scale, config.tie_margin, config.clamp_gradient_slope),
            last,
            tuple(part.detach().numpy() for part in (final, head, bias)),
            _as_arrays(wanted, first.dtype),
            (into_last, *written[4:]),
        )
        into_recurrence = (into_terms, *written[:4])
        slope = config.clamp_gradient_slope
        by_machine.gradients(machines, given, (first, *own), kept, into_last, slope, into_recurrence)
        into_map = torch.mm(vectors.T, torch.from_numpy(into_terms).T)
        context.into = [*into[:4], into_map, *into[4:]]
        return start.new_tensor(loss)

    @staticmethod
    @once_differentiable
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        factor, into = float(gradient), context.into
        context.into = None  # a gradient that nothing else holds is not copied
        if factor != 1:
            into = [part * factor for part in into]
        return (*into, None, None, None, None)


def _zeros_like(parts: Sequence[Tensor]) -> list[Tensor]:
    """Zeros in the shapes of parts, in one piece of memory."""
    sizes = [part.numel() for part in parts]
    pieces = parts[0].new_zeros(sum(sizes)).split(sizes)
    return [piece.view(part.shape) for piece, part in zip(pieces, parts, strict=True)]


def _vectors_of(network: FaRnn, by_label: ModuleType, words: Tensor) -> Tensor:
    """[words, dimensions]: the words' vectors after dropout (dropout.py)."""
    vectors, drop = network.reader.vectors, network.reader.drop
    if not vectors.shape[1] or not drop.training or not drop.share:
        return vectors.index_select(0, words)
    numbers, lowest = drawn_numbers(len(words) * vectors.shape[1], drop.share, None)
    factor = 1 / (1 - drop.share)
    return torch.from_numpy(by_label.dropped(vectors.numpy(), words.numpy(), numbers.numpy(), lowest, factor))


def _as_arrays(wanted: Wanted, dtype: Any) -> tuple[Any, ...]:
    targets, weights, without_text = wanted
    shares = np.ones(len(targets), dtype) if weights is None else weights.numpy().astype(dtype)
    return targets.numpy(), shares / len(targets), without_text.numpy()
