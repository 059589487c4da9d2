"""The recurrence of fused.py by compiled loops over machines (machine_loops.py), where no weight joins two machines.

Loading the loops takes as long as some hundred thousand words, so that they run where very many are read: in a
training of many texts, and in a process that has predicted that many words or has loaded them already. Everywhere else,
and where numba or a folder to keep compiled code in is missing, fused.py and prefixes.py compute the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.semiring_loop import Weights

WORTH_LOADING = 1_000_000  # words that a process has to predict by torch's operations first
_chosen: ContextVar[bool | None] = ContextVar("compiled recurrence", default=None)
_predicted = [0]  # words of this process


@contextmanager
def compiled_recurrence(*, wanted: bool) -> Iterator[None]:
    """Inside, compiled loops run where they can, or nowhere."""
    token = _chosen.set(wanted)
    try:
        yield
    finally:
        _chosen.reset(token)


@cache
def loaded() -> ModuleType | None:
    """The compiled loops; None without numba or without a folder to keep them in."""
    try:
        return import_module("re2nn_core.network.recurrence.machine_loops")
    except (ImportError, RuntimeError):
        return None


def loops_for(words: int, *, learns: bool) -> ModuleType | None:
    """The compiled loops for a batch of so many words; None where torch's operations are to be used. `learns`: a
    training, for which they run only inside of `compiled_recurrence`, so that it is the same in every process."""
    wanted = _chosen.get()
    if wanted is None and not learns:
        _predicted[0] += words
        wanted = is_loaded() or _predicted[0] > WORTH_LOADING
    return loaded() if wanted else None


def is_loaded() -> bool:
    """Whether this process has asked for the compiled loops before."""
    return loaded.cache_info().currsize > 0


@dataclass(frozen=True, eq=False)
class MachineTables:
    """machines [machines, 4]: the first state and how many there are, the first term and how many; order [rank]: terms,
    those of the first machine first."""

    machines: NDArray[np.uint64]
    order: NDArray[np.uint64]


def machine_tables(blocks: Sequence[tuple[int, int]], term_machine: Sequence[int]) -> MachineTables | None:
    """Of machines with the states of `blocks` and each term's machine; None where a term belongs to no single one."""
    if min(term_machine, default=-1) < 0:
        return None
    owners = np.asarray(term_machine, dtype=np.int64)
    counts = np.bincount(owners, minlength=len(blocks))
    begins, ends = np.asarray(blocks, dtype=np.int64).T
    machines = np.stack([begins, ends - begins, counts.cumsum() - counts, counts], 1)
    return MachineTables(machines.astype(np.uint64), np.argsort(owners, kind="stable").astype(np.uint64))


@dataclass(frozen=True, eq=False)
class Positions:
    """Of a batch: the distinct numbers of its words, or of all words, one sentence after the other, where they are read
    in context; rows [positions]: which of them stands at each position; running [time]: how many sentences have a
    first word, a second one, ...; batch: how many there are."""

    distinct: Tensor
    rows: NDArray[np.uint64]
    running: NDArray[np.uint64]
    batch: int


def positions_of(loops: ModuleType, batch: Batch, vocabulary: int) -> Positions:
    """The order in which a batch with a word is read."""
    words, lengths = batch.words[:, : batch.lengths[0]], np.asarray(batch.lengths, dtype=np.int64)
    distinct, rows, running = loops.read_order(_array(words), lengths, vocabulary)
    numbers = torch.from_numpy(distinct)
    if batch.context is not None:
        numbers, rows = batch.words[batch.inside()], loops.rows_in_context(lengths, running)
    return Positions(numbers, rows, running, len(lengths))


def last_states_by_machine(
    loops: ModuleType,
    tables: MachineTables,
    weights: tuple[Tensor, Weights],
    terms: Tensor,
    read: Positions,
    slope: float,
) -> Tensor:
    """[batch, states]: each sentence's state after its last word.

    weights: start [states] and factors, of which what blocks forbid is left out; terms [distinct, rank]: z of the
    words that are read.
    """
    start, factors = weights
    parts = (start, factors.sources, factors.wildcard, factors.targets)
    if torch.is_grad_enabled():
        states: Tensor = _Recurrence.apply(terms, *parts, loops, tables, read, slope)
        return states
    last = start.new_empty(len(start), read.batch)
    first, *own = (_array(part) for part in parts)
    given = (_array(terms.T), read.rows, read.running)
    loops.last_states((tables.machines, tables.order), given, first, tuple(own), last.numpy())
    return last.T


def _array(values: Tensor) -> NDArray[Any]:
    return values.detach().contiguous().numpy()


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0913 - the tensors of one run
        context: Any,
        terms: Tensor,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        loops: ModuleType,
        tables: MachineTables,
        read: Positions,
        slope: float,
    ) -> Tensor:
        given = (_array(terms.T), read.rows, read.running)
        weights = tuple(_array(part) for part in (sources, wildcard, targets))
        kept = terms.new_empty(len(start), len(read.rows)).numpy()
        last = start.new_empty(len(start), read.batch)
        machines = (tables.machines, tables.order)
        loops.kept_states(machines, given, _array(start), weights, kept, last.numpy())
        context.given = (machines, given, (_array(start), *weights), kept)
        context.loops, context.slope = loops, slope
        context.save_for_backward(terms, start, sources, wildcard, targets)
        return last.T

    @staticmethod
    @once_differentiable
    def backward(context: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        terms, *parts = context.saved_tensors
        into = [terms.new_zeros(terms.shape[::-1]), *map(torch.zeros_like, parts)]
        written = tuple(part.numpy() for part in into)
        context.loops.gradients(*context.given, _array(last.T), context.slope, written)
        return (into[0].T if context.needs_input_grad[0] else None, *into[1:], None, None, None, None)
