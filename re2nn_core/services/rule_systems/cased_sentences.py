"""Texts as words, for rules that change all the time: with the spellings that the rules of the moment tell from others.

Texts are tokenized once without any, and again only where the spellings are others than before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from re2nn_core.rules.tree import Node, named_words
from re2nn_core.text.case_words import surfaces_of
from re2nn_core.text.tokenization import Tokenization, words_of_all

Sentences = Sequence[tuple[str, ...]]


class CasedSentences:
    """`plain` are the sentences of the texts where rules ask for no case."""

    def __init__(self, texts: Sequence[str], tokenization: Tokenization, plain: Sentences) -> None:
        self._texts, self._tokenization, self._plain = texts, tokenization, plain
        self._last: tuple[frozenset[str], Sentences] = (frozenset(), plain)

    def for_trees(self, trees: Iterable[Node]) -> Sentences:
        """The sentences as the rules read them; the trees have their classes put in."""
        surfaces = surfaces_of(frozenset[str]().union(*map(named_words, trees)))
        if not surfaces:
            return self._plain
        known, sentences = self._last
        if known != surfaces:
            sentences = words_of_all(self._texts, replace(self._tokenization, cased=surfaces))
            self._last = (surfaces, sentences)
        return sentences
