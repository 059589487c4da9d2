"""Counts as people say them."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 rule`, `2 rules`, `1,200 rules`; `plural` where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
