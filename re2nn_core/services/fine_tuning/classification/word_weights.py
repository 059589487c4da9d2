"""The words that weigh most for each label, of a network with a linear layer over vectors of words.

Where a word's vector does not depend on its sentence, what the layer adds to a text's scores is a sum over its words,
at a common length. So a word's weights are what the layer adds to the scores of the word alone, less their mean over
labels.
"""

from __future__ import annotations

import torch
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import TextLinear
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.model_card import LARGEST_WEIGHTS, words_by_label
from re2nn_core.network.recurrence.batching import make_batch

__all__ = ["LARGEST_WEIGHTS", "listed_words", "strongest_words", "word_weights", "words_by_label"]

WORDS = 5  # of a label
LABELS = 20  # of more, no list is short


def word_weights(bundle: Bundle, linear: TextLinear, words: tuple[str, ...]) -> Tensor:
    """[words, labels]: the weights of words of the vocabulary. `linear`: the layer of the bundle, whose vectors do not
    depend on the sentence."""
    network = bundle.network
    batch = make_batch([bundle.vocabulary.encode([word]) for word in words], network.device)
    with torch.no_grad():
        scores: Tensor = linear(batch.words, network.reader.word_vectors(batch), batch.lengths)
    return scores - scores.mean(1, keepdim=True)


def strongest_words(bundle: Bundle) -> dict[str, tuple[str, ...]]:
    """Of each label the words of learned texts with the largest weights above zero, the largest first; empty where a
    network has no weights of words."""
    linear = bundle.network.linear
    if linear is None or bundle.network.reader.takes_context or not bool(linear.bias.any()):
        return {}
    known = zip(bundle.vocabulary.words, linear.idf.tolist(), strict=True)
    words = tuple(word for word, rarity in known if rarity and word.isalpha())
    if not words:
        return {}
    weights = word_weights(bundle, linear, words)
    largest, places = weights.topk(min(WORDS, len(words)), dim=0)
    return {
        label: tuple(words[place] for weight, place in zip(*column, strict=True) if weight > 0)
        for label, column in zip(
            bundle.network.logic.labels, zip(largest.T.tolist(), places.T.tolist(), strict=True), strict=True
        )
    }


def listed_words(bundle: Bundle) -> dict[str, tuple[str, ...]]:
    """The strongest words of each label that has some; none of very many labels."""
    strongest = strongest_words(bundle)
    return {label: words for label, words in strongest.items() if words} if len(strongest) <= LABELS else {}
