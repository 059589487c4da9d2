"""Words that a trained network does not have get their vectors when they are met.

Without them a network would predict worse for new texts than its test figures say: the words of test texts are known
when vectors are chosen, and what training has made of a word goes by its vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, Self, TypeVar

import numpy as np

from re2nn_core.embeddings.new_words import new_word_vectors
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.tensors.factors import Floats
from re2nn_core.text.case_words import without_case
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary


class _HasWords(Protocol):
    """What the bundles of both tasks have in common."""

    @property
    def network(self) -> FaRnn | FstRnn: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def vectors_name(self) -> str: ...
    @property
    def trained(self) -> bool: ...
    def with_words(self, words: Sequence[str], vectors: Floats) -> Self: ...


Network = TypeVar("Network", bound=_HasWords)


def knowing(bundle: Network, sentences: Iterable[Sequence[str]]) -> Network:
    """The bundle whose networks have a vector for each word of the sentences that can have one; the bundle itself where
    they have no vectors of words, or take those of words in their sentences. Rules read each word as before."""
    vocabulary, reader = bundle.vocabulary, bundle.network.reader
    if not bundle.trained or reader.takes_context or not reader.vectors.shape[1]:
        return bundle
    index, own = vocabulary.index, len(UNKNOWN_KINDS)
    # Words that were met before say nothing of others, so that a word has the same vector whatever was met.
    known = len(vocabulary) - vocabulary.met
    rows = reader.vectors[own:known].cpu().numpy()
    # Words of rules that were added after the training are in the vocabulary and have none.
    bare = {vocabulary.words[own + place] for place in np.flatnonzero(~rows.any(1))}
    met = dict.fromkeys(word for sentence in sentences for word in sentence if word not in index or word in bare)
    new = [word for word in met if word in bare or without_case(word) not in index]
    if not new:
        return bundle
    vectors = new_word_vectors(new, vocabulary.words[own:known], rows, bundle.vectors_name)
    has = np.flatnonzero(vectors.any(1))
    return bundle.with_words([new[place] for place in has], vectors[has]) if len(has) else bundle
