"""Texts as tools for labelling write them: with a label, with spans, or with neither; and what that makes here.

One reading serves both tasks. For labels the rows become a table with the columns text, label and split; for slots the
rows of slot data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.span_rows import SlotRow, SlotRows
from re2nn_core.exchange.tables.assemble import nothing_left
from re2nn_core.exchange.tables.cells import is_date
from re2nn_core.exchange.tables.column_choice import ColumnChoice, choice_of_keys, joined_columns
from re2nn_core.exchange.tables.header import DATE_NAMES, ID_NAMES, LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.jsonl import Spelled, kind_of
from re2nn_core.exchange.tables.nested.inside import value_at, values_inside
from re2nn_core.exchange.tables.table import ONE_LABEL, BadRow, RefusedError, Table, cell_fault
from re2nn_core.task import Task
from re2nn_core.text.joined_names import first_names

COLUMNS = ("text", "label", "split")
_NAMED = 5
_MORE_TEXT_NAMES = ("data",)  # doccano, late 2021


@dataclass(frozen=True)
class WantedParts:
    """What of a file is read: labels or spans, and the keys of texts and answers that a person named."""

    task: Task = Task.CLASSIFICATION
    text: str | None = None
    label: str | None = None

    @property
    def spans(self) -> bool:
        """True where spans are read; then nothing that is wrong with labels costs a row, and the other way round."""
        return self.task == Task.SLOT_FILLING

    @property
    def columns(self) -> tuple[str, str, str]:
        """What texts, labels and splits are called: as the keys that were named, as long as they differ."""
        text, label = self.text or COLUMNS[0], self.label or COLUMNS[1]
        return (text, label, COLUMNS[2]) if len({text, label, COLUMNS[2]}) == len(COLUMNS) else COLUMNS


@dataclass(frozen=True)
class AnnotatedRow:
    """One text. `label` and `spans` are None where nobody gave any, and where they were not asked for. `partial` tells
    the text of an answer that says nothing of its other words; such answers come together in one row."""

    line: int
    text: str
    label: str | None = None
    spans: tuple[SpanInFile, ...] | None = None
    split: str | None = None
    place: str = ""
    partial: str | None = None


@dataclass
class KeysRead:
    """Under which keys texts, answers and splits stood, on how many rows each, and keys with values that are not
    read."""

    text: Counter[str] = field(default_factory=Counter)
    annotation: Counter[str] = field(default_factory=Counter)
    split: Counter[str] = field(default_factory=Counter)
    rest: Counter[str] = field(default_factory=Counter)

    def take_rest(self, values: Mapping[str, object], read: Collection[str]) -> None:
        """Count the keys of a row that hold something and are not among those that are read; of an object those of the
        values inside of it. Keys that begin with _ are a tool's own."""
        for key, value in values.items():
            if key not in read and not key.startswith("_"):
                inside = values_inside(key, value) or [(key, value)]
                self.rest.update(path for path, one in inside if path not in read and one not in (None, "", [], ()))

    def choice(self, rows: int, annotated: int) -> ColumnChoice | None:
        """The keys that most rows have; `annotated`: how many of the rows have an answer. None where no key was
        counted."""
        text, annotation, split = (_most_common(keys) for keys in (self.text, self.annotation, self.split))
        if text is None:
            return None
        filled = {text: rows, **({annotation: annotated} if annotation else {}), **self.rest}
        return choice_of_keys(text, annotation, split, filled, rows)


def _most_common(keys: Counter[str]) -> str | None:
    return next((key for key, count in keys.most_common(1) if count), None)


@dataclass
class AnnotatedRows:
    """The rows of a file, those refused, and remarks on rows. `at` is what a place is called: a line, or in files that
    may be one long line something else that can be counted. `before`: lines of the file before these rows. `controls`:
    the names under which answers stand, and how many do."""

    asked: WantedParts = WantedParts()
    rows: list[AnnotatedRow] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)
    at: str = "on line"
    before: int = 0
    controls: Counter[str] = field(default_factory=Counter)
    keys: KeysRead = field(default_factory=KeysRead)

    def remark(self, what: str, place: int) -> None:
        """Remember that something at this place was read in a way that has to be reported."""
        self.remarks.add(what, f"{self.at} {place + self.before:,}")

    def all_notes(self) -> list[str]:
        """Notes, and each remark with how many rows it is due on."""
        return [*self.notes, *self.remarks.notes()]


