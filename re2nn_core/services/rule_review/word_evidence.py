"""Words of which the labelled texts say enough: what comes in one training text, and in no held-out text, is junk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

_ENOUGH = 2  # texts that are not held out


def words_with_evidence(sentences: Sequence[Sequence[str]], held: Collection[int]) -> frozenset[str]:
    """The words in several of the tokenized texts, or in one of those at the `held` places."""
    counts = Counter(word for sentence in sentences for word in set(sentence))
    kept = frozenset(word for place in held if place < len(sentences) for word in sentences[place])
    return kept | {word for word, count in counts.items() if count >= _ENOUGH}
