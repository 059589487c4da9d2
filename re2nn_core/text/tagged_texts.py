"""Texts with the tags of their words, where somebody has said which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import tags_of
from re2nn_core.text.tokenization import Token, Tokenization, tokenize


@dataclass(frozen=True)
class TaggedText:
    """The words of a text, and a tag for each of them where somebody has said which."""

    tokens: tuple[Token, ...]
    tags: tuple[str, ...] | None

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)


def tagged_texts(examples: Sequence[Example], tokenization: Tokenization) -> list[TaggedText]:
    """The words and tags of examples. InputError for spans that do not meet the borders of words."""
    found = []
    for example in examples:
        tokens = tokenize(example.text, tokenization)
        tags = None if example.spans is None else tags_of(example.spans, tokens, example.text)
        found.append(TaggedText(tokens, tags))
    return found


def known_tags(texts: Sequence[TaggedText]) -> tuple[str, ...]:
    """The tags of texts but O, B before I, in alphabetical order of their slots."""
    found = {tag for text in texts for tag in text.tags or ()} - {"O"}
    with_begins = found | {f"B-{tag[2:]}" for tag in found}
    return tuple(sorted(with_begins, key=lambda tag: (tag[2:], tag[0])))
