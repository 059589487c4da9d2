"""Words of which the labelled texts say enough: what comes in one training text, and in no held-out text, is junk, if
nobody annotated it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, words_of_all

_ENOUGH = 2  # texts that are not held out


def words_with_evidence(sentences: Sequence[Sequence[str]], held: Collection[int]) -> frozenset[str]:
    """The words in several of the tokenized texts, or in one of those at the `held` places."""
    counts = Counter(word for sentence in sentences for word in set(sentence))
    kept = frozenset(word for place in held if place < len(sentences) for word in sentences[place])
    return kept | {word for word, count in counts.items() if count >= _ENOUGH}


def annotated_words(texts: Iterable[tuple[str, Sequence[Span] | None]], tokenization: Tokenization) -> frozenset[str]:
    """The words in the annotated spans of texts: somebody says what each of them is, however rare it is."""
    spans = [text[span.start : span.end] for text, own in texts for span in own or ()]
    return frozenset(word for words in words_of_all(spans, tokenization) for word in words)
