"""The fused recurrence (fused.py) on a GPU: two captured graphs a shape, launched once each, in place of thousands of
small launches.

A graph is captured over fixed buffers, so batches are padded: to a multiple of TIMES words and SENTENCES sentences.
Behind the end of a sentence states go on to change, but its last state is taken from the step at which it ends, and no
gradient comes from later ones. A GPU is hardly slower for the padding.

Without a GPU the same steps run one by one, so that padding, buffers and gradients are tested on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from re2nn_core.network.recurrence.clamp import clamp_gradient
from re2nn_core.network.recurrence.fused import GroupedWeights

TIMES, SENTENCES = 4, 64
LONGEST = 128  # words: longer batches are rare, and would need large buffers of their own
MOST = 16  # shapes whose graphs are kept


@dataclass(frozen=True)
class Shape:
    """What a graph is captured for. Width: states of a group; terms: terms of a group."""

    time: int
    batch: int
    groups: int
    width: int
    terms: int
    slope: float


class Program:
    """Buffers and graphs of one shape. The gradient is that of the forward pass whose `number` it still has."""

    def __init__(self, shape: Shape, like: Tensor) -> None:
        self.shape, self.like, self.number = shape, like.new_empty(0), 0
        self.start = self._buffer(shape.groups, shape.width)
        self.sources = self._buffer(shape.groups, shape.width, shape.terms)
        self.wildcard = self._buffer(shape.groups, shape.width, shape.width)
        self.targets = self._buffer(shape.groups, shape.terms, shape.width)
        self.terms = self._by_word(shape.time, shape.terms)
        self.entered, self.chosen = self._by_word(shape.time, shape.terms), self._by_word(shape.time, shape.terms)
        self.sums = self._by_word(shape.time, shape.width)
        self.states = self._by_word(shape.time + 1, shape.width)  # after 0, 1, ... words
        self.forward = _launched(self._forward, like.device)
        self.backward: Callable[[], None] | None = None

    def _buffer(self, *sizes: int) -> Tensor:
        return self.like.new_zeros(sizes)

    def _by_word(self, times: int, entries: int) -> Tensor:
        """[time, groups, batch, entries]."""
        return self._buffer(times, self.shape.groups, self.shape.batch, entries)

    def learn(self) -> None:
        """Make ready for gradients."""
        if self.backward is not None:
            return
        shape = self.shape
        self.given = self._by_word(shape.time + 1, shape.width)  # gradients that states get from behind the recurrence
        self.into_sums = self._by_word(shape.time, shape.width)
        self.into_entered, self.into_terms = self._by_word(shape.time, shape.terms), torch.zeros_like(self.terms)
        weights = (self.start, self.sources, self.wildcard, self.targets)
        self.into_weights = tuple(torch.zeros_like(part) for part in weights)
        self.backward = _launched(self._backward, self.like.device)

    def load(self, terms: Tensor, start: Tensor, sources: Tensor, wildcard: Tensor, targets: Tensor) -> None:
        """Run the forward pass on these."""
        given = (terms, start, sources, wildcard, targets)
        buffers = (self.terms, self.start, self.sources, self.wildcard, self.targets)
        for buffer, part in zip(buffers, given, strict=True):
            buffer.copy_(part)
        self.number += 1
        self.forward()

    def _forward(self) -> None:
        self.states[0].copy_(self.start[:, None].expand_as(self.states[0]))
        for time in range(self.shape.time):
            torch.bmm(self.states[time], self.sources, out=self.entered[time])
            torch.mul(self.entered[time], self.terms[time], out=self.chosen[time])
            torch.bmm(self.states[time], self.wildcard, out=self.sums[time])
            self.sums[time].baddbmm_(self.chosen[time], self.targets)
            torch.clamp(self.sums[time], 0, 1, out=self.states[time + 1])

    def _backward(self) -> None:
        state = self.given[self.shape.time]
        for time in reversed(range(self.shape.time)):
            clamp_gradient(state, self.sums[time], self.shape.slope, out=self.into_sums[time])
            product = torch.bmm(self.into_sums[time], self.targets.transpose(1, 2))
            torch.mul(product, self.entered[time], out=self.into_terms[time])
            torch.mul(product, self.terms[time], out=self.into_entered[time])
            state = torch.baddbmm(self.given[time], self.into_sums[time], self.wildcard.transpose(1, 2))
            state.baddbmm_(self.into_entered[time], self.sources.transpose(1, 2))
        into_start, into_sources, into_wildcard, into_targets = self.into_weights
        before, sums = _over_time(self.states[:-1]).transpose(1, 2), _over_time(self.into_sums)
        torch.sum(state, 1, out=into_start)
        torch.bmm(before, _over_time(self.into_entered), out=into_sources)
        torch.bmm(before, sums, out=into_wildcard)
        torch.bmm(_over_time(self.chosen).transpose(1, 2), sums, out=into_targets)


class Programs:
    """The programs of one reader, by shape. A copy of the reader captures its own."""

    def __init__(self) -> None:
        self.kept: dict[Shape, Program] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Programs:
        return Programs()

    def of(self, shape: Shape, like: Tensor) -> Program:
        """The program of a shape on the device and in the precision of `like`."""
        program = self.kept.pop(shape, None)
        if program is None or program.like.device != like.device or program.like.dtype != like.dtype:
            program = Program(shape, like)
        self.kept[shape] = program  # the last one used stands last
        if len(self.kept) > MOST:
            del self.kept[next(iter(self.kept))]
        return program


def captured_last_states(
    programs: Programs, weights: GroupedWeights, terms: Tensor, rows: Tensor, lengths: Sequence[int], slope: float
) -> Tensor:
    """[groups, batch, width]: each sentence's state after its last word.

    terms [distinct, groups * terms of a group]: z of the distinct words; rows [batch, time]: the row of each word,
    anything behind the end of a sentence; lengths: of the sentences.
    """
    groups, width = weights.start.shape
    sentences, times = rows.shape
    padded_times, padded_sentences = _multiple(times, TIMES), _multiple(sentences, SENTENCES)
    ends = torch.zeros(padded_sentences, dtype=torch.long)
    ends[:sentences] = torch.tensor(lengths, dtype=torch.long)
    ends = ends.to(rows.device)
    padded = torch.nn.functional.pad(rows, (0, padded_times - times, 0, padded_sentences - sentences))
    words = terms.index_select(0, padded.T.reshape(-1))
    # [time, groups, batch, terms of a group]
    by_word = words.reshape(padded_times, padded_sentences, groups, weights.sources.shape[2]).transpose(1, 2)
    shape = Shape(padded_times, padded_sentences, groups, width, weights.sources.shape[2], slope)
    program = programs.of(shape, terms)
    if torch.is_grad_enabled():
        program.learn()
    parts = (weights.start, weights.sources, weights.wildcard, weights.targets)
    states: Tensor = _Captured.apply(by_word, *parts, program, ends)
    return states[:sentences].transpose(0, 1)


class _Captured(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any,
        terms: Tensor,
        start: Tensor,
        sources: Tensor,
        wildcard: Tensor,
        targets: Tensor,
        program: Program,
        ends: Tensor,
    ) -> Tensor:
        program.load(terms, start, sources, wildcard, targets)
        context.save_for_backward(terms, start, sources, wildcard, targets, ends)
        context.program, context.number = program, program.number
        return program.states[ends, :, torch.arange(len(ends), device=ends.device)]  # [batch, groups, width]

    @staticmethod
    @once_differentiable
    def backward(context: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        *loaded, ends = context.saved_tensors
        program: Program = context.program
        if program.number != context.number:  # another batch of this shape came in between
            program.load(*loaded)
            context.number = program.number
        if program.backward is None:
            raise RuntimeError("a program must learn() before its forward pass to have a gradient")
        program.given.zero_()
        program.given[ends, :, torch.arange(len(ends), device=ends.device)] = last
        program.backward()
        return program.into_terms.clone(), *(part.clone() for part in program.into_weights), None, None


def _launched(steps: Callable[[], None], device: torch.device) -> Callable[[], None]:
    """The steps as one captured graph on a GPU, as they are elsewhere."""
    if device.type != "cuda":
        return steps
    with torch.cuda.device(device), torch.no_grad():
        # Libraries set up what they need in a first run, which must not be captured, on a stream of its own.
        side_stream = torch.cuda.Stream()
        side_stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side_stream):
            steps()
            steps()
        torch.cuda.current_stream().wait_stream(side_stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            steps()
    replay: Callable[[], None] = graph.replay
    return replay


def _over_time(values: Tensor) -> Tensor:
    """[groups, time * batch, entries] from [time, groups, batch, entries]."""
    return values.transpose(0, 1).flatten(1, 2)


def _multiple(size: int, of: int) -> int:
    return -(-size // of) * of
