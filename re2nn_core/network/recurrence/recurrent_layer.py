"""One direction of the network: from encoded sentences to the states of all machines after the last word.

z_t = E_R[x_t] + u_t G                             G starts at zero: exact (or equation 6, see `rule_weight`)
h_t = clamp( ((h_{t-1} D1) * z_t) D2^T + h_{t-1} W )
s   = clamp( alpha_inf h_N )                       one score a machine
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from re2nn_core.network.configuration.recurrence import CONTEXT, RecurrenceConfig
from re2nn_core.network.dropout import Dropout
from re2nn_core.network.recurrence.batch import Batch, distinct_numbers, reading_order
from re2nn_core.network.recurrence.by_machine import (
    MachineTables,
    last_states_by_machine,
    loops_for,
    machine_tables,
    positions_of,
)
from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.network.recurrence.cuda_graphs import LONGEST, Programs, captured_last_states
from re2nn_core.network.recurrence.fused import by_group, fused_last_states
from re2nn_core.network.recurrence.gates import Gates
from re2nn_core.network.recurrence.groups import Groups, Whole, group_machines
from re2nn_core.network.recurrence.prefixes import prefixes_of, shared_last_states
from re2nn_core.network.recurrence.semiring_loop import (
    ArcWeights,
    MaxProduct,
    Semiring,
    Step,
    SumProduct,
    Weights,
    last_states,
)
from re2nn_core.tensors.factors import Factors, Floats

EXTRA_NOISE = 0.1  # size of the extra states' random weights


class RecurrentLayer(nn.Module):
    """The parameters of one direction, named after what they are in the automaton."""

    word_factors: Tensor
    vectors: Tensor
    context_mean: Tensor
    context_scale: Tensor
    source_mask: Tensor
    target_mask: Tensor
    wildcard_mask: Tensor
    final_mask: Tensor
    arc_sources: Tensor
    arc_targets: Tensor

    def __init__(
        self,
        factors: Factors,
        vectors: Floats | None,
        config: RecurrenceConfig,
        *,
        scoring: str = "forward",
        decomposed: bool = True,
    ) -> None:
        super().__init__()
        self.config, self.decomposed, self.blocks = config, decomposed, factors.blocks
        self.term_machine = tuple(int(machine) for machine in factors.term_machine)
        self.semiring: Semiring = MaxProduct() if scoring == "viterbi" else SumProduct()
        given = vectors if vectors is not None and decomposed else factors.words[:, :0]
        self.register_buffer("vectors", torch.from_numpy(given.copy()))  # [vocabulary, dimensions]
        if config.vectors == CONTEXT:
            self.register_buffer("context_mean", torch.zeros(given.shape[1]))
            self.register_buffer("context_scale", torch.ones(()))
        padded = _pad(factors, config)
        states = len(padded.start)
        self.start = nn.Parameter(padded.start, requires_grad=config.train_ends)  # [states]
        self.final = nn.Parameter(padded.final, requires_grad=config.train_ends)  # [machines, states]
        masks = _masks(factors, states, block_diagonal=config.block_diagonal)
        self.register_buffer("final_mask", masks.final)
        if decomposed:
            self._make_factors(factors, padded, given, masks)
        else:
            self._make_arcs(factors, masks.wildcard)
        self.gates = Gates(self.width, states, seed=config.seed) if config.cell == "gru" else None
        self.drop = Dropout(config.dropout)
        fused = decomposed and scoring == "forward" and config.cell == "rnn"
        self.groups = _groups(factors, config, masks) if fused else None
        self.tables = machine_tables(factors.blocks, self.term_machine) if fused and _apart(config) else None
        self.programs = Programs()

    def _make_factors(self, factors: Factors, padded: _Padded, given: Floats, masks: _Masks) -> None:
        config = self.config
        self.width = factors.rank
        words = padded.words
        if config.train_words:
            self.word_factors = nn.Parameter(words)
        else:
            self.register_buffer("word_factors", words)
        self.vector_map = nn.Parameter(_first_map(factors, given, config.rule_weight))  # [dimensions, rank], G
        self.sources = nn.Parameter(padded.sources)  # [states, rank], D1
        self.targets = nn.Parameter(padded.targets)  # [states, rank], D2
        self.wildcard = nn.Parameter(padded.wildcard, requires_grad=config.train_wildcard)  # [states, states], W
        self.register_buffer("source_mask", masks.sources)
        self.register_buffer("target_mask", masks.targets)
        self.register_buffer("wildcard_mask", masks.wildcard)

    def _make_arcs(self, factors: Factors, wildcard: Tensor) -> None:
        """One weight for each word and each pair of states that may be joined; the wildcard is added to all words."""
        pairs = torch.nonzero(wildcard)
        self.register_buffer("arc_sources", pairs[:, 0].contiguous())
        self.register_buffer("arc_targets", pairs[:, 1].contiguous())
        self.width = len(pairs)
        weights = torch.from_numpy(_arc_weights(factors, pairs.numpy()))
        if self.config.initial == "random":
            weights = _random_like(weights, self.config.seed)
        self.arc_weights = nn.Parameter(weights)  # [vocabulary, arcs]

    @property
    def takes_context(self) -> bool:
        """Whether it asks for the vectors of words in their sentences."""
        return self.config.vectors == CONTEXT and self.vectors.shape[1] > 0

    def squash(self, values: Tensor) -> Tensor:
        """States and scores clamped to [0, 1]. The axes stay."""
        return clamp_with_slope(values, self.config.clamp_gradient_slope)

    def weights(self) -> Weights:
        """D1, D2 and W as the recurrence uses them: nothing between machines where blocks are kept."""
        return Weights(
            self.sources * self.source_mask, self.targets * self.target_mask, self.wildcard * self.wildcard_mask
        )

    def word_terms(self, words: Tensor, context: Tensor | None = None) -> Tensor:
        """[..., rank] (or [..., arcs] where nothing is decomposed) of each word number in `words` [...]; `context`
        [..., dimensions]: the words' vectors in their sentences, in the place of those that they have everywhere.
        The axes of `words` stay in front."""
        if not self.decomposed:
            return self.arc_weights[words]
        terms = _rows_of(self.word_factors, words)
        if not self.vectors.shape[1]:
            return terms
        vectors = _rows_of(self.vectors, words) if context is None else self.standard(context)
        mapped = self.drop(vectors) @ self.vector_map
        weight = self.config.rule_weight
        return terms + mapped if weight is None else weight * terms + (1 - weight) * mapped

    def standard(self, context: Tensor) -> Tensor:
        """Words' vectors in their sentences, moved and scaled to those of the training texts. The axes stay."""
        return (context - self.context_mean) * self.context_scale

    def word_vectors(self, batch: Batch) -> Tensor:
        """[batch, time, dimensions]: the vectors of all words, zeros behind the end of a sentence."""
        if batch.context is None:
            return self.vectors[batch.words] * batch.inside()[:, :, None]
        context = self.standard(batch.context)
        padded = context.new_zeros(*batch.words.shape, context.shape[1])
        padded[batch.inside()] = context
        return padded

    def step(self) -> Step:
        """One word: the semiring's step, squashed, inside the gates where there are any."""
        plain: Step
        if self.decomposed:
            weights = self.weights()

            def plain(state: Tensor, word: Tensor) -> Tensor:
                return self.squash(self.semiring.step(weights, state, word))
        else:
            arcs = ArcWeights(self.arc_sources, self.arc_targets)

            def plain(state: Tensor, word: Tensor) -> Tensor:
                return self.squash(self.semiring.arc_step(arcs, state, word))

        return plain if self.gates is None else self.gates.around(plain, self.start)

    def run(self, batch: Batch) -> Tensor:
        """[batch, states]: states after the last word."""
        if self.groups is None or not any(batch.lengths):
            terms = self.word_terms(batch.words, batch.padded_context())
            return last_states(self.step(), self.start, terms, batch.lengths)
        if batch.words.is_cuda and batch.words.shape[1] <= LONGEST:
            return self._run_captured(self.groups, batch)
        if self.tables is not None and not batch.words.is_cuda:
            loops = loops_for(sum(batch.lengths), learns=torch.is_grad_enabled())
            if loops is not None:
                return self._run_by_machine(loops, self.tables, batch)
        if torch.is_grad_enabled() or batch.context is not None:
            return self._run_fused(self.groups, batch)
        return self._run_shared(self.groups, batch)

    def _run_fused(self, groups: Groups | Whole, batch: Batch) -> Tensor:
        """As `run`, with a gradient."""
        order = reading_order(batch)
        words = batch.words.reshape(-1)[order.places]
        if batch.context is None:
            terms, rows = self._distinct_terms(words)
            read = groups.words(terms).index_select(0, rows)
        else:
            context = batch.context[_rows_without_padding(batch, order.places)]
            read = groups.words(self.word_terms(words, context))
        grouped = by_group(read, groups.count).contiguous()
        weights = groups.weights(self.start, self._factors())
        states = fused_last_states(
            weights, grouped, order.running, len(batch.lengths), self.config.clamp_gradient_slope
        )
        return groups.last(states)

    def _run_by_machine(self, loops: ModuleType, tables: MachineTables, batch: Batch) -> Tensor:
        """As `run`, by compiled loops."""
        read = positions_of(loops, batch, len(self.word_factors))
        terms = self.word_terms(read.distinct, batch.context)
        weights = self.start, self._factors()
        return last_states_by_machine(loops, tables, weights, terms, read, self.config.clamp_gradient_slope)

    def _run_shared(self, groups: Groups | Whole, batch: Batch) -> Tensor:
        """As `run`, without a gradient."""
        prefixes = prefixes_of(batch)
        terms, rows = self._distinct_terms(prefixes.words)
        weights = groups.weights(self.start, self._factors())
        return groups.last(shared_last_states(weights, groups.words(terms), rows, prefixes))

    def _run_captured(self, groups: Groups | Whole, batch: Batch) -> Tensor:
        """As `run`, on a GPU."""
        if batch.context is None:
            terms, rows = self._distinct_terms(batch.words.reshape(-1))
        else:
            inside = batch.inside()
            terms = self.word_terms(batch.words[inside], batch.context)
            rows = inside.reshape(-1).cumsum(0) - 1
        weights, rows = groups.weights(self.start, self._factors()), rows.reshape(batch.words.shape)
        slope = self.config.clamp_gradient_slope
        states = captured_last_states(self.programs, weights, groups.words(terms), rows, batch.lengths, slope)
        return groups.last(states)

    def _factors(self) -> Weights:
        """D1, D2 and W, not yet masked."""
        return Weights(self.sources, self.targets, self.wildcard)

    def _distinct_terms(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """z of each distinct word of `words` [words] as [distinct, rank], and [words]: the row of each."""
        distinct, rows = distinct_numbers(words, len(self.word_factors))
        return self.word_terms(distinct), rows

    def machine_scores(self, states: Tensor) -> Tensor:
        """[batch, machines] from last states [batch, states]."""
        return self.squash(self.semiring.end(states, self.final * self.final_mask))


def _rows_of(table: Tensor, places: Tensor) -> Tensor:
    """table[places]; of places in a line by an operation that takes half as long."""
    return table.index_select(0, places) if places.dim() == 1 else table[places]


def _rows_without_padding(batch: Batch, places: Tensor) -> Tensor:
    """[words]: where the words at these places of the flattened [batch, time] stand without padding."""
    return (batch.inside().reshape(-1).cumsum(0) - 1)[places]


def _groups(factors: Factors, config: RecurrenceConfig, masks: _Masks) -> Groups | Whole:
    """Machines in groups, where no weight may join two of them."""
    groups = group_machines(factors.blocks, factors.term_machine.tolist()) if _apart(config) else None
    return Whole(masks.sources, masks.targets, masks.wildcard) if groups is None else groups


def _apart(config: RecurrenceConfig) -> bool:
    """Whether no weight may join two machines."""
    return config.block_diagonal and not config.extra_states


@dataclass(frozen=True)
class _Padded:
    words: Tensor
    sources: Tensor
    targets: Tensor
    wildcard: Tensor
    start: Tensor
    final: Tensor


def _pad(factors: Factors, config: RecurrenceConfig) -> _Padded:
    """The factors with silent extra states. Noise goes into D1 alone: with D2 at zero nothing reaches them, so that
    equality holds, and D2's gradient is not zero, so that training can reach them. Where blocks are kept the noise is
    masked: extra states then lead to no machine at all."""
    extra = config.extra_states
    random = torch.Generator().manual_seed(config.seed)
    noise = EXTRA_NOISE * torch.randn(extra, factors.rank, generator=random)
    pad = nn.functional.pad
    padded = _Padded(
        torch.from_numpy(factors.words.copy()),
        torch.cat([torch.from_numpy(factors.sources.copy()), noise]),
        torch.cat([torch.from_numpy(factors.targets.copy()), torch.zeros(extra, factors.rank)]),
        pad(torch.from_numpy(factors.wildcard.copy()), (0, extra, 0, extra)),
        pad(torch.from_numpy(factors.start.copy()), (0, extra)),
        pad(torch.from_numpy(factors.final.copy()), (0, extra)),
    )
    if config.initial == "rules":
        return padded
    parts = vars(padded).items()
    return _Padded(**{name: _random_like(part, config.seed + place) for place, (name, part) in enumerate(parts)})


def _arc_weights(factors: Factors, pairs: NDArray[np.int64]) -> Floats:
    """[vocabulary, arcs]: the tensor and the wildcard at each pair of states; 0 where an extra state is one of them."""
    distinct, places = np.unique(factors.words, axis=0, return_inverse=True)
    weights = np.zeros((len(distinct), len(pairs)), dtype=np.float32)
    inside = (pairs < factors.states).all(1)
    sources, targets = pairs[inside].T
    for number, row in enumerate(distinct):
        tensor = (factors.sources * row) @ factors.targets.T + factors.wildcard
        weights[number, inside] = tensor[sources, targets]
    return weights[places.ravel()]


def _random_like(part: Tensor, seed: int) -> Tensor:
    """Xavier's normal weights in the same shape."""
    random = torch.Generator().manual_seed(seed)
    fans = part.shape[0] + part.shape[-1]
    return torch.randn(part.shape, generator=random) * (2.0 / fans) ** 0.5


def _first_map(factors: Factors, vectors: Floats, rule_weight: float | None) -> Tensor:
    """G: zero for the sum, the pseudo-inverse of the vectors times E_R for the mixture of equation 6."""
    if rule_weight is None or not vectors.shape[1]:
        return torch.zeros(vectors.shape[1], factors.rank)
    solved = np.linalg.pinv(vectors.astype(np.float64)) @ factors.words
    return torch.from_numpy(solved.astype(np.float32))


@dataclass(frozen=True)
class _Masks:
    """1 where a weight may live: sources and targets [states, rank], wildcard [states, states], final [machines,
    states]."""

    sources: Tensor
    targets: Tensor
    wildcard: Tensor
    final: Tensor


def _masks(factors: Factors, states: int, *, block_diagonal: bool) -> _Masks:
    """With blocks kept, a term joins states of its own machine, and wildcard arcs stay inside a machine. Extra states
    may be entered from any machine but lead to each other alone, so that no machine ever depends on them or, through
    them, on another: what is read back from a block is all that the block does."""
    rank, machines = factors.rank, len(factors.names)
    if not block_diagonal:
        full = torch.ones(states, rank)
        return _Masks(full, full.clone(), torch.ones(states, states), torch.ones(machines, states))
    owner = torch.full((states,), -1)
    for machine, (begin, end) in enumerate(factors.blocks):
        owner[begin:end] = machine
    term_owner = torch.from_numpy(factors.term_machine.copy())
    inside = (owner[:, None] == term_owner[None, :]) | (term_owner[None, :] == -1)
    extra = (owner == -1)[:, None]
    wildcard = (owner[:, None] == owner[None, :]) | extra.T
    final = torch.arange(machines)[:, None] == owner[None, :]
    return _Masks((inside & ~extra).float(), (inside | extra).float(), wildcard.float(), final.float())
