"""A table for a terminal: a block for each group of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from re2nn_core.experiments.reproduce.output.leading import leads_in_words
from re2nn_core.experiments.reproduce.output.results import Filled
from re2nn_core.experiments.reproduce.output.wording import (
    FOOT,
    NO_TIME,
    difference_text,
    left_out,
    mixed_vectors,
    other_settings,
    ours,
    published,
    seeds,
    summary,
    why_not,
)
from re2nn_core.experiments.reproduce.tables.spec import Column

_ABREAST = 4


def text_of(filled: Filled) -> str:
    """Title, blocks, and what must be known to read them."""
    table = filled.table
    blocks = [_block(filled, part) for group in _groups(filled) for part in _parts(filled, group)]
    reported = [summary(filled), f"In each block: {table.unit}. {FOOT} n: seeds, = where nothing is random."]
    reported += [text for text in (leads_in_words(filled), table.note) if text]
    reported += [*mixed_vectors(filled), *other_settings(filled)]
    reported += [
        reason for reason in why_not(filled) if reason != NO_TIME
    ]  # the command counts these, and tells how long
    reported += [left_out(filled)] if filled.left_out else []
    return "\n\n".join([f"{table.paper}, {table.number}: {table.title}", *blocks, "\n".join(reported)])


def _groups(filled: Filled) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.cell.column.group for result in filled.results))


def _parts(filled: Filled, group: str) -> Iterator[Sequence[Column]]:
    """The columns of a group, so many at a time as a terminal has room for."""
    columns = list(dict.fromkeys(r.cell.column for r in filled.results if r.cell.column.group == group))
    for start in range(0, len(columns), _ABREAST):
        yield columns[start : start + _ABREAST]


def _block(filled: Filled, columns: Sequence[Column]) -> str:
    results = [result for result in filled.results if result.cell.column in columns]
    rows = list(dict.fromkeys(result.cell.row for result in results))
    by_place = {(result.cell.row, result.cell.column): result for result in results}
    lines: list[Sequence[str]] = [_head(columns[0].group, columns)]
    for row in rows:
        line = [row]
        for column in columns:
            result = by_place.get((row, column))
            if result is None:
                line += ["", "", "", ""]
                continue
            count = "" if result.measured is None else seeds(result).split(" ")[0].replace("nothing", "=")
            line += [ours(result), count, published(result), difference_text(result)]
        lines.append(line)
    return _aligned(lines)


def _head(group: str, columns: Sequence[Column]) -> list[str]:
    return [group, *(name for column in columns for name in (column.name or group, "n", "published", "diff"))]


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if not n else cell.rjust(w) for n, (cell, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
