"""Factors of a lower rank than the exact one, as compile reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.tensors.factors import Factors


def approximated(factors: Factors, rank: int) -> dict[str, Any]:
    """How good factors of a lower rank are."""
    from re2nn_core.tensors.decompose import low_rank

    found = low_rank(factors, rank, seed=0)
    return {
        "rank": rank,
        "relative_error": round(found.relative_error, 6),
        "wrong_entries": found.wrong_entries,
        "start": found.start,
    }


def low_rank_in_words(found: dict[str, Any] | None) -> str:
    """As a line of its own; nothing where no lower rank was asked for."""
    if found is None:
        return ""
    wrong = counted(found["wrong_entries"], "entry", "entries")
    return f"\nAt rank {found['rank']}: relative error {found['relative_error']:.4f}, {wrong} wrong at one half."
