"""Sentences with words changed: all that lie one word away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Sentence = tuple[str, ...]


def one_edit_away(sentence: Sentence, words: Sequence[str]) -> Iterator[Sentence]:
    """All sentences one word away: left out, replaced, put in."""
    for place in range(len(sentence) + 1):
        for word in words:
            yield (*sentence[:place], word, *sentence[place:])
        if place < len(sentence):
            yield (*sentence[:place], *sentence[place + 1 :])
            for word in words:
                yield (*sentence[:place], word, *sentence[place + 1 :])
