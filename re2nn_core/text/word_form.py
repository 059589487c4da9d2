"""The form in which words are compared: canonically composed (Unicode NFC), and in lower case where that is asked for.

Keyboards and PDF files write the same letter as one sign or as a letter with a mark: `é`, and `e` with U+0301.
"""

from __future__ import annotations

from unicodedata import is_normalized, normalize


def composed(text: str) -> str:
    """The text in NFC; most texts are already."""
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def word_form(word: str, *, lowercase: bool) -> str:
    """The word as rules and texts meet in it."""
    return composed(word.lower() if lowercase else word)
