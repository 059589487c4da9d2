"""Counts and lists of names as people say them."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 rule`, `2 rules`, `1,200 rules`; `plural` where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def join_names(labels: Sequence[str], most: int = 5) -> str:
    """The first of some labels, and how many more there are."""
    more = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {more} more" if more > 0 else "")
