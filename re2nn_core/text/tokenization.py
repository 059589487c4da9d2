"""Tokenizers that keep character offsets, so that every token can be shown where it stands in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

TokenizerKind = Literal["whitespace", "punctuation"]

_WHITESPACE = re.compile(r"\S+")
# A run of letters, digits, marks and inner . ' - _ between them; anything else stands alone.
_PUNCTUATION = re.compile(r"\w+(?:[.'’\-]\w+)*|[^\w\s]")
_PATTERNS = {"whitespace": _WHITESPACE, "punctuation": _PUNCTUATION}


@dataclass(frozen=True)
class Token:
    """A word and the half-open range of characters `[start, end)` it was read from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Tokenization:
    """How texts become words. `whitespace` cuts at blanks only; `punctuation` also splits signs off."""

    kind: TokenizerKind = "whitespace"
    lowercase: bool = True

    def __post_init__(self) -> None:
        if self.kind not in _PATTERNS:
            raise ValueError(f"tokenizer kind must be one of {', '.join(_PATTERNS)} (got {self.kind!r})")


def tokenize(text: str, tokenization: Tokenization) -> tuple[Token, ...]:
    """The tokens of a text with their character offsets in it."""
    matches = _PATTERNS[tokenization.kind].finditer(text)
    if tokenization.lowercase:
        return tuple(Token(match.group().lower(), match.start(), match.end()) for match in matches)
    return tuple(Token(match.group(), match.start(), match.end()) for match in matches)


def words(text: str, tokenization: Tokenization) -> tuple[str, ...]:
    """The words of a text, without offsets: what rules and networks read."""
    # In one go where that is the same; the small form of a sigma depends on what stands behind it.
    if tokenization.lowercase and len(text.lower()) == len(text) and "Σ" not in text:
        text = text.lower()
        return tuple(_PATTERNS[tokenization.kind].findall(text))
    return tuple(token.text for token in tokenize(text, tokenization))


def words_of_all(texts: Iterable[str], tokenization: Tokenization) -> list[tuple[str, ...]]:
    """`words` for many texts."""
    return [words(text, tokenization) for text in texts]
