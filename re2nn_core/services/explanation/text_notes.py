"""What has to be known of a text before its explanation is read: that it is too long for a search, or has signs that
cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.text.visible import hidden_signs

# A search tries changes at every word, and each of them costs a reading of all words: the cost grows with the square.
LONGEST = 400


def is_long(words: Sequence[object]) -> bool:
    """Whether a text has too many words for a search and for a figure at each of them."""
    return len(words) > LONGEST


def too_long(words: Sequence[object]) -> str:
    """What is not told of a long text, in a sentence."""
    return (
        f"The text has {len(words):,} words. Word contributions, paths and smallest changes are shown for texts "
        f"of up to {LONGEST} words. Explain a part of the text to see them."
    )


def text_notes(text: str, words: Sequence[object]) -> list[str]:
    """What has to be known of a text, in sentences."""
    notes = [too_long(words)] if is_long(words) else []
    if signs := hidden_signs(text):
        notes.append(f"The text has signs that cannot be seen ({', '.join(signs)}); they are read as parts of words.")
    return notes
