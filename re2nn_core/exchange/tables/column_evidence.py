"""What each column of a table holds, counted over all rows: how full it is, how many values, of which kind.

One pass, a part of a large file at a time; how many distinct cells are kept is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from zlib import crc32

from re2nn_core.exchange.tables.cells import SPLIT_ALIASES, has_fraction, is_date, is_numeric_cell
from re2nn_core.exchange.tables.header import (
    DATE_NAMES,
    ID_NAMES,
    LABEL_NAMES,
    RATING_NAMES,
    SPAN_NAMES,
    SPLIT_NAMES,
    TEXT_NAMES,
    UNLABELLED_NAMES,
    column_role,
    numbers_classes,
)
from re2nn_core.exchange.tables.signs.joined_labels import names_joined
from re2nn_core.exchange.tables.signs.label_remarks import remarks_on_labels, remarks_on_tags
from re2nn_core.exchange.tables.signs.marked_columns import MarkedColumns, may_mark
from re2nn_core.exchange.tables.signs.merged_cells import MergedCells
from re2nn_core.exchange.tables.signs.text_signs import TextSigns
from re2nn_core.exchange.tables.table import Cell, DamagedCell, Row, Structure
from re2nn_core.exchange.tables.translated_names import english_name
from re2nn_core.exchange.tables.turns.listed_turns import turn_roles_in_words
from re2nn_core.text.counting import counted

_MOST_DISTINCT = 5_000  # more values than that are none of labels
_KEPT_WHOLE = 200  # characters of a cell
_LONGEST_LABEL = 60
_LONGEST_TICK = 5
TITLE_LENGTH = 25  # characters
_MOST_NAMES = 1_000  # distinct values of a column that no name says to hold labels
_MOST_NUMBERS = 20  # distinct numbers that may be labels
# Of so many labelled rows some share a label.
ENOUGH, _VARIED, _HALF = 20, 0.9, 0.5
# So many of the values are of a kind where the column is: a few stand for what is missing or unknown.
_NEARLY_ALL = 0.95
_FEWEST_OF_A_CODE = 4  # rows with the same code
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|(?:https?://|www\.)\S+", re.IGNORECASE)
_FLAGS = frozenset(
    (
        *("y", "n", "yes", "no", "true", "false", "t", "f", "ja", "nein", "wahr", "falsch", "oui", "non", "vrai"),
        *("faux", "sí", "si", "verdadero", "falso", "sim", "não", "nao", "nee", "waar", "onwaar", "tak", "nie"),
    )
)
_ONE_IN_LIST = re.compile(r"\[\s*(?:\"[^\"]*\"|'[^']*')?\s*\]")
_TAG = re.compile(r"O|[BIESLUM]-\S+")
# Thai, Khmer, Chinese, Japanese and others have no blanks between words.
_WORDED = re.compile(r"\s|[\u0e00-\u0eff\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af]")
_CLASS_NUMBER = re.compile(r"[-+]?\d{1,3}(?:\.0)?")


@dataclass(frozen=True)
class ColumnEvidence:
    """One column over all rows: rows with a cell in it, distinct cells (at most 5,000 are counted), the mean and
    the largest length of a cell in characters, and whether nearly all values are numbers, whole numbers of at most
    three digits (as 0, 1 or stars), numbers half of which have a fraction, dates, addresses, lists, tags of words
    or flags (yes, no), and whether all, most or some are splits; several of them where these are most. `worded`:
    most values have several words, or are in a script without blanks. `names`: of how many labels its values are made,
    where they join several. `inside`: a value inside of objects. `remarks`: what is to be said of its values where
    they are labels, `markup`: of HTML in them where they are texts, `text_remarks`: of other signs there, `roles`: its
    values where all are roles of speakers, `of_users`: whether some are conversations with a user, `merged`: what is
    to be said of values that stand above empty cells."""

    name: str
    filled: int
    distinct: int
    mean_length: float
    longest: int
    numbers: bool = False
    class_numbers: bool = False
    fractions: bool = False
    dates: bool = False
    addresses: bool = False
    lists: bool = False
    tags: bool = False
    splits: bool = False
    most_splits: bool = False
    some_splits: bool = False
    flags: bool = False
    worded: bool = False
    names: int = 0
    inside: bool = False
    remarks: tuple[str, ...] = ()
    markup: str = ""
    text_remarks: tuple[str, ...] = ()
    roles: str = ""
    merged: str = ""
    of_users: bool = False

    @property
    def kind(self) -> str:
        """What its values are, in a word or two."""
        if self.distinct <= 1:
            return "one value" if self.distinct else "empty"
        kinds = {"dates": self.dates, "addresses": self.addresses, "lists": self.lists, "numbers": self.numbers}
        return next((kind for kind, holds in kinds.items() if holds), "texts")

    def in_words(self, rows: int) -> str:
        """How many values in how many of the rows: "3 values, 14,640 of 14,640 filled"."""
        more = "over " if self.distinct > _MOST_DISTINCT else ""
        values = counted(min(self.distinct, _MOST_DISTINCT), "value")
        return f"{more}{values}, {self.filled:,} of {rows:,} filled"


@dataclass
class _Count:
    """What is counted of a column."""

    filled: int = 0
    characters: int = 0
    longest: int = 0
    values: dict[str, None] = field(default_factory=dict)
    full: ColumnEvidence | None = None
    heads: MergedCells = field(default_factory=MergedCells)
    signs: TextSigns = field(default_factory=TextSigns)

    def take(self, cells: Iterable[Cell]) -> None:
        # What is wrong in a cell makes it no other one.
        cells = [cell.written if isinstance(cell, DamagedCell) else cell for cell in cells]
        filled = [cell for cell in cells if cell and not cell.isspace()]
        self.filled += len(filled)
        self.heads.take(cells, len(filled))
        if not filled:
            return
        self.signs.take([cell for cell in filled if not isinstance(cell, Structure)])
        lengths = list(map(len, filled))
        self.characters += sum(lengths)
        self.longest = max(self.longest, *lengths)
        if self.full is None:
            plain = (cell for cell in filled if not isinstance(cell, Structure))
            bare = map(str.strip, plain)  # as labels are
            self.values.update(dict.fromkeys(c if len(c) <= _KEPT_WHOLE else _shortened(c) for c in bare))
            self._close()

    def add(self, other: _Count) -> None:
        """The cells that follow, as counted elsewhere, but for what is remarked of them."""
        self.filled += other.filled
        self.characters += other.characters
        self.longest = max(self.longest, other.longest)
        if self.full is None:
            self.values.update(other.values)
            self.full = other.full
            self._close()

    def _close(self) -> None:
        if self.full is None and len(self.values) > _MOST_DISTINCT:
            # What they are has been seen; a large file is not to be held at once.
            self.full = self._kinds("")
        if self.full is not None:
            self.values = {}

    def evidence(self, name: str) -> ColumnEvidence:
        found = self.full or self._kinds(name)
        mean = self.characters / max(1, self.filled)
        merged = self.heads.remark(name, self.filled)
        found = replace(found, name=name, filled=self.filled, mean_length=mean, longest=self.longest)
        signs = self.signs
        return replace(
            found,
            markup=signs.html,
            text_remarks=signs.remarks(self.filled, name),
            merged=merged,
            of_users=signs.turns_of_users,
        )

    def _kinds(self, name: str) -> ColumnEvidence:
        cells = list(islice(self.values, _MOST_DISTINCT))
        splits = [SPLIT_ALIASES.get(cell.strip().casefold()) for cell in cells]
        known = [split is not None for split in splits]
        return ColumnEvidence(
            name,
            self.filled,
            len(self.values),
            0.0,
            self.longest,
            numbers=_nearly_all(cells, is_numeric_cell),
            class_numbers=_nearly_all(cells, lambda cell: _CLASS_NUMBER.fullmatch(cell.strip()) is not None),
            fractions=_nearly_all(cells, is_numeric_cell) and 2 * sum(map(has_fraction, cells)) >= len(cells),
            dates=_nearly_all(cells, is_date),
            addresses=_nearly_all(cells, lambda cell: _ADDRESS.fullmatch(cell.strip()) is not None),
            lists=_are_lists(cells) and not (column_role(name) in LABEL_NAMES and _are_alone(cells)),
            tags=_are_tags(cells),
            splits=bool(known) and all(known),
            most_splits=2 * sum(known) >= len(cells) and len({*splits} - {None}) > 1,
            some_splits=any(known),
            flags=_nearly_all(cells, lambda cell: cell.strip().casefold() in _FLAGS),
            worded=2 * sum(_WORDED.search(cell.strip()) is not None for cell in cells) >= max(1, len(cells)),
            names=names_joined(cells),
            roles=turn_roles_in_words(name, cells),
            remarks=(remarks_on_tags if column_role(name) == "tag" else remarks_on_labels)(cells),
        )


class ColumnCounter:
    """Counts the columns of a table, or of the parts of one, which may have other columns each."""

    def __init__(self, full: Iterable[str] = ()) -> None:
        """`full`: columns whose distinct cells are known already."""
        self.rows = 0
        self._counts = {name: _Count(full=ColumnEvidence(name, 0, 0, 0.0, 0)) for name in full}
        self._inside: set[str] = set()
        self.marks = MarkedColumns()

    @property
    def full(self) -> frozenset[str]:
        """The columns of which no more distinct cells are kept."""
        return frozenset(name for name, count in self._counts.items() if count.full is not None)

    def add(self, other: ColumnCounter) -> None:
        """The rows that follow, as counted elsewhere, where the columns that are full here were said to be."""
        self.rows += other.rows
        self._inside |= other._inside
        self.marks.add(other.marks)
        for name, count in other._counts.items():
            self._counts.setdefault(name, _Count()).add(count)

    def take_rows(self, columns: Sequence[str], rows: Sequence[Row], inside: Iterable[str] = ()) -> None:
        """Count rows with a cell for each of the columns, some of which are `inside` of objects; rows without anything
        in them, which are left out, count for nothing."""
        rows = [row for row in rows if any(map(has_content, row))]
        self.rows += len(rows)
        self._inside.update(inside)
        for place, name in enumerate(columns):
            self._counts.setdefault(name, _Count()).take(row[place] for row in rows)
        self.marks.take(columns, rows, set(filter(self._may_mark, columns)))

    def _may_mark(self, name: str) -> bool:
        count = self._counts[name]
        return count.full is None and may_mark(count.values)

    def evidence(self) -> tuple[ColumnEvidence, ...]:
        """What is known of each column, in the order in which they came."""
        return tuple(replace(count.evidence(name), inside=name in self._inside) for name, count in self._counts.items())


def has_content(cell: Cell) -> bool:
    """True for a cell with more than blanks in it."""
    return bool(cell) and not (cell.isspace() if isinstance(cell, str) else False)


def _are_lists(cells: Sequence[str]) -> bool:
    return _nearly_all(cells, lambda cell: cell[:1] + cell[-1:] in ("[]", "{}"))


def _are_alone(cells: Sequence[str]) -> bool:
    """Lists of one value each, or of none, several of them: ["a"], ['b'], []."""
    alone = _nearly_all(cells, lambda cell: _ONE_IN_LIST.fullmatch(cell) is not None)
    return alone and sum(len(cell) > len("[]") for cell in cells) > 1


def _are_tags(cells: Sequence[str]) -> bool:
    """O, B-city, I-city: tags of words, not of O alone."""
    return _nearly_all(cells, lambda cell: _TAG.fullmatch(cell.strip()) is not None) and any(
        cell[:2] in ("B-", "I-") for cell in cells
    )


def _shortened(cell: str) -> str:
    """What tells a long cell from others and shows of which kind it is."""
    return f"{cell[:_KEPT_WHOLE]}{crc32(cell.encode('utf-8', 'surrogatepass'))}{cell[-1:]}"


def _nearly_all(cells: Sequence[str], holds: Callable[[str], bool]) -> bool:
    """True if so many of the cells hold it; ends as soon as too many do not."""
    may_fail = len(cells) * (1 - _NEARLY_ALL)
    for cell in cells:
        if not holds(cell):
            may_fail -= 1
            if may_fail < 0:
                return False
    return bool(cells)


def holds_splits(column: ColumnEvidence) -> bool:
    """Splits alone, in a column that is not called like one of labels, such as kinds of courses; in one that is called
    like one of splits some are enough, so that the rows of others are reported."""
    if column.some_splits and english_name(column.name) in (*SPLIT_NAMES, "set"):
        return True
    return column.splits and column_role(column.name) not in LABEL_NAMES


def holds_labels(column: ColumnEvidence, rows: int) -> bool:
    """Several values, one for two rows at most, all of them short, in most rows; neither dates, numbers nor
    addresses, nor splits and a few other values."""
    role = column_role(column.name)
    other = column.numbers or (column.most_splits and role not in LABEL_NAMES)
    # What was asked is no label of the answers.
    other = other or (role == "question" and column.worded)
    return has_few_values(column, rows) and not other and role not in UNLABELLED_NAMES


def holds_scores(column: ColumnEvidence, rows: int) -> bool:
    """A few distinct whole numbers in most rows, such as 0 and 1 or one to five stars; how many comments there are is
    none."""
    scores = column.class_numbers and column.distinct <= _MOST_NUMBERS and column_role(column.name) not in TEXT_NAMES
    return has_few_values(column, rows) and scores and column_role(column.name) not in UNLABELLED_NAMES


def holds_codes(column: ColumnEvidence, rows: int) -> bool:
    """A few whole numbers of any length, each in several rows, such as codes of occupations or of products."""
    codes = column.numbers and not column.fractions and _FEWEST_OF_A_CODE * column.distinct <= column.filled
    codes = codes and column_role(column.name) not in TEXT_NAMES
    return codes and has_few_values(column, rows) and column_role(column.name) not in UNLABELLED_NAMES


def holds_ratings(column: ColumnEvidence, rows: int) -> bool:
    """A few values in most rows under the name of what people give, 5 or "5 of 5 stars"; in a short table each may be
    another one."""
    few = 1 < column.distinct <= _MOST_NUMBERS and column.longest <= _LONGEST_LABEL
    role = column_role(column.name)
    # A score of 0.97 measures; nobody gave it.
    other = column.dates or column.addresses or column.lists or (role == "score" and not column.class_numbers)
    return few and not other and column.filled >= _HALF * rows and role in RATING_NAMES


def holds_titles(column: ColumnEvidence) -> bool:
    """Values as long as titles, which a row or two share by chance."""
    return column.worded and column.mean_length >= TITLE_LENGTH


def has_few_values(column: ColumnEvidence, rows: int) -> bool:
    """Several short values, one for two rows at most, that name no rows."""
    most = min(_MOST_NAMES, max(2, column.filled // 2))
    few = 1 < (column.names or column.distinct) <= most and column.longest <= _LONGEST_LABEL
    of_rows = column.dates or column.addresses or column.lists or distinguishes_rows(column)
    return few and column.filled >= _HALF * rows and not of_rows


def may_hold_labels(column: ColumnEvidence) -> bool:
    """False for a column that holds nothing, dates, addresses, lists, measured numbers such as 0.93, or something else
    in nearly every row, whatever it is called."""
    varied = column.filled >= ENOUGH and column.distinct > _VARIED * column.filled
    varied = varied or (column.fractions and column.distinct > _MOST_NUMBERS)
    other = column.dates or column.addresses or column.lists or distinguishes_rows(column)
    return column.distinct > 0 and not (varied or other)


def may_be_ticked(column: ColumnEvidence, rows: int) -> bool:
    """True for one short value or none, as a box that is ticked or not."""
    return column.distinct == 1 and column.filled < rows and column.longest <= _LONGEST_TICK


def may_hold_merged(column: ColumnEvidence) -> bool:
    """True for short words that may be labels of several rows each, by the name of the column too."""
    other = column.numbers or column.dates or column.addresses or column.lists or distinguishes_rows(column)
    named = column_role(column.name) in UNLABELLED_NAMES | RATING_NAMES
    return column.longest <= _LONGEST_LABEL and not (other or named)


def why_no_labels(column: ColumnEvidence, rows: int) -> str:
    """Why a column that a person may take for one of labels is none, in a few words; empty where nothing speaks against
    it but its name."""
    what = "numbers" if column.numbers else "values"
    reasons = {
        "lists, and a text has one label": column.lists,
        "dates": column.dates,
        "addresses": column.addresses,
        "one value, else empty": column.distinct == 1 and column.filled < rows,
        "one value": column.distinct == 1,
        'no lists of spans such as [[3, 7, "city"]]': column_role(column.name) in SPAN_NAMES,
        f"{column.filled:,} of {rows:,} filled": column.filled < _HALF * rows,
        f"texts of up to {column.longest:,} characters": column.longest > _LONGEST_LABEL,
        f"{column.distinct:,} different {what}": column.distinct > (_MOST_NUMBERS if column.numbers else 2),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def distinguishes_rows(column: ColumnEvidence) -> bool:
    """The name is that of numbers or dates of rows, and not of a few classes, or dates are all it holds."""
    role = column_role(column.name)
    if role in ID_NAMES and column.class_numbers and numbers_classes(column.name):
        return column.distinct > _MOST_NUMBERS or 2 * column.distinct > column.filled
    return role in ID_NAMES | DATE_NAMES or column.dates
