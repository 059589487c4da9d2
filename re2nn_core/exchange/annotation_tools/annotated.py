"""Texts as tools for labelling write them: with a label, with spans, or with neither; and what that makes here.

One reading serves both tasks. For labels the rows become a table with the columns text, label and split; for slots the
rows of slot data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.span_rows import SlotRow, SlotRows
from re2nn_core.exchange.tables.assemble import nothing_left
from re2nn_core.exchange.tables.jsonl import kind_of
from re2nn_core.exchange.tables.table import BadRow, RefusedError, Table, cell_fault
from re2nn_core.text.spans import Span

COLUMNS = ("text", "label", "split")


@dataclass(frozen=True)
class AnnotatedRow:
    """One text. `label` and `spans` are None where nobody gave any; `tokens` and `tags` stand for text and spans."""

    line: int
    text: str
    label: str | None = None
    spans: tuple[Span, ...] | None = None
    split: str | None = None


@dataclass
class AnnotatedRows:
    """The rows of a file, those refused, and how often each remark was due, with the place of the first. `at` is what a
    place is called: a line, or in files that may be one long line something else that can be counted."""

    rows: list[AnnotatedRow] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    remarks: dict[str, list[int]] = field(default_factory=dict)
    at: str = "on line"

    def remark(self, what: str, place: int) -> None:
        """Remember that something at this place was read in a way that has to be told."""
        told = self.remarks.setdefault(what, [0, place])
        told[0] += 1

    def all_notes(self) -> list[str]:
        """Notes, and each remark with how many rows it is due on."""
        told = []
        for what, (count, first) in self.remarks.items():
            rows = "1 row" if count == 1 else f"{count:,} rows"
            told.append(f"{rows} {what} (first {self.at} {first:,}).")
        return [*self.notes, *told]


def as_table(read: AnnotatedRows, name: str, format: str) -> Table:
    """The rows as a table of texts, labels and splits. DataFileError where no row is left."""
    rows, lines, bad_rows = [], [], list(read.bad_rows)
    for row in read.rows:
        cells = (row.text, row.label, row.split)
        fault = cell_fault(cells, COLUMNS)
        if fault is None:
            rows.append(cells)
            lines.append(row.line)
        else:
            bad_rows.append(BadRow(row.line, fault))
    bad_rows.sort(key=lambda bad: bad.line)
    if not rows:
        raise DataFileError(nothing_left(name, bad_rows))
    return Table(COLUMNS, tuple(rows), tuple(lines), tuple(bad_rows), format, True, name, tuple(read.all_notes()))


def as_slot_rows(read: AnnotatedRows) -> SlotRows:
    """The rows as slot data, before anyone knows where words begin and end."""
    rows = [SlotRow(row.line, row.split, text=row.text, spans=row.spans) for row in read.rows]
    return SlotRows(rows, list(read.bad_rows), read.all_notes())


def note_double_ids(ids: Iterable[tuple[int, str]], read: AnnotatedRows) -> None:
    """A note where one id stands on several rows; (place, id) of those that have one."""
    seen: Counter[str] = Counter()
    first: tuple[int, str] | None = None
    for line, identity in ids:
        seen[identity] += 1
        if seen[identity] == 2 and first is None:
            first = (line, identity)
    if first is not None:
        double = sum(count > 1 for count in seen.values())
        stand = "1 id stands" if double == 1 else f"{double:,} ids stand"
        read.notes.append(
            f"{stand} on more than one row, first '{first[1][:40]}' again {read.at} {first[0]:,}. All rows were read; "
            "ids are not kept here."
        )


def text_under(values: dict[str, object], key: str) -> str:
    """The text under a key; RefusedError where there is none."""
    if values.get(key) is None:
        found = ", ".join(repr(name[:40]) for name in values) or "none"
        raise RefusedError(f"has no '{key}'; a text is expected there (keys found: {found})")
    value = values[key]
    # Numbers come as they are spelled, so a text of digits cannot be told from a number, and need not be.
    if not isinstance(value, str):
        raise RefusedError(f"'{key}' holds {kind_of(value)}; a text is expected")
    return value


def one_label(labels: list[str], what: str) -> str | None:
    """The label of a text; RefusedError where several are given."""
    distinct = list(dict.fromkeys(label.strip() for label in labels if label.strip()))
    if len(distinct) > 1:
        raise RefusedError(f"{what}: {', '.join(map(repr, distinct[:5]))}; a text has one label here, so keep one")
    return distinct[0] if distinct else None
