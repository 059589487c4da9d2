"""What reconstruct reports of rules with some of the changes, by the words that these add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import percent, table
from re2nn_core.commands.models.reconstruct_json import figures_data

if TYPE_CHECKING:
    from re2nn_core.services.rule_review.sizes import ReconstructionSize

Sizes = Sequence["ReconstructionSize[Any]"]


def sizes_data(sizes: Sizes) -> list[dict[str, Any]]:
    """Each size for programs, from that of no change on."""
    return [
        {
            "counts": {"changes": len(size.names), "words": size.words},
            "splits": {one.split: figures_data(one) for one in size.figures},
        }
        for size in sizes
    ]


def sizes_table(sizes: Sizes, split: str, measure: str, score: Callable[[Any], float | None]) -> list[str]:
    """The figures of a split by size, as a part of the report; nothing where there are no sizes."""
    if not sizes:
        return []
    rows = []
    for place, size in enumerate(sizes, 1):
        figures = next(one for one in size.figures if one.split == split)
        named = {1: " (as written)", len(sizes): " (in the file)"}.get(place, "")
        rows.append([f"{len(size.names):,}{named}", size.words, percent(figures.fidelity), percent(score(figures))])
    header = ["changes", "added words", f"{split} agreement", f"{split} {measure}"]
    return [f"With some of the changes, those worth most for their words first:\n{table(header, rows)}"]
