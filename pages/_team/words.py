"""Small pieces of wording."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 text`, `2 texts`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
