"""Names joined for a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[str], *, last: str = "and") -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cleo"."""
    return f" {last} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def first_names(names: Sequence[str], most: int = 12) -> str:
    """The first names, and how many more there are: "Ann, Bob and 3 more"."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def first_quoted(names: Sequence[str], most: int = 12) -> str:
    """The same of names that may be words of the sentence: "“yet”, “chairs” and 3 more"."""
    return first_names([f"“{name}”" for name in names], most)