def as_table(read: AnnotatedRows, name: str, format: str) -> Table:
    """The rows as a table of texts, labels and splits. DataFileError where no row is left."""
    rows, lines, bad_rows = [], [], list(read.bad_rows)
    columns = read.asked.columns
    for row in read.rows:
        cells = (row.text, row.label, row.split)
        fault = cell_fault(cells, columns)
        if fault is None:
            rows.append(cells)
            lines.append(row.line)
        else:
            bad_rows.append(BadRow(row.line, fault))
    bad_rows.sort(key=lambda bad: bad.line)
    if not rows:
        raise DataFileError(nothing_left(name, bad_rows))
    return Table(columns, tuple(rows), tuple(lines), tuple(bad_rows), format, True, name, tuple(read.all_notes()))


def as_slot_rows(read: AnnotatedRows) -> SlotRows:
    """The rows as slot data, before anyone knows where words begin and end."""
    rows = [SlotRow(row.line, row.split, text=row.text, spans=row.spans, place=row.place) for row in read.rows]
    annotated = sum(row.spans is not None for row in rows)
    return SlotRows(rows, list(read.bad_rows), read.all_notes(), read.keys.choice(len(rows), annotated))


def note_double_ids(ids: Iterable[tuple[int, str]], read: AnnotatedRows) -> None:
    """A note where one id is on several rows; (place, id) of those that have one."""
    seen: Counter[str] = Counter()
    first: tuple[int, str] | None = None
    for line, identity in ids:
        seen[identity] += 1
        if seen[identity] == 2 and first is None:
            first = (line, identity)
    if first is not None:
        double = sum(count > 1 for count in seen.values())
        stand = "1 id is" if double == 1 else f"{double:,} ids are"
        read.notes.append(
            f"{stand} on more than one row, first '{first[1][:40]}' again {read.at} {first[0]:,}. All rows were read; "
            "ids are not kept."
        )


def text_key(values: Mapping[str, object], asked: str | None, taken: Collection[str] = ()) -> str:
    """The key of the text: the one that was asked for, one of a usual name, or the only one whose value may be a text;
    "text" where there is none. `taken` are keys of answers."""
    if asked is not None:
        return asked
    texts = [key for key, value in values.items() if _may_be_text(value) and key not in taken]
    named = next((name for name in (*TEXT_NAMES, *_MORE_TEXT_NAMES) if name in texts), None)
    free = [key for key in texts if key != "split" and column_role(key) not in ID_NAMES | DATE_NAMES]
    free = [key for key in free if not is_date(str(values[key]))]
    return named or (free[0] if len(free) == 1 else "text")


def _may_be_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Spelled)


def text_under(values: Mapping[str, object], key: str, *, joined: bool = False) -> str:
    """The text under a key, or where they may be `joined` the texts under several, "title, body"; RefusedError where
    there is none."""
    keys = joined_columns(key, values) if joined else (key,)
    if len(keys) > 1:
        texts = [text_under(values, one).strip() for one in keys if values.get(one) is not None]
        return " ".join(filter(None, texts))
    if values.get(key) is None:
        found = ", ".join(repr(name[:40]) for name in values) or "none"
        choose = "" if key != "text" else "; name its key with --text-column" if _several_texts(values) else ""
        raise RefusedError(f"has no '{key}'; a text is expected there (keys found: {found}){choose}")
    value = values[key]
    # Numbers come as they are spelled, so a text of digits cannot be told from a number, and need not be.
    if not isinstance(value, str):
        raise RefusedError(f"'{key}' holds {kind_of(value)}; a text is expected")
    return value


def _several_texts(values: Mapping[str, object]) -> bool:
    return sum(map(_may_be_text, values.values())) > 1


def note_labels_left(values: Mapping[str, object], line: int, read: AnnotatedRows) -> None:
    """A remark where a row without a label has one under a key that nobody reads, by the name of the key. `values`:
    those of the row that are not read."""
    if read.asked.spans or read.asked.label is not None:
        return
    plain = [path for key, value in values.items() for path, _ in values_inside(key, value) or [(key, value)]]
    for path in plain:
        if column_role(path) in LABEL_NAMES and isinstance(value_at(values, path), str):
            read.remark(f"without a label, where '{path}' may hold one: name it with --label-column {path}", line)
            return


def label_under(values: Mapping[str, object], path: str) -> str | None:
    """The label that stands under a key, or inside of it by a path; RefusedError where something else does."""
    value = value_at(values, path)
    if value is None:
        return None
    if not isinstance(value, str):
        raise RefusedError(f"'{path}' holds {kind_of(value)}; a label is expected")
    return value.strip() or None


def one_label(labels: list[str], what: str, advice: str = ONE_LABEL) -> str | None:
    """The label of a text; RefusedError where several are given."""
    distinct = list(dict.fromkeys(label.strip() for label in labels if label.strip()))
    if len(distinct) > 1:
        raise RefusedError(f"{what}: {first_names(list(map(repr, distinct)), _NAMED)}; {advice}")
    return distinct[0] if distinct else None
