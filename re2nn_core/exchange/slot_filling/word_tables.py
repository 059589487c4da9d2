"""Tables with one word a row and a column of tags, as some data sets of named entities come:

    Sentence #,Word,POS,Tag
    Sentence: 1,London,NNP,B-geo
    ,is,VBZ,O
    Sentence: 2,We,PRP,O

Another column says where a text begins: by a cell that only its first word has, or by one that all its words share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.exchange.span_rows import SlotRow, SlotRows
from re2nn_core.exchange.tables.column_choice import choice_of_keys
from re2nn_core.exchange.tables.column_evidence import ColumnCounter, ColumnEvidence
from re2nn_core.exchange.tables.table import BadRow, DamagedCell, Table

_LOOK = 2_000
_FEWEST = 3
_NEARLY_ALL = 0.95
_WORD_NAMES = ("word", "token", "form")
_LONGEST_TEXT = 2_000  # words; without a column of texts all would be one


@dataclass(frozen=True)
class WordColumns:
    """The places of the columns that say where a text begins, of words, and of tags."""

    text: int
    word: int
    tag: int


def word_columns(table: Table) -> WordColumns | None:
    """Where texts, words and tags stand; None for a table that has no word a row."""
    counter = ColumnCounter()
    counter.take_rows(table.columns, table.rows)
    columns = counter.evidence()
    tags = [place for place, column in enumerate(columns) if column.tags]
    if not tags or len(columns) < _FEWEST:
        return None
    tag = tags[-1]
    texts = [place for place in range(len(columns)) if place != tag and _parts_texts(table, place, columns[place])]
    if not texts:
        return None
    words = [place for place in range(len(columns)) if place not in (tag, texts[0]) and _holds_words(table, place)]
    if not words:
        return None
    named = [place for place in words if table.columns[place].strip().casefold() in _WORD_NAMES]
    return WordColumns(texts[0], named[0] if named else max(words, key=lambda at: columns[at].distinct), tag)


def rows_of_words(table: Table, places: WordColumns) -> SlotRows:
    """The texts of a table with one word a row. A word or a tag that is missing leaves its text out."""
    read = SlotRows(bad_rows=list(table.bad_rows), notes=list(table.notes))
    names = [table.columns[place] for place in (places.word, places.tag, places.text)]
    read.notes.append(
        "One word a row: words are those of '{}', tags those of '{}', and texts are parted by '{}'.".format(*names)
    )
    every = _nearly_all_filled(table, places.text)
    words: list[str] = []
    tags: list[str] = []
    first, before, fault = 0, None, None

    def end() -> None:
        if fault is not None:
            read.bad_rows.append(BadRow(first, fault))
        elif words:
            read.rows.append(SlotRow(first, None, tokens=tuple(words), tags=tuple(tags)))

    for line, row in zip(table.lines, table.rows, strict=True):
        if not any(row):
            continue
        key = (row[places.text] or "").strip()
        if (every and key != before) or (not every and key) or before is None:
            end()
            words, tags, first, fault = [], [], line, None
        before = key
        word, tag = (row[places.word] or "").strip(), (row[places.tag] or "").strip()
        damaged = (cell.reason for cell in (row[places.word], row[places.tag]) if isinstance(cell, DamagedCell))
        fault = fault or next(damaged, None)
        if not word or not tag:
            fault = fault or f"line {line:,} has no {'word' if not word else 'tag'}, so its text is left out"
        words.append(word)
        tags.append(tag)
    end()
    filled = {
        name: sum(bool(row[place]) for row in table.rows)
        for place, name in enumerate(table.columns)
        if place != places.text
    }
    read.columns = choice_of_keys(names[0], names[1], None, filled, len(table.rows))
    return read


def _cells(table: Table, place: int) -> Sequence[str]:
    return [(row[place] or "").strip() for row in table.rows[:_LOOK]]


def _holds_words(table: Table, place: int) -> bool:
    """One word in nearly every cell."""
    cells = _cells(table, place)
    single = [cell for cell in cells if cell and not any(map(str.isspace, cell))]
    return bool(cells) and len(single) >= _NEARLY_ALL * len(cells)


def _parts_texts(table: Table, place: int, column: ColumnEvidence) -> bool:
    """Cells that stand together: in the first row of each text, or the same in all of its rows."""
    if not column.filled or column.distinct < 2:
        return False
    if not _nearly_all_filled(table, place):
        return bool(table.rows[0][place]) and len(table.rows) <= _LONGEST_TEXT * column.filled
    cells = _cells(table, place)
    runs = 1 + sum(one != other for one, other in zip(cells, cells[1:], strict=False))
    return runs == len(set(cells)) and runs < len(cells)


def _nearly_all_filled(table: Table, place: int) -> bool:
    cells = _cells(table, place)
    return sum(map(bool, cells)) >= _NEARLY_ALL * len(cells)
