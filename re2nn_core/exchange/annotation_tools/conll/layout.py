"""Which columns of a CoNLL file hold the words and the tags, found from its lines.

The words stand in the first column, or behind a column that counts them. The tags stand in the last column that holds
nothing but tags; where several do and have slots in common, they are levels of spans inside spans, or two opinions, and
the first of them is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.conll.lines import DOCUMENT, columns_of, is_tag
from re2nn_core.exchange.span_rows import to_bio
from re2nn_core.exchange.tables.column_choice import ColumnChoice, choice_of_keys
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.spans import OUTSIDE, parts_of

_LOOK = 20_000  # lines
_CLEARLY = 0.9
_WORD_NAMES = frozenset(("word", "words", "token", "tokens", "form", "text"))
_TAG_NAMES = frozenset(("tag", "tags", "label", "labels", "ner", "ner_tag", "ner_tags", "bio", "iob", "entity", "slot"))


@dataclass(frozen=True)
class Layout:
    """Columns from 0: how many there are, which one holds the words and which the tags. `first_line` shows the width;
    `others` hold tags too; `counted`: the first column counts the words. `values`: what stands in each column of a file
    without tabs."""

    width: int
    word: int
    tag: int
    first_line: int
    others: tuple[int, ...] = ()
    counted: bool = False
    tabs: bool = False
    values: tuple[frozenset[str], ...] = ()

    def notes(self) -> list[str]:
        """What has to be said of the choice."""
        reported = []
        if self.counted:
            reported.append("Column 1 counts the words of each text, so the words were read from column 2.")
        if self.others:
            columns = [str(column + 1) for column in sorted((self.tag, *self.others))]
            other = self.others[0] + 1
            reported.append(
                f"Columns {join_names(columns)} hold tags; those of column {self.tag + 1} "
                f"were read, the others were not. To read column {other} instead, write --label-column {other}."
            )
        return reported

    def columns_read(self, rows: int) -> ColumnChoice:
        """The columns that are read, by their numbers, as --label-column names them."""
        names = {place: f"column {place + 1}" for place in range(self.width)}
        unread = (place for place in range(self.word, self.width) if place not in (self.word, self.tag))
        filled = dict.fromkeys((names[self.word], names[self.tag], *map(names.__getitem__, unread)), rows)
        return choice_of_keys(names[self.word], names[self.tag], None, filled, rows)

    def names_columns(self, columns: Sequence[str]) -> bool:
        """True for a line that names the columns in place of a word and its tag."""
        return len(columns) == self.width and (
            columns[self.word].casefold() in _WORD_NAMES and columns[self.tag].casefold() in _TAG_NAMES
        )

    def is_comment(self, columns: Sequence[str], line: str, *, begins: bool) -> bool:
        """True for a line that begins with # and is no word with its tag; `begins`: no word of its text stands before
        it."""
        if columns[0][:1] != "#":
            return False
        fits = len(columns) == self.width and not self.counted and ("\t" in line) == self.tabs
        if not fits or not is_tag(columns[self.tag]):
            return True
        return begins and not self.tabs and not self._is_usual(columns)

    def _is_usual(self, columns: Sequence[str]) -> bool:
        """True if what stands between word and tag stands there on other lines too."""
        between = [place for place in range(self.width) if place not in (self.word, self.tag)]
        return all(columns[place] in ("#", *self.values[place]) for place in between)


def find_layout(lines: Sequence[str], name: str, tag_column: str | None = None) -> Layout:
    """The layout of a file from its lines; `tag_column` is the number of the column of tags, from 1, where somebody
    says it. DataFileError for one that there is not."""
    sentences = _sentences(lines[:_LOOK])
    rows = [row for sentence in sentences for row in sentence]
    widths = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
    width = widths.most_common(1)[0][0] if widths else 2
    fitting = [row for row in rows if len(row.cells) == width]
    cells = [row.cells for row in fitting]
    counted = width > 2 and any(map(str.isalpha, "".join(row[1] for row in cells)))
    counted = counted and _counts([[row.cells[0] for row in s if len(row.cells) == width] for s in sentences])
    word = 1 if counted else _first_filled(cells)
    found = [column for column in range(word + 1, width) if _share_of_tags(cells, column) >= _CLEARLY]
    marked = [column for column in found if any(row[column] != OUTSIDE for row in cells)]
    tag = _chosen(cells, marked or found or [width - 1])
    if tag_column is not None:
        tag = _asked_for(tag_column, word, width, name)
    tabs = 2 * sum("\t" in row.line for row in fitting) > len(fitting)
    values = () if tabs else tuple(frozenset(row[column] for row in cells) for column in range(width))
    others = tuple(column for column in marked if column != tag)
    return Layout(width, word, tag, fitting[0].number if fitting else 1, others, counted, tabs, values)


@dataclass(frozen=True)
class _Row:
    number: int
    line: str
    cells: list[str]


def _sentences(lines: Sequence[str]) -> list[list[_Row]]:
    """The rows of each text. Those that begin with # count only where there are no others: they may be comments."""
    found: list[list[_Row]] = [[]]
    for number, line in enumerate(lines, start=1):
        cells = columns_of(line)
        if not cells or cells[0] == DOCUMENT:
            found.append([])
        else:
            found[-1].append(_Row(number, line, cells))
    plain = [[row for row in sentence if row.cells[0][:1] != "#"] for sentence in found]
    return [sentence for sentence in (plain if any(plain) else found) if sentence]


def _counts(firsts: Sequence[Sequence[str]]) -> bool:
    """True if the first cells count up by one, from 0 or 1, in nearly all texts."""
    counting = [_counts_up(cells) for cells in firsts]
    return any(len(cells) > 1 for cells in firsts) and sum(counting) >= _CLEARLY * len(counting)


def _counts_up(cells: Sequence[str]) -> bool:
    numbers = [int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 7 else -1 for cell in cells]
    return numbers[:1] in ([0], [1]) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _first_filled(cells: Sequence[Sequence[str]]) -> int:
    """The first column that is not empty on every line, if another one follows."""
    width = len(cells[0]) if cells else 0
    return next((column for column in range(width - 1) if any(row[column] for row in cells)), 0)


def _share_of_tags(cells: Sequence[Sequence[str]], column: int) -> float:
    return sum(is_tag(row[column]) for row in cells) / max(1, len(cells))


def _chosen(cells: Sequence[Sequence[str]], columns: Sequence[int]) -> int:
    """The column of tags that is read, of several that hold some."""
    slots = [{_slot(row[column]) for row in cells} - {""} for column in columns]
    return columns[0] if any(slots[0] & other for other in slots[1:]) else columns[-1]


def _slot(cell: str) -> str:
    return parts_of(to_bio((cell,))[0])[1] if is_tag(cell) else ""


def _asked_for(tag_column: str, word: int, width: int, name: str) -> int:
    number = int(tag_column) if tag_column.isascii() and tag_column.isdigit() else 0
    if not word + 1 < number <= width:
        raise DataFileError(
            f"'{name}' is CoNLL, whose columns have no names. Give the number of the column of tags, {word + 2} to "
            f"{width}, not '{tag_column[:40]}'."
        )
    return number - 1
