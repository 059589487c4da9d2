"""Which column of a table holds the texts, which the labels and which the splits: one decision, by what all rows hold,
with what predicts it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.column_choice import SPLIT_WORDS, ColumnChoice, joined_columns
from re2nn_core.exchange.tables.column_evidence import (
    ENOUGH,
    ColumnCounter,
    ColumnEvidence,
    distinguishes_rows,
    has_content,
    has_few_values,
    holds_codes,
    holds_labels,
    holds_ratings,
    holds_scores,
    holds_splits,
    holds_titles,
    may_hold_labels,
)
from re2nn_core.exchange.tables.header import (
    ASKED_NAMES,
    LABEL_NAMES,
    TEXT_NAMES,
    TITLE_NAMES,
    UNLABELLED_NAMES,
    column_role,
    holds_predictions,
    path_role,
)
from re2nn_core.exchange.tables.signs.marked_columns import MarkedColumns
from re2nn_core.exchange.tables.table import Row, Table
from re2nn_core.exchange.tables.turns.listed_turns import USER, is_assistant, is_user, turn_of

_HALF, _SOME, _NEARLY_EMPTY, _NEARLY_FULL = 0.5, 0.3, 0.1, 0.9
_FEWEST_MARKED, _NEARLY_ALL_MARKED = 2, 0.95
_NAMELESS = re.compile(r"column_\d+")
# In the name of one of several columns of labels.
_RIGHT = frozenset(("gold", "final", "true", "majority", "consensus", "adjudicated", "agreed", "correct", "given"))
# Behind the name of a column of numbers: that of their names.
_NAMES_BEHIND = ("_text", "_name", "_names", "_str", "_string", "_title")
_NAMES_INSIDE = ("class-name", "class_name", "className", "label-name", "label_name", "labelName")


def names_asked_for(*names: str | None) -> tuple[str, ...]:
    """The names of columns that a person gave, with the parts of those that name several."""
    given = [name for name in names if name]
    return tuple(dict.fromkeys(part for name in given for part in (name, *joined_columns(name, name.split(",")))))


def choose_columns(table: Table, text: str | None = None, *, predicted: bool = False) -> ColumnChoice:
    """The columns of a table, by its rows. What each holds is counted where there is a text: in the column `text`, if a
    person named it. `predicted`: what a model predicts is asked for in place of labels."""
    counter = ColumnCounter()
    counter.take_rows(table.columns, table.rows, table.inside)
    chosen = chosen_by(counter)
    chosen = _of_predictions(chosen) if predicted else chosen
    places = [
        table.columns.index(name)
        for name in joined_columns(text or chosen.text, table.columns)
        if name in table.columns
    ]
    rows = [row for row in table.rows if any(has_content(row[place]) for place in places)]
    return chosen if not rows or len(rows) == counter.rows else counted_in(chosen, table, rows)


def _of_predictions(chosen: ColumnChoice) -> ColumnChoice:
    """The same with the column that is called like one of predictions, where one is."""
    named = [c.name for c in chosen.columns if holds_predictions(c.name) and may_hold_labels(c)]
    named = [name for name in named if name not in (*chosen.texts, chosen.split)]
    return replace(chosen, label=named[0], candidates=()) if len(named) == 1 else chosen


def counted_in(chosen: ColumnChoice, table: Table, rows: Sequence[Row]) -> ColumnChoice:
    """The same columns, with what they hold in these rows of the table."""
    counter = ColumnCounter()
    counter.take_rows(table.columns, rows, table.inside)
    return replace(chosen, rows=len(rows), columns=counter.evidence())


def chosen_by(counter: ColumnCounter) -> ColumnChoice:
    """The columns by what was counted: by name first, then by content. The longest cells are texts; few short distinct
    cells, in most rows, are labels."""
    columns = counter.evidence()
    text = _text_column(columns)
    free = [column for column in columns if column.name != text]
    split = next((column.name for column in free if holds_splits(column)), None)
    free = [column for column in free if column.name != split]
    label, candidates = _label_column(free, counter.rows, turn_of(text))
    chosen = ColumnChoice(text, label, split, counter.rows, columns, candidates)
    return chosen if label is not None else _by_marks(chosen, free, counter.marks)


def _by_marks(chosen: ColumnChoice, free: Sequence[ColumnEvidence], marks: MarkedColumns) -> ColumnChoice:
    """The same with a column for each label, one of which is marked in each row; where several are marked in some, or
    none in many, with the numbers of these rows."""
    # A comma stands between the names of several columns.
    names = [c.name for c in free if c.name in marks.marked and c.name == c.name.strip() and "," not in c.name]
    names = [n for n in names if column_role(n) not in UNLABELLED_NAMES and SPLIT_WORDS.isdisjoint(words_in(n))]
    if len(names) < _FEWEST_MARKED or not {*chosen.candidates} <= {*names}:
        return chosen
    none, one, several = marks.rows_with(names)
    if not several and one >= _NEARLY_ALL_MARKED * (none + one):
        return replace(chosen, label=",".join(names), candidates=())
    return replace(chosen, candidates=tuple(names), several=several, unticked=0 if several else none) if one else chosen


def _label_column(
    every: Sequence[ColumnEvidence], rows: int, turn: tuple[str, str] | None
) -> tuple[str | None, tuple[str, ...]]:
    """The column of labels: by its name, else the only one that looks like it, of words before numbers. Where several
    do, or one of authors or languages alone, a person has to say: None, and the names. `turn`: the one of conversations
    that the texts are."""
    # Who says the text is no label of it, where the column has no name of labels.
    outer = [c for c in every if not c.inside and (not c.roles or column_role(c.name) in LABEL_NAMES)]
    predicted = [column for column in outer if holds_predictions(column.name) and may_hold_labels(column)]
    columns = [column for column in outer if column not in predicted]
    named = _labels_by_name(columns, rows)
    constant = [column for column in columns if column.name == named and column.distinct == 1]
    if named is not None and not constant:
        chosen = _of_alike(named, columns, rows)
        return (_names_of_numbers(chosen[0], every), ()) if len(chosen) == 1 else (None, chosen)
    words, scores = ([c for c in columns if holds(c, rows)] for holds in (holds_labels, holds_scores))
    # A few titles are no labels where numbers may be. Short ones, columns without names, yes or no, or several columns
    # leave it open.
    words = [c for c in words if not (scores and holds_titles(c))]
    is_open = len(words) > 1 or all(c.worded or c.flags or _NAMELESS.fullmatch(c.name) for c in words)
    likely = [*words, *scores] if is_open else words
    # What else has few values does not say more than how many stars somebody gave.
    likely += [column for column in columns if holds_ratings(column, rows) and column not in likely]
    likely = [*constant, *likely]
    if len(likely) == 1:
        return _names_of_numbers(likely[0].name, every), ()
    asked = likely or [c for c in columns if has_few_values(c, rows) and column_role(c.name) in ASKED_NAMES]
    asked = asked or [c for c in columns if c.numbers and c.names and has_few_values(c, rows)]  # 2,15: two numbers
    # One value for all, or hardly a cell, under a name of labels: where nothing else can be meant.
    weak = _named([column for column in columns if may_hold_labels(column)], LABEL_NAMES[:6])
    if weak is not None and not likely:
        return weak, ()
    # Of values inside of objects those with a name of labels; what is in a list belongs to a part of the text, and what
    # is in another turn of a conversation to that.
    inner = [c for c in every if c.inside and not any(map(str.isdecimal, c.name.split(".")))]
    inner = [c for c in inner if turn_of(c.name) in (None, turn) and not holds_predictions(c.name)]
    if not asked and (named := _labels_by_name(inner, rows)) is not None:
        return named, ()
    deep = [c for c in every if c.inside and holds_labels(c, rows)]
    asked = asked or [c for c in deep if not holds_predictions(c.name)] or deep
    asked = asked or [column for column in predicted if has_few_values(column, rows)]
    asked = asked or [column for column in columns if holds_codes(column, rows)]
    return None, tuple(column.name for column in sorted(asked, key=lambda column: column.distinct))


def _of_alike(name: str, columns: Sequence[ColumnEvidence], rows: int) -> tuple[str, ...]:
    """Of columns that are called like one of labels as much as this one is, gpt_label and gold_label, the one that says
    that it is right; all of them where none does, and this one where it is called so alone."""
    role = column_role(name)
    alike = [c for c in columns if column_role(c.name) == role and holds_labels(c, rows)]
    right = [c.name for c in alike if not _RIGHT.isdisjoint(words_in(c.name))]
    if len(alike) < 2 or name.strip().casefold() == role or len(right) == 1:
        return (right[0] if len(right) == 1 and name.strip().casefold() != role else name,)
    return tuple(c.name for c in sorted(alike, key=lambda c: c.distinct))


def _names_of_numbers(name: str, columns: Sequence[ColumnEvidence]) -> str:
    """Of labels that are numbers the column with their names, such as label_text for label, where there is one."""
    found = {column.name: column for column in columns}
    numbered = found[name]
    if not numbered.class_numbers:
        return name
    for ending in _NAMES_BEHIND:
        named = found.get(f"{name}{ending}")
        if named is not None and not named.numbers and named.distinct == numbered.distinct:
            return named.name
    # job and job-metadata.class-name, as a file of SageMaker has them.
    inside = [c for c in columns if c.inside and c.name.startswith(name) and c.name.endswith(_NAMES_INSIDE)]
    same = (c.name for c in inside if not c.numbers and c.distinct == numbered.distinct)
    return next(same, name)


def _text_column(columns: Sequence[ColumnEvidence]) -> str:
    called = {name.casefold() for name in TEXT_NAMES}
    # A text may be a link or stand in brackets, where the column says that it holds texts.
    usable = [
        c
        for c in columns
        if c.name.strip().casefold() in called or not (distinguishes_rows(c) or c.addresses or c.lists)
    ] or list(columns)
    # How full labels are says nothing of texts: rows without a text are reported.
    others = [c for c in usable if column_role(c.name) not in LABEL_NAMES]
    # How many comments there are, or whether it is a question, is no text where there is one.
    counts = [c for c in others if (c.numbers or c.flags) and c.name.strip().casefold() not in called]
    others = [c for c in others if c not in counts and c.distinct] or others
    outer = _fullest([c for c in others if not c.inside])
    # The first message of a conversation may be the same for all.
    inside = [c for c in others if c.inside and c.distinct > 1]
    by_user = [c for c in inside if USER in c.name.split(".")]
    inner = _fullest(by_user or inside)
    # "anonymous" in each row, or a few kinds of text, are no texts next to some.
    called_so = [c for c in _fullest(outer, TEXT_NAMES) if c.distinct > 1 or c.filled < ENOUGH // 4]
    worded = [c for c in called_so if c.worded or c.name.strip().casefold() in called]
    called_so = worded if worded or any(c.worded for c in outer) else called_so
    called_so = [c for c in called_so if not _asks_for_others(c, outer)]
    worded_inside = [c for c in inner if c.worded]
    named = _named(called_so, TEXT_NAMES) or _named(worded_inside or inner, TEXT_NAMES)
    # Two columns of what each of two says: the user says what the text is.
    has_assistant = any(is_assistant(c.name) for c in outer)
    users = [c.name for c in outer if has_assistant and is_user(c.name) and c.worded]
    named = named or next(iter(users), None)
    best = inner if by_user or (worded_inside and not any(c.worded for c in outer)) else outer
    return named or max(best or inner or usable, key=_how_like_texts).name


def _asks_for_others(column: ColumnEvidence, columns: Sequence[ColumnEvidence]) -> bool:
    """True for a question that comes again in many rows, next to texts that do not: these reply to it."""
    often = column.filled >= ENOUGH and column.distinct <= _SOME * column.filled
    replies = (c for c in columns if c.worded and c.name != column.name and column_role(c.name) not in UNLABELLED_NAMES)
    asks = often and column_role(column.name) == "question"
    return asks and any(c.distinct > _HALF * c.filled and c.filled >= _NEARLY_FULL * column.filled for c in replies)


def _how_like_texts(column: ColumnEvidence) -> tuple[bool, bool, bool, float]:
    """What speaks for texts in a column whose name says nothing: more than hashes, browsers and kinds. Of equals the
    one that holds most in all rows together, since a row without a text is left out."""
    role = column_role(column.name)
    unlabelled = role in UNLABELLED_NAMES and role not in TITLE_NAMES
    return column.worded, not unlabelled, _SOME * column.filled <= column.distinct, column.mean_length * column.filled


def _fullest(columns: Iterable[ColumnEvidence], names: Collection[str] = ()) -> list[ColumnEvidence]:
    """The columns that are filled at least half as often as the fullest of them; of those called by one of the `names`
    nearly as often, since a row without a text is left out."""
    columns = [column for column in columns if not names or column_role(column.name) in names]
    most = max((column.filled for column in columns), default=0)
    return [column for column in columns if column.filled >= (_NEARLY_FULL if names else _HALF) * most]


def _labels_by_name(columns: Sequence[ColumnEvidence], rows: int) -> str | None:
    """A column of several values that is called like one of labels and not nearly empty."""
    usable = [c for c in columns if may_hold_labels(c) and c.filled >= _NEARLY_EMPTY * rows]
    usable = [c for c in usable if c.distinct > 1 or c.filled < ENOUGH]
    return _named(_fullest(usable), LABEL_NAMES)


def _named(columns: Sequence[ColumnEvidence], names: Sequence[str]) -> str | None:
    """The column with the first of the names that one has, alone or as the last of several words."""
    whole = {column.name.strip().casefold(): column.name for column in reversed(columns)}
    roles = ((path_role if column.inside else column_role)(column.name) for column in reversed(columns))
    by_role = dict(zip(roles, (column.name for column in reversed(columns)), strict=True)) | whole
    return next((by_role[name] for name in names if name in by_role), None)


def place_of(table: Table, column: str, what: str) -> int:
    """Where a column stands; raises DataFileError naming the columns there are."""
    if column in table.columns:
        return table.columns.index(column)
    folded = {name.casefold(): name for name in table.columns}
    near = difflib.get_close_matches(column.casefold(), folded, n=1)
    meant = f" Did you mean '{folded[near[0]]}'?" if near else ""
    known = ", ".join(f"'{name}'" for name in table.columns)
    raise DataFileError(f"'{table.name}' has no column '{column}' for {what}. Its columns are {known}.{meant}")
