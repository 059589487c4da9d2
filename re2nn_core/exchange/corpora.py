"""From a table to a corpus: texts kept exactly as they stand, labels and splits tidied and checked."""

from __future__ import annotations

import ast
import difflib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.row_counts import RowCounts
from re2nn_core.exchange.shared_parts import shared_notes
from re2nn_core.exchange.tables.assemble import nothing_left
from re2nn_core.exchange.tables.cells import SPLIT_ALIASES, is_sheet_error
from re2nn_core.exchange.tables.column_choice import ColumnChoice, joined_columns
from re2nn_core.exchange.tables.columns import choose_columns, counted_in, names_asked_for, place_of
from re2nn_core.exchange.tables.header import TEXT_NAMES
from re2nn_core.exchange.tables.jsonl import JsonObject, Spelled, parse_line
from re2nn_core.exchange.tables.padding import is_padded, without_blanks
from re2nn_core.exchange.tables.refused_columns import refuse_columns
from re2nn_core.exchange.tables.signs.marked_columns import is_marked, marked_labels
from re2nn_core.exchange.tables.table import (
    ONE_LABEL,
    BadRow,
    Cell,
    DamagedCell,
    Progress,
    RefusedError,
    Row,
    Structure,
    Table,
)
from re2nn_core.exchange.tables.turns.written_turns import column_of_turns, columns_of, first_turn_in
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.lines import line_fault

_MOST_NOTES = 20
_FEWEST_LABELS = 2
_LONGEST_LIST = 2_000
_NAMED = 6
_SHEET = "an error of a spreadsheet: correct the cell there, as with an apostrophe in front of = or -"
_PLAIN = "a text, a number, true, false or null is expected"


@dataclass(frozen=True)
class CorpusRead:
    """The corpus, the line each example came from, every row refused on the way, notes, and which columns were read."""

    corpus: Corpus
    lines: tuple[int, ...]
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]
    columns: ColumnChoice | None = None

    def __post_init__(self) -> None:
        if len(self.lines) != len(self.corpus):
            raise ValueError("there must be one line number for each example")


@dataclass(frozen=True)
class UnknownLabel:
    """A label that is not known, on how many texts it stands, and the known one that is spelled most like it."""

    label: str
    texts: int
    nearest: str | None


