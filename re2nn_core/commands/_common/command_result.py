"""What a command hands back, and how it reads on a terminal: aligned tables, counts, percentages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from re2nn_core.text.json_text import json_text
from re2nn_core.text.visible import visible


@dataclass(frozen=True)
class CommandResult:
    """`data` is the object of --json, `text` the same for people; `ok` False makes the exit code 1."""

    data: Mapping[str, Any]
    text: str
    ok: bool = True


def show(result: CommandResult, *, as_json: bool) -> None:
    """Print a result to stdout. Signs that steer a terminal, or that it cannot show, are written out; a reader who
    has seen enough (`| head`) is no error."""
    text = json_text(result.data, ascii_only=True) if as_json else visible(result.text)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a header, columns aligned: numbers and shares to the right, words to the left."""
    cells = [list(header), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    right = [all(_is_number(row[column]) for row in cells[1:]) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.rjust(width) if numeric else cell.ljust(width)
            for cell, width, numeric in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in cells
    ]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    # Written out before widths are measured, so that columns stay where they are.
    return "-" if value is None else visible(str(value)).replace("\t", "\\t").replace("\n", "\\n")


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.rstrip("%").replace(",", "").replace(".", "", 1).isdigit()


def percent(share: float | None) -> str:
    """A share as people read it; "-" where there is none."""
    return "-" if share is None else f"{100 * share:.2f}%"


def sentence(words: Sequence[str] | None) -> str:
    """A witness as people read it."""
    if words is None:
        return "none"
    return " ".join(words) if words else "(the empty sentence)"
