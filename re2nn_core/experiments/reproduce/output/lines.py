"""The figures of a table as lines or pairs, for whoever draws them."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.experiments.reproduce.output.results import Filled, Result

Points = tuple[str, tuple[str, ...], tuple[float, ...], tuple[float | None, ...]]


def groups_of(filled: Filled) -> tuple[str, ...]:
    """The pictures of a table: its groups of columns, or one without a name."""
    return tuple(dict.fromkeys(result.cell.column.group for result in filled.results))


def table_lines(filled: Filled, group: str) -> list[Points]:
    """For each row that was run: its name, places along the axis, values, deviations. Cells not run are left out."""
    rows: dict[str, list[Result]] = {}
    for result in filled.measured:
        if result.cell.column.group == group:
            rows.setdefault(result.cell.row, []).append(result)
    return [_line(row, results) for row, results in rows.items()]


def _line(row: str, results: Sequence[Result]) -> Points:
    found = [(result.cell.column.name, result.measured) for result in results if result.measured is not None]
    return (
        row,
        tuple(name for name, _ in found),
        tuple(measured.mean for _, measured in found),
        tuple(measured.std for _, measured in found),
    )