def unknown_labels(examples: Iterable[Example], known: Collection[str]) -> tuple[UnknownLabel, ...]:
    """The labels that are not known, the most frequent first."""
    counts = Counter(e.label for e in examples if e.label is not None and e.label not in known)
    return tuple(UnknownLabel(label, count, nearest(label, known)) for label, count in counts.most_common())


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that is spelled most like this one, whatever the case; None where none is near."""
    folded = {other.casefold(): other for other in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    return folded[near[0]] if near else None


def to_corpus(
    table: Table,
    *,
    text_column: str,
    label_column: str | None = None,
    split_column: str | None = None,
    known_labels: Collection[str] | None = None,
    strip_html: bool = False,
) -> CorpusRead:
    """The examples of a table; `bad_rows` holds the table's own and those refused here.

    The texts are in one column, or in several, "title, body", whose cells are joined by a blank. A row without a text
    or with an unknown split is refused. Labels that are not in `known_labels` are kept and named in the notes.
    `strip_html`: the texts without their HTML. Raises DataFileError for a missing column or when no row is left.
    """
    counts = RowCounts(strip_html)
    examples, lines, bad_rows = examples_of_table(table, text_column, label_column, split_column, counts)
    if not examples:
        places = _text_places(table, text_column)
        cells = (row[place] for row in table.rows for place in places)
        if table.rows and all(cell is None or isinstance(cell, Spelled) for cell in cells):
            keys, names = ", ".join(table.columns), ", ".join(TEXT_NAMES[:_NAMED])
            raise DataFileError(
                f"{table.name or 'the table'} holds no texts. Its keys are: {keys}. A text must be in quotes, under "
                f"a key such as {names}."
            )
        raise DataFileError(nothing_left(table.name or "the table", bad_rows))
    notes = (
        *table.notes,
        *counts.notes(),
        *_label_notes(examples, known_labels),
        *shared_notes(examples),
        *repeat_notes(examples),
    )
    return CorpusRead(Corpus(tuple(examples)), tuple(lines), tuple(bad_rows), notes)


def examples_of_table(
    table: Table,
    text_column: str,
    label_column: str | None,
    split_column: str | None,
    counts: RowCounts | None = None,
) -> tuple[list[Example], list[int], list[BadRow]]:
    """The examples of a table with their lines, and all rows that are refused; DataFileError for a missing column.
    Blanks at the ends of labels are taken off, those of texts in columns that are padded. `counts` says whether HTML is
    left out, and what is to be reported."""
    text_places, roles = _text_places(table, text_column), _roles(table, text_column)
    label_names = () if label_column is None else joined_columns(label_column, table.columns)
    names = marked_labels(label_names)
    label_places = [place_of(table, name, "the labels") for name in label_names]
    split_place = None if split_column is None else place_of(table, split_column, "the splits")
    places = [place for place in (*text_places, *label_places, split_place) if place is not None]
    padded = any(is_padded(table, place) for place in text_places)
    counts = counts or RowCounts()
    examples: list[Example] = []
    lines: list[int] = []
    bad_rows = list(table.bad_rows)
    for line, row in zip(table.lines, table.rows, strict=True):
        read = [row[place] for place in places]
        if (damaged := next((cell for cell in read if isinstance(cell, DamagedCell)), None)) is not None:
            bad_rows.append(BadRow(line, damaged.reason))
            continue
        text = _text(row, text_places, roles)
        structure = next((place for place in places if isinstance(row[place], Structure)), None)
        if structure is not None:
            advice = ONE_LABEL if structure in label_places and "list" in (row[structure] or "") else _PLAIN
            bad_rows.append(BadRow(line, f"'{table.columns[structure]}' holds {row[structure]}; {advice}"))
            continue
        if isinstance(text, Spelled):
            bad_rows.append(BadRow(line, f"the text (column '{text_column}') is {text[:40]} without quotes, no text"))
            continue
        if text is not None:
            text = counts.without_html(text, line)
        if padded and text is not None and (written := text) != (text := without_blanks(written)):
            counts.trim("text", written)
        try:
            label = _label_of([row[place] for place in label_places], names, counts)
        except RefusedError as reason:
            bad_rows.append(BadRow(line, f"'{label_column}' holds {reason}; {ONE_LABEL}"))
            continue
        split = "" if split_place is None else (row[split_place] or "").strip()
        if text is None and any(row[place] for place in text_places):
            bad_rows.append(BadRow(line, f"has no turn of the {join_names([r.removeprefix('first_') for r in roles])}"))
        elif text is None and table.format == "jsonl":
            bad_rows.append(BadRow(line, f"has no text: the key '{text_column}' is missing or null"))
        elif text is None or not text.strip():
            bad_rows.append(BadRow(line, f"the text (column '{text_column}') is empty"))
        elif is_sheet_error(text.strip()):
            bad_rows.append(BadRow(line, f"the text is {text.strip()!r}, {_SHEET}"))
        elif split and split.casefold() not in SPLIT_ALIASES:
            bad_rows.append(BadRow(line, f"split '{split[:40]}' is not one of {', '.join(SPLITS)}"))
        elif label is not None and (fault := line_fault(label)):
            bad_rows.append(BadRow(line, f"the label {label[:40]!r} {fault}"))
        else:
            examples.append(Example(text, label, SPLIT_ALIASES.get(split.casefold())))
            lines.append(line)
    bad_rows.sort(key=lambda bad: bad.line)
    counts.take(zip(lines, (example.text for example in examples), strict=True))
    return examples, lines, bad_rows


def _text_places(table: Table, text_column: str) -> tuple[int, ...]:
    names = joined_columns(text_column, table.columns)
    return tuple(place_of(table, column, "the texts") for column in columns_of(names, table.columns))


def _roles(table: Table, text_column: str) -> tuple[str, ...]:
    """Whose first turn each part of the text is; empty for all of a cell."""
    names = joined_columns(text_column, table.columns)
    return tuple(column_of_turns(name, table.columns)[1] for name in names)


def _text(row: Row, places: Sequence[int], roles: Sequence[str]) -> Cell:
    """The cell of the text, or the filled ones of several with a blank between them; None where all are missing."""
    if len(places) == 1 and not roles[0]:
        return row[places[0]]
    cells = [(row[place], role) for place, role in zip(places, roles, strict=True)]
    parts = (first_turn_in(cell, role) if cell and role else cell for cell, role in cells)
    filled = [part for part in parts if part is not None]
    return " ".join(cell.strip() for cell in filled if cell.strip()) if filled else None


def _label_of(cells: Sequence[Cell], names: Sequence[str], counts: RowCounts) -> str | None:
    """The label in the one cell of a row, or the name of the one that is marked of several. RefusedError for more."""
    if len(cells) < _FEWEST_LABELS:
        return _label(cells[0], counts) if cells else None
    marked = [name for name, cell in zip(names, cells, strict=True) if is_marked(cell)]
    if len(marked) > 1:
        raise RefusedError(f"ticks for {join_names(marked)}")
    return marked[0] if marked else None


def _label(cell: Cell, counts: RowCounts) -> str | None:
    """The label in a cell, without blanks at its ends, also where JSON has it in a list or among the choices of Label
    Studio; RefusedError for several, and for another object."""
    written = (cell or "").strip()
    if cell and written and written != cell:
        counts.trim("label", cell)
    if written[:1] + written[-1:] not in ("[]", "{}"):
        return written or None
    value = parse_line(written)
    if isinstance(value, RefusedError):
        value = _python_list(written)
    if isinstance(value, JsonObject):
        value = next((inner for key, inner in value if key == "choices"), value)
    if isinstance(value, list) and len(value) < _FEWEST_LABELS and all(isinstance(label, str) for label in value):
        return (value[0].strip() or None) if value else None
    if isinstance(value, list):
        raise RefusedError(f"a list of {len(value):,} values")
    if isinstance(value, JsonObject):
        raise RefusedError("an object")
    return written


def _python_list(written: str) -> object:
    """The list that Python writes as ['a', 'b']; all else as it is."""
    try:
        value = ast.literal_eval(written) if len(written) <= _LONGEST_LIST else written
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return written
    return value if isinstance(value, list) else written


def _label_notes(examples: Iterable[Example], known: Collection[str] | None) -> Iterable[str]:
    """One note for each label that is not known, the most frequent first, with the nearest known one."""
    return () if known is None else new_notes(unknown_labels(examples, known), "label")


def new_notes(unknown: Sequence[UnknownLabel], what: str) -> Iterable[str]:
    """One note for each name that is not known, and how many more there are."""
    for found in unknown[:_MOST_NOTES]:
        meant = f"; the nearest known one is '{found.nearest}'" if found.nearest else ""
        yield f"{what.capitalize()} '{found.label}' ({_texts(found.texts)}) is new{meant}."
    if len(unknown) > _MOST_NOTES:
        yield f"{counted(len(unknown) - _MOST_NOTES, f'more {what} is', f'more {what}s are')} new."


def repeat_notes(examples: Iterable[Example]) -> Iterable[str]:
    """Notes on texts that come twice, with two answers, or in the test and another split."""
    seen: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        seen[example.text].append(example)
    repeated = [group for group in seen.values() if len(group) > 1]
    torn = [group for group in repeated if len({e.label for e in group} - {None}) > 1]
    differing = [group for group in repeated if len({e.spans for e in group} - {None}) > 1]
    leaked = [group for group in repeated if "test" in (splits := {e.split for e in group}) and len(splits) > 1]
    for groups, what in (
        (repeated, "more than once"),
        (torn, "with different labels"),
        (differing, "with different spans"),
        (leaked, "in the test split and in another one"),
    ):
        if groups:
            yield f"{_texts(len(groups))} found {what}, first '{groups[0][0].text[:60]}'."


def _texts(count: int) -> str:
    return counted(count, "text")


def read_corpus(  # noqa: PLR0913 - what is known of a file, each by keyword
    source: Path | bytes,
    name: str = "",
    *,
    format: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    text_column: str | None = None,
    label_column: str | None = None,
    split_column: str | None = None,
    known_labels: Collection[str] | None = None,
    strip_html: bool = False,
    on_progress: Progress | None = None,
) -> CorpusRead:
    """`read_table`, `choose_columns`, and `to_corpus`."""
    wanted = names_asked_for(text_column, label_column, split_column)
    table = read_table(
        source,
        name,
        format=format,
        header=header,
        encoding=encoding,
        wanted=wanted,
        asked=WantedParts(text=text_column, label=label_column),
        on_progress=on_progress,
    )
    chosen = choose_columns(table, text_column).with_asked(text_column, label_column, split_column)
    refuse_columns(chosen, table, text_column, label_column)
    read = to_corpus(
        table,
        text_column=chosen.text,
        label_column=chosen.label,
        split_column=chosen.split,
        known_labels=known_labels,
        strip_html=strip_html,
    )
    if len(read.lines) < chosen.rows:
        kept = set(read.lines)
        rows = [row for line, row in zip(table.lines, table.rows, strict=True) if line in kept]
        chosen = counted_in(chosen, table, rows)
    return replace(read, columns=replace(chosen, html_removed=strip_html))
