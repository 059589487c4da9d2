"""Whether quotes enclose the cells of a file with tabs, as spreadsheets and statistics programs write it, or stand in
them, as in TSV proper: found from all its cells."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.delimited import RawRows, split_csv
from re2nn_core.exchange.tables.header import written_here

ENCLOSED = "Quotes enclose cells here, as in CSV, and were left out of them."
# Nothing is tried twice: cells of many megabytes come in damaged files.
_QUOTED = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')
_DOUBLED = re.compile(r'"[^"]*+(?:""[^"]*+)++"')
_ENOUGH = 3  # cells with commas
_CUT_OFF = 3  # lines of cells that are cut by a line break inside quotes, of which one may be by the end of a part


def quotes_enclose(text: str, raw: RawRows, name: str) -> bool:
    """True where quotes enclose cells: around all names of columns, around line breaks that leave cells missing
    otherwise, around all cells with a comma and no others, or around all cells with a quote in them, which is then
    written twice. `raw`: the rows with quotes as
    they stand."""
    if '"' not in text or not raw.cells:
        return False
    if all(map(_QUOTED.fullmatch, raw.cells[0])):
        return True
    uneven = _uneven(raw)
    if uneven and any(cell.startswith('"') for row in raw.cells for cell in row):
        try:
            enclosed = split_csv(text, "\t", name)
        except DataFileError:
            return False
        faults = len(enclosed.bad_rows) + _uneven(enclosed)
        if not faults or (faults == 1 and uneven >= _CUT_OFF):
            return True
    cells = _cells_with_quotes(raw)
    doubled = any(map(_DOUBLED.fullmatch, cells)) and all(map(_QUOTED.fullmatch, cells))
    return (doubled or _as_spreadsheets_do(raw, cells)) and not written_here(raw.cells[0])


def _as_spreadsheets_do(raw: RawRows, quoted: Sequence[str]) -> bool:
    """Excel encloses the cells with a comma or a quote in them, and no others."""
    commas = [cell for row in raw.cells for cell in row if "," in cell]
    as_written = all(_QUOTED.fullmatch(cell) and ("," in cell or '""' in cell) for cell in quoted)
    return as_written and len(commas) >= _ENOUGH and all(map(_QUOTED.fullmatch, commas))


def question_on_quotes(raw: RawRows) -> tuple[str, ...]:
    """A note where quotes at both ends of cells, or quotes that nothing closes, may be meant to enclose them."""
    cells = _cells_with_quotes(raw)
    open_ones = _uneven(raw) and any(cell.count('"') % 2 for cell in cells)
    if not open_ones and not (cells and all(map(_QUOTED.fullmatch, cells))):
        return ()
    return (
        "Quotes were read as parts of the texts, as is usual in TSV. If they enclose cells, read the file as CSV "
        "(--format csv).",
    )


def tabs_between_quotes(lines: Sequence[str]) -> bool:
    """True where some lines are cells with tabs between as soon as quotes enclose line breaks."""
    try:
        rows = [row for row in csv.reader(lines, delimiter="\t") if row]
    except csv.Error:
        return False
    return len(rows) > 2 and len(rows[0]) > 1 and len({len(row) for row in rows[:-1]}) == 1


def _uneven(raw: RawRows) -> int:
    """How many rows have another number of cells than most."""
    widths = Counter(map(len, raw.cells))
    return len(raw.cells) - max(widths.values(), default=0)


def _cells_with_quotes(raw: RawRows) -> list[str]:
    return [cell for row in raw.cells for cell in row if '"' in cell]
