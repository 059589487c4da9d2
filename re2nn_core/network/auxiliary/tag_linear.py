"""A linear layer over each word and its neighbours, with a chain over the tags: a conditional random field (Lafferty et
al., ICML 2001) that is given the rules' tags too (stacked generalisation; Wolpert, Neural Networks 5, 1992), so that it
learns how far each rule and each slot is right, and where their borders are not.

Its features at a word are the words and the rules' tags up to two places away, the vectors up to one place away, and
the rules that give the word a tag. The vectors are those of words, behind them those of the words in their sentence,
where it reads these. Its weights are the minimum of a convex loss
(services/fine_tuning/slot_filling/linear_fit.py) that pulls them to the rules' own tags, so that few texts move
little; training of the network leaves them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

PLACES = (-2, -1, 0, 1, 2)  # of the neighbours whose words and rule tags count
NEAR = (-1, 0, 1)  # of those whose vectors count
VECTORS = 2.3  # the length of vectors, which is one elsewhere
NEVER = -30.0  # the score of the wildcard tag, which texts do not have


@dataclass(frozen=True)
class WordFeatures:
    """Of a batch: words [batch, time]; vectors [batch, time, dimensions]; decided [batch, time], the rules' tags;
    emitted [batch, time, emitters], what each rule gives; inside [batch, time], True for words. All are zeros behind
    the end of a sentence."""

    words: Tensor
    vectors: Tensor
    decided: Tensor
    emitted: Tensor
    inside: Tensor


class TagLinear(nn.Module):
    """Scores of tags; zeros until it is fitted. `share`: how much of the logits is the layer's, the rest being those
    of the network without it. The chain is that of all logits together. `in_context`: dimensions of the vectors in
    context, which are moved by `mean` and multiplied by `scale` (`set_standard`)."""

    share: Tensor
    mean: Tensor
    scale: Tensor

    def __init__(self, vocabulary: int, dimensions: int, emitters: int, tags: int, in_context: int = 0) -> None:
        super().__init__()
        self.tags, self.in_context = tags, in_context
        if in_context:
            self.register_buffer("mean", torch.zeros(in_context))
            self.register_buffer("scale", torch.ones(()))
        self.register_buffer("share", torch.zeros(()))
        self.by_word = _zeros(vocabulary, len(PLACES) * tags)
        self.by_tag = _zeros(tags, len(PLACES) * tags)
        self.by_vector = _zeros(dimensions + in_context, len(NEAR) * tags)
        self.by_emitter = _zeros(emitters, tags)
        self.edges = _zeros(len(PLACES), tags)  # where there is no neighbour
        self.bias = _zeros(tags)

    def forward(self, features: WordFeatures) -> Tensor:
        """[batch, time, tags]; what it holds behind the end of a sentence means nothing."""
        return without_wildcard(scores_of(features, dict(self.named_parameters()), self.tags))

    def set_standard(self, mean: Tensor, scale: float) -> None:
        """How vectors in context [in_context] get mean zero and mean length one."""
        self.mean.copy_(mean)
        self.scale.fill_(scale)

    def standard(self, context: Tensor) -> Tensor:
        """[words, in_context]: vectors in context as the layer reads them."""
        return (context - self.mean) * self.scale

    def of_words(self) -> TagLinear:
        """The same layer without vectors in context."""
        words = len(self.by_vector) - self.in_context
        made = TagLinear(len(self.by_word), words, len(self.by_emitter), self.tags).to(self.bias.device)
        kept = {**self.state_dict(), "by_vector": self.by_vector[:words]}
        made.load_state_dict({name: kept[name] for name in made.state_dict()})
        return made

    def set_weights(self, weights: Mapping[str, Tensor], share: float) -> None:
        """Take fitted weights, and how much of the logits they are."""
        self.share.fill_(share)
        for name, parameter in self.named_parameters():
            parameter.data.copy_(weights[name])


def _zeros(*size: int) -> nn.Parameter:
    """A parameter that training of the network leaves alone. Axes: size."""
    return nn.Parameter(torch.zeros(size), requires_grad=False)


def scores_of(features: WordFeatures, weights: Mapping[str, Tensor], tags: int) -> Tensor:
    """[batch, time, tags], by the weights of a TagLinear."""
    at_words = nn.functional.embedding(features.words, weights["by_word"])
    at_words = at_words + nn.functional.embedding(features.decided, weights["by_tag"])
    inside = features.inside[:, :, None].to(at_words.dtype)
    scores = weights["bias"] + features.emitted @ weights["by_emitter"]
    for number, place in enumerate(PLACES):
        own = at_words[:, :, number * tags : (number + 1) * tags]
        edge = weights["edges"][number]
        scores = scores + edge + shifted((own - edge) * inside, place)
    near = (VECTORS * features.vectors) @ weights["by_vector"]
    for number, place in enumerate(NEAR):
        scores = scores + shifted(near[:, :, number * tags : (number + 1) * tags], place)
    return scores


def shifted(values: Tensor, place: int) -> Tensor:
    """[batch, time, columns]: at each word the values of the one so many places behind; zeros where there is none."""
    if not place:
        return values
    nothing = torch.zeros_like(values[:, : abs(place)])
    if place > 0:
        return torch.cat([values[:, place:], nothing], 1)
    return torch.cat([nothing, values[:, :place]], 1)


def without_wildcard(scores: Tensor) -> Tensor:
    """Scores of tags, the wildcard's so low that it is never taken. The axes stay."""
    return torch.cat([torch.full_like(scores[..., :1], NEVER), scores[..., 1:]], -1)
