"""FSTRNN (Jiang et al., EMNLP 2021): rules with captures as a recurrent tagger, equal to them at the start.

    gamma_t  = alpha_t * beta_t                     both directions of the transducers (recurrent_layer.py)
    votes_t  = squash(gamma_t E) M                  E joins the states of a rule that give the same tag, M rules that do
    scores_t = silence(votes_t) + gamma_t H         priorities (appendix E); H, the head, starts at zero
    logits_t = scale * scores_t + auxiliary_t       auxiliary_t, of the auxiliary encoder, starts at zero
    (auxiliary/auxiliary_encoder.py)

Where training ends with a linear layer (auxiliary/tag_linear.py), its scores take the place of a share of the logits.

The paper scores (alpha_t * beta_t) O, which counts paths and states; here each rule counts once for each tag that it
may give a word, so that the scores are those of the rule system. The wildcard's score is bounded by tau (section 3.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from re2nn_core.embeddings.encoder import DIMENSIONS
from re2nn_core.network.auxiliary.auxiliary_encoder import WordAuxiliary
from re2nn_core.network.auxiliary.tag_linear import TagLinear, WordFeatures
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.new_words import reader_with_words, shallow, with_rows
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.crf import LinearChain
from re2nn_core.network.slot_filling.recurrent_layer import TransducerLayer, WordOrder, context_in_order, word_order
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.tensors.factors import Floats
from re2nn_core.tensors.tagged_factors import TagFactors, indicator
from re2nn_core.text.spans import OUTSIDE

LATER = 1e-3  # of tags with as many votes the first is taken: each one scores this much less than the one before it
MOST_LATER = 0.05  # all of them together, and half of what is left between the wildcard's bound and one vote
OUTSIDE_NUMBER = 1  # of O among a tagger's tags
CLAIMED = 0.5  # a vote is one, less what later tags lose


@dataclass(frozen=True)
class TaggerOutputs:
    """What a tagger makes of a batch, words in the order of reading. gamma [words, states]; emitted [words, emitters];
    logits [words, tags]; scores [words, tags]: those of the rules, by which they decide. A network whose auxiliary
    encoder is detached leaves the rules out while it learns."""

    order: WordOrder
    gamma: Tensor
    emitted: Tensor
    logits: Tensor
    scores: Tensor


class FstRnn(nn.Module):
    """The tagger of transducers. `tags`: the wildcard, O, then the others in their order; `silences`: pairs of tag
    numbers, the second of which is silent where the first has a vote. `seen`: word numbers of the texts that are
    learned from, for the auxiliary encoder. `encoder`: one that learns along, for batches of pieces."""

    emitting: Tensor
    voting: Tensor
    silencing: Tensor
    later: Tensor

    def __init__(
        self,
        tag_factors: TagFactors,
        tags: Sequence[str],
        silences: Sequence[tuple[int, int]],
        vectors: Floats | None,
        config: TaggerConfig,
        seen: Sequence[int] = (),
        encoder: TunedEncoder | None = None,
    ) -> None:
        super().__init__()
        if tuple(tags[:2]) != (WILDCARD, OUTSIDE):
            raise ValueError(f"the first two tags are {WILDCARD} and {OUTSIDE} (got {tags[:2]})")
        self.config, self.tags, self.names = config, tuple(tags), tag_factors.factors.names
        self.emitters, self.blocks = tag_factors.emitters, tag_factors.factors.blocks
        self.reader = TransducerLayer(tag_factors.factors, vectors, config)
        numbers = {tag: number for number, tag in enumerate(self.tags)}
        places = {emitter: place for place, emitter in enumerate(self.emitters)}
        states = len(self.reader.start)
        of_state = [None if emitter is None else places[emitter] for emitter in tag_factors.emitter_of]
        of_state += [None] * (states - len(of_state))
        count, labels = len(self.emitters), len(self.tags)
        self.register_buffer("emitting", torch.from_numpy(indicator(states, of_state, count)))
        votes = indicator(count, [numbers[tag] for _, tag in self.emitters], labels)
        self.register_buffer("voting", torch.from_numpy(votes))
        silencing = torch.zeros(labels, labels)
        for louder, silent in silences:
            silencing[louder, silent] = 1
        self.register_buffer("silencing", silencing)
        most_later = min(MOST_LATER, (1 - config.threshold) / 2)
        self.register_buffer("later", torch.arange(labels) * min(LATER, most_later / labels))
        self.trust = nn.Parameter(torch.ones(count))  # [emitters], what a rule's vote for a tag counts
        self.head = nn.Parameter(torch.zeros(states, labels))  # H
        self.bias = nn.Parameter(torch.zeros(labels))
        vocabulary, dimensions = len(self.reader.vectors), self.reader.auxiliary_dimensions
        given = (vocabulary, dimensions, labels, config, seen)
        self.auxiliary = WordAuxiliary(*given) if config.auxiliary != "none" else None
        self.chain = LinearChain(labels) if config.decoding == "crf" else None
        near = int(self.reader.vectors.shape[1])
        in_context = DIMENSIONS if config.linear_vectors == CONTEXT else 0
        linear = config.linear and self.chain is not None
        self.linear = TagLinear(vocabulary, near, count, labels, in_context) if linear else None
        self.encoder = encoder

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.bias.device

    @property
    def takes_context(self) -> bool:
        """Whether it asks for the vectors of words in their sentences: its rules, or its linear layer alone."""
        return self.reader.takes_context or self.linear_in_context

    @property
    def linear_in_context(self) -> bool:
        """Whether its linear layer, and nothing else, reads words in their sentences."""
        return self.linear is not None and bool(self.linear.in_context) and not self.reader.takes_context

    def with_words(self, stand_ins: Sequence[int], numbers: Sequence[int], vectors: Floats) -> FstRnn:
        """The tagger with further words and vectors, as network/new_words.py says."""
        made = shallow(self)
        made.reader = reader_with_words(self.reader, stand_ins, numbers, vectors)
        if self.auxiliary is not None:
            made.auxiliary = with_rows(self.auxiliary, ("seen",), stand_ins)
        if self.linear is not None:
            made.linear = with_rows(self.linear, ("by_word",), stand_ins)
        return made

    def read(self, batch: Batch) -> TaggerOutputs:
        """Both directions, votes and logits of all words of a batch."""
        batch = self._in_context(batch)
        read = self._read(self.of_rules(batch))
        if self.linear is None or self.training or not (share := float(self.linear.share)):
            return read
        added = self.linear(self._word_features(batch, read)).flatten(0, 1).index_select(0, read.order.places)
        return replace(read, logits=(1 - share) * read.logits + share * added)

    def word_features(self, batch: Batch) -> WordFeatures:
        """What the linear layer reads of a batch."""
        batch = self._in_context(batch)
        return self._word_features(batch, self._read(self.of_rules(batch)))

    def of_rules(self, batch: Batch) -> Batch:
        """The batch as rules and auxiliary encoder read it: without vectors in context that are the layer's alone."""
        return batch if batch.context is None or self.reader.takes_context else replace(batch, context=None)

    def _in_context(self, batch: Batch) -> Batch:
        """The batch with vectors in the place of pieces, where the encoder learns along."""
        if self.encoder is None or batch.context is None:
            return batch
        return replace(batch, context=self.encoder(batch.context.long(), batch.lengths))

    def _read(self, batch: Batch) -> TaggerOutputs:
        """Without the linear layer."""
        order = word_order(batch)
        if self.auxiliary is not None and self.config.detached and self.training:
            nothing = self.bias.new_zeros(len(order.places), 0)
            logits = self._auxiliary_logits(self.auxiliary, batch, order, nothing)
            return TaggerOutputs(order, nothing, nothing, logits + self.bias, nothing)
        alpha, beta = self.reader.both_states(batch, order)
        gamma = alpha * beta
        emitted = self.reader.squash(gamma @ self.emitting)
        votes = self.silenced((emitted * self.trust) @ self.voting)
        scores = votes + gamma @ self.head
        scores = torch.cat([scores[:, :1].clamp(max=self.config.threshold), scores[:, 1:]], 1) - self.later
        if self.config.detached:
            scores = rule_decisions(scores)
        logits = self.config.logit_scale * scores + self.bias
        if self.auxiliary is not None:
            given = self.rules_given(votes, scores)
            logits = logits + self._auxiliary_logits(self.auxiliary, batch, order, given)
        return TaggerOutputs(order, gamma, emitted, logits, scores)

    def _word_features(self, batch: Batch, read: TaggerOutputs) -> WordFeatures:
        near = self.reader.auxiliary_vectors(self.of_rules(batch), read.order)[:, : self.reader.vectors.shape[1]]
        if self.linear is not None and self.linear_in_context:
            context = context_in_order(batch, read.order)
            nothing = near.new_zeros(len(near), self.linear.in_context)
            near = torch.cat([near, nothing if context is None else self.linear.standard(context)], 1)
        decided = decided_tags(read.scores)
        vectors, tags, emitted = (self.padded(part, read.order, batch) for part in (near, decided, read.emitted))
        return WordFeatures(batch.words, vectors, tags, emitted, batch.inside())

    def rules_given(self, votes: Tensor, scores: Tensor) -> Tensor:
        """[words, tags], from votes and scores [words, tags]: what the auxiliary encoder is given of the rules; no
        columns where it is detached."""
        if self.config.detached:
            return votes[:, :0]
        if self.config.auxiliary_rules == "votes":
            return votes
        return nn.functional.one_hot(decided_tags(scores), len(self.tags)).to(votes.dtype)

    def _auxiliary_logits(self, auxiliary: WordAuxiliary, batch: Batch, order: WordOrder, given: Tensor) -> Tensor:
        """[words, tags]: what the auxiliary encoder adds, with what it is given of the rules."""
        words = batch.words.reshape(-1)[order.places]
        return auxiliary(words, self.reader.auxiliary_vectors(batch, order), given, order.running)

    def silenced(self, votes: Tensor) -> Tensor:
        """[words, tags] votes without those of tags that a stronger one silences: the paper's max(0, b - a) for votes
        of one rule, and nothing at all is left however many vote."""
        if not bool(self.silencing.any()):
            return votes
        return votes * (1 - (votes @ self.silencing).clamp(0, 1))

    def forward(self, batch: Batch) -> Tensor:
        """[batch, time, tags]: logits, zeros behind the end of a sentence."""
        reading = self.read(batch)
        return self.padded(reading.logits, reading.order, batch)

    def padded(self, values: Tensor, order: WordOrder, batch: Batch) -> Tensor:
        """[batch, time, ...] from [words, ...] in the order of reading. Axes: [batch, time, ...]."""
        size = batch.words.numel()
        rows = values.new_zeros(size, *values.shape[1:]).index_copy(0, order.places, values)
        return rows.unflatten(0, tuple(batch.words.shape))

    def log_likelihood(self, logits: Tensor, gold: Tensor, inside: Tensor) -> Tensor:
        """[batch]: of tag numbers gold [batch, time], 0 behind the end, from logits [batch, time, tags]; inside [batch,
        time] is True for words."""
        if self.chain is not None:
            return self.chain.log_likelihood(logits, gold, inside)
        own = torch.log_softmax(logits, 2).gather(2, gold[:, :, None])[:, :, 0]
        return (own * inside).sum(1)

    def best(self, logits: Tensor, inside: Tensor) -> Tensor:
        """[batch, time]: tag numbers from logits [batch, time, tags]; inside [batch, time] is True for words."""
        return logits.argmax(2) * inside if self.chain is None else self.chain.best(logits, inside)

    def probabilities(self, logits: Tensor, inside: Tensor) -> Tensor:
        """[batch, time, tags]: of each tag at each word."""
        if self.chain is None:
            return torch.softmax(logits, 2) * inside[:, :, None]
        return self.chain.marginals(logits, inside)


def decided_tags(scores: Tensor) -> Tensor:
    """[words]: the number of the tag that rules of these scores [words, tags] decide upon, O where it is the
    wildcard."""
    return scores.argmax(1).clamp(min=OUTSIDE_NUMBER)


def rule_decisions(scores: Tensor) -> Tensor:
    """[words, tags]: 1 for the best tag of each word that some rule claims, 0 for all else: where the auxiliary
    encoder is detached, the rules' prediction stands whatever it has learned, and elsewhere it has the word alone."""
    best = scores[:, 1:].max(1)
    chosen = torch.zeros_like(scores).scatter(1, best.indices[:, None] + 1, 1.0)
    return chosen * (best.values > CLAIMED)[:, None]
