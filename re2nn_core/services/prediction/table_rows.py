"""Rows of a table of predictions: the columns that the texts came with, free names for new ones, and filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.exchange.tables.table import Row, Table

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SourceRows:
    """The rows that texts came from, so that an export keeps their other columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def source_of(table: Table, lines: Sequence[int]) -> SourceRows:
    """The rows of a table that begin on these lines: those that were kept as texts."""
    by_line = dict(zip(table.lines, table.rows, strict=True))
    return SourceRows(table.columns, tuple(by_line[line] for line in lines))


def free_names(taken: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The wanted names for new columns, numbered where a column of that name is there already."""
    names: list[str] = []
    for first in wanted:
        name, number = first, 1
        while name in taken or name in names:
            number += 1
            name = f"{first}_{number}"
        names.append(name)
    return names


def yes_or_no(found: bool | None) -> str | None:
    """A cell that says whether something holds, empty where nobody knows."""
    return None if found is None else "yes" if found else "no"


def repeated(texts: Sequence[str]) -> dict[str, int]:
    """The texts that are there more than once, with how often."""
    return {text: count for text, count in Counter(texts).items() if count > 1}


def within(certainty: NDArray[np.float32], lowest: float, highest: float) -> Bools:
    """[texts]: a confidence or precision from `lowest` to `highest`; where nothing is known (NaN), without bounds
    alone."""
    # What is shown is rounded, so a bound of 0.58 takes in what is shown as 0.58.
    shown = np.round(certainty, 2)
    bounded = lowest > 0 or highest < 1
    return np.asarray(((shown >= lowest - 1e-6) & (shown <= highest + 1e-6)) | (np.isnan(shown) & (not bounded)))


def texts_with(search: str, texts: Sequence[str]) -> Bools:
    """[texts]: the text holds what is searched, whatever the case of letters."""
    needle = search.casefold()
    return np.fromiter((needle in text.casefold() for text in texts), np.bool_, len(texts))
