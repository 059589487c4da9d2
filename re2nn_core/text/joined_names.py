"""Names joined for a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[str], *, last: str = "and") -> str:
    """ "Ann", "Ann and Bob", "Ann, Bob and Cleo"."""
    return f" {last} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
