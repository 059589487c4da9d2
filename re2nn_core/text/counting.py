"""Counts and lists of names as people say them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LARGEST_WEIGHTS = "Words with the largest weights"
MOST_TEXTS = 1_000  # beyond so many further texts no number is given


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 rule`, `2 rules`, `1,200 rules`; `plural` where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def words_by_label(words: Mapping[str, Sequence[str]]) -> str:
    """`fare: price, much; seat: chair`."""
    return "; ".join(f"{label}: {', '.join(own)}" for label, own in words.items())


def at_this_rate(more: int) -> str:
    """How many more annotated texts would decide whether something gains, without a sign at the end."""
    if more > MOST_TEXTS:
        return f"At this rate, more than {MOST_TEXTS:,} more annotated texts would be needed to decide"
    return f"At this rate, about {counted(more, 'more annotated text')} would decide"
