"""What the words of a set have in common, as far as counting and word vectors can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.text.vocabulary import Vocabulary
from re2nn_core.text.word_groups import common_name

MOSTLY = 0.6
SEEN_OFTEN = 20
NEIGHBOURS = 3
_ENDINGS = ("ing", "ed", "er", "est", "ly", "tion", "ist", "al", "s")


class WordSets:
    """Describes sets of words of one vocabulary, by how often the texts hold them and by their vectors."""

    def __init__(self, vocabulary: Vocabulary, vectors: NDArray[np.float32], counts: Mapping[str, int]) -> None:
        """vectors [vocabulary, dimensions], of no dimensions where there are none."""
        self.vocabulary, self.counts = vocabulary, counts
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        self.vectors = vectors / np.maximum(norms, 1e-9)
        self.place = {word: place for place, word in enumerate(vocabulary.words)}
        self.tokens = max(1, sum(counts.values()))

    def describe(self, words: Sequence[str]) -> str:
        """The set in words, such as "mostly numbers; 12% of all words read; like: city, river, town"."""
        reported = [*self._kind(words), self._share(words)]
        if near := self._neighbours(words):
            reported.append(f"like: {', '.join(near)}")
        return "; ".join(reported)

    def likeness(self, one: str, other: str) -> float:
        """The cosine of two words' vectors; -1 where one of them has none."""
        if one not in self.place or other not in self.place or not self.vectors.shape[1]:
            return -1.0
        return float(self.vectors[self.place[one]] @ self.vectors[self.place[other]])

    def _kind(self, words: Sequence[str]) -> list[str]:
        if name := common_name(words, MOSTLY):
            return [f"mostly {name}"]
        endings = Counter(
            next((e for e in _ENDINGS if word.endswith(e) and len(word) > len(e) + 2), "") for word in words
        )
        ending, count = endings.most_common(1)[0]
        return [f"mostly words in -{ending}"] if ending and count >= MOSTLY * len(words) else []

    def _share(self, words: Sequence[str]) -> str:
        seen = sum(self.counts.get(word, 0) for word in words)
        rare = sum(self.counts.get(word, 0) < SEEN_OFTEN for word in words)
        often = "rare words, " if rare >= 0.95 * len(words) else ""
        return f"{often}{seen / self.tokens:.1%} of all words read"

    def _neighbours(self, words: Sequence[str]) -> list[str]:
        """The words of the set that stand in its middle: those whose vectors are most like all of theirs together."""
        places = [self.place[word] for word in words if word in self.place]
        if not self.vectors.shape[1] or not places:
            return []
        middle = self.vectors[places].mean(0)
        likeness = self.vectors[places] @ middle
        known = [place for place in np.argsort(-likeness) if likeness[place] > 0]
        return [self.vocabulary.words[places[place]] for place in known[:NEIGHBOURS]]


def word_sets(bundle: Bundle | TaggerBundle, sentences: Sequence[Sequence[str]]) -> WordSets:
    """What describes sets of the network's words, by these sentences."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return WordSets(bundle.vocabulary, bundle.network.reader.vectors.cpu().numpy(), counts)
