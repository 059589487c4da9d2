"""A baseline as one network: word vectors, an encoder, a linear head, and the places where rule results come in.

    labels   logits = W [s ; f] + b        slots   logits_t = W s_t + b, s from [word vector ; f_t]

s is the encoder's state and f the mean of the vectors of the rules' tags (+i; Luo et al., ACL 2018, section 3.3, where
tags join the sentence vector for labels and the word vectors for slots). +o adds w_k z_k to the logit of label k, z_k
being 1 where the rules' prediction is k, with a weight learned for each label (section 3.5). There all logits of the
head start at zero and all w at one, so that the untrained network gives the rules' prediction; the papers' start at
random, and their figures without training hang on that (`start` in config.py; all w are drawn from a normal
distribution then).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.baselines.encoders import Averaging, Convolution, Encoder
from re2nn_core.baselines.spec import BaselineSpec
from re2nn_core.baselines.texts import Hints
from re2nn_core.network.auxiliary.encoder import Recurrent, both_ends, pooled
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.network.dropout import Dropout
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.crf import LinearChain

SIZE = 5.0  # word vectors have length one on average; entries of about a quarter learn best


@dataclass(frozen=True)
class BaselineSizes:
    """How many labels (or tags) and rule tags there are, and the dimensions of words in context, 0 where none are
    taken."""

    labels: int
    rule_tags: int
    context: int = 0


class Baseline(nn.Module):
    """`vectors` [vocabulary, dimensions] stay as they are."""

    vectors: Tensor

    def __init__(
        self,
        spec: BaselineSpec,
        config: BaselineConfig,
        sizes: BaselineSizes,
        vectors: Tensor,
        encoder: TunedEncoder | None = None,
    ) -> None:
        super().__init__()
        self.spec, self.config, self.sizes = spec, config, sizes
        self.register_buffer("vectors", vectors)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            self._build(spec, config, sizes, sizes.context or vectors.shape[1])
            drawn = torch.randn(sizes.labels)
        self.encoder = encoder
        self.chain = LinearChain(sizes.labels) if spec.chain else None
        self.drop = Dropout(config.dropout)
        if spec.adds_rules and config.start == "rules":
            nn.init.zeros_(self.head.weight)
            nn.init.zeros_(self.head.bias)
        trust = torch.ones(sizes.labels) if config.start == "rules" else drawn  # [labels]
        self.trust = nn.Parameter(trust) if spec.adds_rules else None

    def _build(self, spec: BaselineSpec, config: BaselineConfig, sizes: BaselineSizes, width: int) -> None:
        tags = config.rule_dimensions if spec.reads_rules else 0
        self.rule_tags = nn.Parameter(torch.randn(sizes.rule_tags, tags)) if tags else None
        before, behind = (tags, 0) if spec.tags_words else (0, tags)
        self.reader = reader = _reader(spec, config, width + before)
        features = width + before if reader is None else reader.features
        self.head = nn.Linear(features + behind, sizes.labels)

    @property
    def device(self) -> torch.device:
        return self.vectors.device

    def forward(self, batch: Batch, hints: Hints) -> Tensor:
        """[batch, labels], or [batch, time, tags] for slots, whose rows behind the end of a text mean nothing."""
        lengths = torch.tensor(batch.lengths, dtype=torch.long, device=self.device)
        inputs = self._inputs(batch)
        tags = self._rule_tags(hints)
        if not self.spec.tags_words:
            logits = self.head(_joined(self.drop(self._state(inputs, lengths)), tags))
            return logits if self.trust is None else logits + self._bonus(hints, self.trust)
        words = _joined(inputs, None if tags is None else _padded(tags, batch.inside()))
        logits = self.head(self.drop(self._states(words, lengths)))
        return logits if self.trust is None else logits + _padded(self._bonus(hints, self.trust), batch.inside())

    def _inputs(self, batch: Batch) -> Tensor:
        """[batch, time, width]: what the encoder reads of each word."""
        if self.encoder is not None and batch.context is not None:
            batch = replace(batch, context=self.encoder(batch.context.long(), batch.lengths))
        found = batch.padded_context()
        vectors = self.vectors[batch.words] * batch.inside()[:, :, None] if found is None else found
        if self.training and self.config.word_dropout:
            kept = torch.rand(batch.words.shape, device=self.device) >= self.config.word_dropout
            vectors = vectors * kept[:, :, None]
        return self.drop(vectors if self.encoder is not None else SIZE * vectors)

    def _states(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """[batch, time, features] of words, or what a DAN makes of whole texts: [batch, features]."""
        if self.reader is None:
            return inputs
        if inputs.shape[1]:
            found: Tensor = self.reader(inputs, lengths)
            return found
        # No text of the batch has a word: they are read with one word of zeros behind their ends.
        found = self.reader(functional.pad(inputs, (0, 0, 0, 1)), lengths)
        return found[:, :0] if self.spec.tags_words else found

    def _state(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """[batch, features] of whole texts."""
        states = self._states(inputs, lengths)
        if self.spec.cell == "dan":
            return states
        if self.config.pooling == "last" and self.spec.bidirectional:
            return both_ends(states, lengths)
        # Filters have no last state: what they find may stand anywhere.
        return pooled(states, lengths, "max" if self.spec.cell == "cnn" else self.config.pooling)

    def _rule_tags(self, hints: Hints) -> Tensor | None:
        """[units, rule dimensions]: the mean of the vectors of the tags that rules give; zeros where there is none."""
        if self.rule_tags is None:
            return None
        return hints.features @ self.rule_tags / hints.features.sum(1, keepdim=True).clamp(min=1)

    def _bonus(self, hints: Hints, trust: Tensor) -> Tensor:
        """[units, labels]: what the rules' prediction adds."""
        decided = (hints.predictions >= 0)[:, None]
        return functional.one_hot(hints.predictions.clamp(min=0), self.sizes.labels) * decided * trust


def _reader(spec: BaselineSpec, config: BaselineConfig, width: int) -> Encoder | None:
    """The encoder of a system; None where the sentence encoder stands alone."""
    if spec.cell == "encoder":
        return None
    if spec.cell == "cnn":
        return Convolution(width, config.hidden, config.dropout)
    if spec.cell == "dan":
        return Averaging(width, config.hidden, config.dropout)
    return Recurrent(spec.cell, width, config.hidden, bidirectional=spec.bidirectional)


def _joined(states: Tensor, more: Tensor | None) -> Tensor:
    return states if more is None else torch.cat([states, more], -1)


def _padded(rows: Tensor, inside: Tensor) -> Tensor:
    """[batch, time, n] from rows [words, n]; zeros behind the ends of texts."""
    padded = rows.new_zeros(*inside.shape, rows.shape[1])
    padded[inside] = rows
    return padded
