"""Encoded sentences with tags, and how good a tagger is on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from re2nn_core.network.recurrence.batching import Context, Numbered, batches_by_length, shuffled_batches
from re2nn_core.network.slot_filling.predict import BATCH, choose_tags, evaluating, run_taggers, tag_names
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.training.examples import evenly_spread
from re2nn_core.training.span_scores import SpanScores, span_scores

InContext = Callable[[Sequence[Sequence[str]]], Sequence[Context]]
Divide = Callable[[Sequence[Sequence[str]], Sequence[tuple[str, ...]]], list[tuple[str, ...]]]


@dataclass(frozen=True)
class TagExamples:
    """Encoded sentences, each with at least a word; the tags of their words as numbers and as they are written (a tag
    that the network does not know has the number of O); and the vectors of its words in it for a network that takes
    them. `measured`: so many sentences at most, spread evenly, tell how good a network is; None for all. `divide`: from
    `words` and the tags that an untrained network decides for each of them to those of the rules that it equals.
    `in_context`: of further sentences the vectors that `context` has of these, where a linear layer alone reads
    them."""

    codes: Sequence[Sequence[int]]
    numbers: Sequence[Sequence[int]]
    tags: Sequence[Sequence[str]]
    context: Sequence[Context] | None = None
    measured: int | None = None
    words: Sequence[Sequence[str]] = ()
    divide: Divide | None = None
    in_context: InContext | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def of_words(self) -> TagExamples:
        """The same without vectors in context."""
        return self if self.context is None else replace(self, context=None, in_context=None)

    def shuffled(self, size: int, device: torch.device, random: torch.Generator) -> Iterator[Numbered]:
        """One epoch of batches."""
        return shuffled_batches(self.codes, size, device, random, self.context)

    def loss(self, network: FstRnn, numbered: Numbered) -> Tensor:
        """The mean over a batch's sentences of the negative log likelihood of their tags. A scalar."""
        return -self._log_likelihood(network, numbered).mean()

    def _log_likelihood(self, network: FstRnn, numbered: Numbered) -> Tensor:
        """[batch]"""
        batch = numbered.batch
        return network.log_likelihood(network(batch), self._gold(numbered), batch.inside())

    def with_gold(self, device: torch.device) -> Iterator[tuple[Numbered, Tensor]]:
        """All sentences in batches by length, with their tag numbers [batch, time]."""
        for numbered in batches_by_length(self.codes, BATCH, device, self.context):
            yield numbered, self._gold(numbered)

    def _gold(self, numbered: Numbered) -> Tensor:
        """[batch, time]: tag numbers, 0 behind the end of a sentence."""
        gold = torch.zeros_like(numbered.batch.words)
        flat = np.concatenate([np.asarray(self.numbers[place], dtype=np.int64) for place in numbered.places])
        gold[numbered.batch.inside()] = torch.from_numpy(flat).to(gold.device)
        return gold

    def measure(self, networks: Sequence[FstRnn], *, untrained: bool = False) -> tuple[float, float]:
        """F1 of spans, and the mean loss of the first network; (0, 0) for no examples."""
        part = self._measured()
        if not len(part):
            return 0.0, 0.0
        predictions: list[list[str]] = [[] for _ in part.codes]
        names, likelihood = tag_names(networks[0]), 0.0
        with evaluating(networks), torch.no_grad():
            for numbered in batches_by_length(part.codes, BATCH, networks[0].device, part.context):
                batch, inside = numbered.batch, numbered.batch.inside()
                logits = [network(batch) for network in networks]
                likelihood += float(networks[0].log_likelihood(logits[0], part._gold(numbered), inside).sum())
                best, _ = choose_tags(networks, logits, inside, with_probabilities=False)
                for place, tags, length in zip(numbered.places, best.tolist(), batch.lengths, strict=True):
                    predictions[place] = [names[tag] for tag in tags[:length]]
        given = part._predictions([tuple(tags) for tags in predictions], untrained=untrained)
        return span_scores(part.tags, given).f1, -likelihood / len(part)

    def scores(self, networks: Sequence[FstRnn], *, untrained: bool = False) -> SpanScores:
        """Precision, recall and F1 of spans."""
        return span_scores(self.tags, self.predicted(networks, untrained=untrained))

    def predicted(self, networks: Sequence[FstRnn], *, untrained: bool = False) -> list[tuple[str, ...]]:
        """The tags of each sentence's words by the mean of the networks' probabilities."""
        predictions = run_taggers(networks, self.codes, context=self.context, with_confidences=False)
        return self._predictions([prediction.tags for prediction in predictions], untrained=untrained)

    def _predictions(self, decided: list[tuple[str, ...]], *, untrained: bool) -> list[tuple[str, ...]]:
        return self.divide(self.words, decided) if untrained and self.divide is not None else decided

    def _measured(self) -> TagExamples:
        if self.measured is None or self.measured >= len(self):
            return self
        places = evenly_spread(len(self), self.measured)
        context = None if self.context is None else [self.context[place] for place in places]
        return TagExamples(
            [self.codes[place] for place in places],
            [self.numbers[place] for place in places],
            [self.tags[place] for place in places],
            context,
            words=[self.words[place] for place in places] if self.words else (),
            divide=self.divide,
        )
