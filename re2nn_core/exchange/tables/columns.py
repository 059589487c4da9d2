"""Which column of a table holds the texts, which the labels and which the splits: one decision, by what all rows hold,
with what predicts it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.column_evidence import (
    ENOUGH,
    TITLE_LENGTH,
    ColumnCounter,
    ColumnEvidence,
    distinguishes_rows,
    has_content,
    has_few_values,
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
    RATING_NAMES,
    SPLIT_NAMES,
    TEXT_NAMES,
    UNLABELLED_NAMES,
    column_role,
    holds_predictions,
    path_role,
)
from re2nn_core.exchange.tables.table import Table

_HALF, _SOME, _NEARLY_EMPTY, _NEARLY_FULL = 0.5, 0.3, 0.1, 0.9
_TURN = re.compile(r"(.*)\.(\d+)\.(.+)")  # messages.0.content
_SHOWN, _OTHERS = 8, 3
_NAMELESS = re.compile(r"column_\d+")
_SPLIT_WORDS = frozenset((*SPLIT_NAMES, "test", "train", "holdout", "testset"))
_TITLES = frozenset(("title", "headline", "subject", "summary"))
# Behind the name of a column of numbers: that of their names.
_NAMES_BEHIND = ("_text", "_name", "_names", "_str", "_string", "_title")


def one_word_a_row(tags: str | None) -> DataFileError:
    """The refusal of a table whose column of this name holds tags of words."""
    return DataFileError(
        f"The table has one word a row: its column '{tags}' holds tags of words. To read it as texts with slots, add a "
        "column with the number of the text of each word, or use CoNLL: a tab or blank between word and tag, and a "
        "blank line between texts."
    )


def joined_columns(name: str, columns: Collection[str]) -> tuple[str, ...]:
    """The columns whose cells make up the texts: the one of this name, or those that it names with commas between,
    "title, body", one of which there is at least."""
    parts = tuple(part.strip() for part in name.split(",") if part.strip())
    several = name not in columns and len(parts) > 1 and not set(parts).isdisjoint(columns)
    return parts if several else (name,)


def names_asked_for(*names: str | None) -> tuple[str, ...]:
    """The names of columns that a person gave, with the parts of those that name several."""
    given = [name for name in names if name]
    return tuple(dict.fromkeys(part for name in given for part in (name, *joined_columns(name, name.split(",")))))


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that are read, by name; None where there is none. `text` may name several, "title, body". `rows`: how
    many were looked at, which is all.

    `columns`: what each column holds. `candidates`: where no column of labels was chosen, those that could be it, with
    the fewest values first; `question` asks for one. Formats with keys in place of columns fill it in the same way.
    """

    text: str
    label: str | None = None
    split: str | None = None
    rows: int = 0
    columns: tuple[ColumnEvidence, ...] = ()
    candidates: tuple[str, ...] = ()
    html_removed: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns whose cells make up the texts."""
        return joined_columns(self.text, [column.name for column in self.columns])

    @property
    def not_read(self) -> tuple[str, ...]:
        """The columns that hold something and that nothing is read from."""
        read = (*self.texts, self.label, self.split)
        return tuple(column.name for column in self.columns if column.name not in read and column.filled)

    @property
    def other_texts(self) -> tuple[str, ...]:
        """Further columns of texts, such as `question2`, in their order."""
        chosen = next((column for column in self.columns if column.name == self.text), None)  # none for joined ones
        if chosen is None or not chosen.distinct:
            return ()
        free = [c for c in self.columns if c.name in self.not_read and c.name not in self.candidates]
        return tuple(c.name for c in free if not c.inside and _holds_texts_too(c, chosen))

    @property
    def other_labels(self) -> tuple[str, ...]:
        """Further columns that could hold the labels, such as `subcategory`, in their order."""
        if self.label is None:
            return ()
        free = [c for c in self.columns if c.name in self.not_read and not c.inside]
        may_be = (c for c in free if holds_labels(c, self.rows) or holds_ratings(c, self.rows))
        return tuple(c.name for c in may_be if not holds_predictions(c.name))

    def with_asked(self, text: str | None, label: str | None, split: str | None) -> ColumnChoice:
        """The same with the columns that a person named; a column has one use. DataFileError for tags of words, one a
        row, where nobody named them as labels: the words would become texts."""
        if label is None and any(column.name == self.label and column.tags for column in self.columns):
            raise one_word_a_row(self.label)
        asked = replace(self, text=text or self.text)
        label = label or (self.label if self.label not in asked.texts else None)
        return replace(
            asked, label=label, split=split or (self.split if self.split not in (*asked.texts, label) else None)
        )

    def in_words(self, annotation: str = "label", *, options: bool = False) -> str:
        """What was chosen and why, in one line. `annotation`: what stands in the column of labels, such as spans;
        `options`: name the options of the command line that choose another column."""
        choose_label = "; choose one with --label-column" if options else ""
        parts = [
            f"text: {' + '.join(self.texts)}{_also(self.other_texts, 'texts', self._choose_texts(options))}",
            f"{annotation}: {self._label_in_words(annotation)}{_also(self.other_labels, 'labels', choose_label)}",
        ]
        parts.append(f"split: {self.split or 'none'}{self._other_split()}")
        rest = self.not_read
        if rest:
            more = f" and {len(rest) - _SHOWN:,} more" if len(rest) > _SHOWN else ""
            parts.append(f"not read: {', '.join(map(self._left_in_words, rest[:_SHOWN]))}{more}")
        return "; ".join(parts)

    def _left_in_words(self, name: str) -> str:
        """A column that is not read, with the reason where it is called like one of labels."""
        constant = any(column.name == name and column.distinct == 1 for column in self.columns)
        return f"{name} (one value)" if constant and column_role(name) in LABEL_NAMES else name

    def _choose_texts(self, options: bool) -> str:
        """How to choose another column of texts, or to join all that could be meant."""
        meant = {*self.texts, *self.other_texts}
        joined = ",".join(column.name for column in self.columns if column.name in meant)
        named = len(meant) <= _OTHERS and joined.count(",") < len(meant)
        join = f", or join them with --text-column {joined}" if named and " " not in joined else ""
        return f"; choose one with --text-column{join}" if options else ""

    def _other_split(self) -> str:
        """What is to be said of a column such as is_test, whose values are no names of splits."""
        named = next((name for name in self.not_read if not _SPLIT_WORDS.isdisjoint(words_in(name))), None)
        if self.split is not None or named is None:
            return ""
        return f" ({named} could say it if it held train, dev and test)"

    def _label_in_words(self, annotation: str) -> str:
        found = next((column for column in self.columns if column.name == self.label), None)
        if self.label is None or found is None:
            return self.label or "none"
        if not found.distinct or annotation != "label":  # values were not counted, or say nothing
            return f"{self.label}, {found.filled:,} of {self.rows:,} filled"
        return f"{self.label}, {found.in_words(self.rows)}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said of the labels, and of the texts."""
        labels = next((column.remarks for column in self.columns if column.name == self.label), ())
        may_be = (c for c in self.columns if c.name == (self.label or c.name) and c.name not in self.texts)
        merged = next((column.merged for column in may_be if column.merged), "")
        markup = next((column.markup for column in self.columns if column.name in self.texts and column.markup), "")
        return (*labels, *filter(None, (self._turn, merged, "" if self.html_removed else markup)))

    @property
    def _turn(self) -> str:
        """What is to be said of texts that are one turn of conversations: another may be meant, of another speaker."""
        for name in self.texts:
            place = _TURN.fullmatch(name)
            every = [
                c.name
                for c in self.columns
                if (own := _TURN.fullmatch(c.name)) and place and own.group(1, 3) == place.group(1, 3)
            ]
            if len(every) > 1:
                others = ", ".join([other for other in every if other != name][:_OTHERS])
                return (
                    f"'{name}' is the same turn of each conversation, by any speaker. If others are meant, choose "
                    f"them with --text-column: {others}."
                )
        return ""

    @property
    def lists_of_labels(self) -> str:
        """What is to be said of a column that is called like one of labels and holds lists; empty where there is none,
        or another one holds the labels."""
        names = [c.name for c in self.columns if c.lists and column_role(c.name) in LABEL_NAMES]
        if self.label is not None or not names:
            return ""
        return f"'{names[0]}' holds lists, and a text has one label: write one of each list into a column of its own."

    @property
    def question(self) -> str:
        """What a person has to say where several columns could hold the labels; empty where nothing is open."""
        if self.label is not None or not self.candidates:
            return ""
        evidence = {column.name: column for column in self.columns}
        shown = ", ".join(f"'{name}' ({evidence[name].in_words(self.rows)})" for name in self.candidates[:_SHOWN])
        more = f" and {len(self.candidates) - _SHOWN:,} more" if len(self.candidates) > _SHOWN else ""
        return f"No column of labels was chosen, because these could hold them: {shown}{more}."


def _also(names: Sequence[str], what: str, choose: str) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _OTHERS:,} more" if len(names) > _OTHERS else ""
    return f" ({', '.join(names[:_OTHERS])}{more} could hold the {what} too{choose})"


def choice_of_keys(
    text: str, label: str | None, split: str | None, filled: Mapping[str, int], rows: int
) -> ColumnChoice:
    """The keys that are read of rows of slot data; `filled`: in how many rows each key holds something."""
    columns = tuple(ColumnEvidence(key, count, 0, 0.0, 0) for key, count in filled.items())
    return ColumnChoice(text, label, split, rows, columns)


def choose_columns(table: Table, text: str | None = None) -> ColumnChoice:
    """The columns of a table, by its rows. What each holds is counted where there is a text: in the column `text`, if a
    person named it."""
    counter = ColumnCounter()
    counter.take_rows(table.columns, table.rows, table.inside)
    chosen = chosen_by(counter)
    places = [
        table.columns.index(name)
        for name in joined_columns(text or chosen.text, table.columns)
        if name in table.columns
    ]
    rows = [row for row in table.rows if any(has_content(row[place]) for place in places)]
    if not rows or len(rows) == counter.rows:
        return chosen
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
    label, candidates = _label_column(free, counter.rows)
    return ColumnChoice(text, label, split, counter.rows, columns, candidates)


def _label_column(every: Sequence[ColumnEvidence], rows: int) -> tuple[str | None, tuple[str, ...]]:
    """The column of labels: by its name, else the only one that looks like it, of words before numbers. Where several
    do, or one of authors or languages alone, a person has to say: None, and the names."""
    outer = [column for column in every if not column.inside]
    predicted = [column for column in outer if holds_predictions(column.name) and may_hold_labels(column)]
    columns = [column for column in outer if column not in predicted]
    named = _labels_by_name(columns, rows)
    constant = [column for column in columns if column.name == named and column.distinct == 1]
    if named is not None and not constant:
        return _names_of_numbers(named, columns), ()
    words, scores = ([c for c in columns if holds(c, rows)] for holds in (holds_labels, holds_scores))
    # A few titles are no labels where numbers may be, and short ones, or columns without names, leave it open.
    words = [c for c in words if not (scores and holds_titles(c))]
    is_open = all(c.worded or _NAMELESS.fullmatch(c.name) for c in words)
    likely = [*words, *scores] if is_open else words
    # What else has few values does not say more than how many stars somebody gave.
    likely += [column for column in columns if holds_ratings(column, rows) and column not in likely]
    likely = [*constant, *likely]
    if len(likely) == 1:
        return likely[0].name, ()
    asked = likely or [c for c in columns if has_few_values(c, rows) and column_role(c.name) in ASKED_NAMES]
    asked = asked or [c for c in columns if c.numbers and c.names and has_few_values(c, rows)]  # 2,15: two numbers
    # One value for all, or hardly a cell, under a name of labels: where nothing else can be meant.
    weak = _named([column for column in columns if may_hold_labels(column)], LABEL_NAMES[:6])
    if weak is not None and not likely:
        return weak, ()
    # Of values inside of objects those with a name of labels; what is in a list belongs to a part of the text.
    inner = [c for c in every if c.inside and not any(map(str.isdecimal, c.name.split(".")))]
    if not asked and (named := _labels_by_name(inner, rows)) is not None:
        return named, ()
    asked = asked or [c for c in every if c.inside and holds_labels(c, rows)]
    asked = asked or [column for column in predicted if has_few_values(column, rows)]
    return None, tuple(column.name for column in sorted(asked, key=lambda column: column.distinct))


def _names_of_numbers(name: str, columns: Sequence[ColumnEvidence]) -> str:
    """Of labels that are numbers the column with their names, such as label_text for label, where there is one."""
    found = {column.name: column for column in columns}
    numbered = found[name]
    for ending in _NAMES_BEHIND if numbered.class_numbers else ():
        named = found.get(f"{name}{ending}")
        if named is not None and not named.numbers and named.distinct == numbered.distinct:
            return named.name
    return name


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
    inner = _fullest([c for c in others if c.inside and c.distinct > 1])
    # "anonymous" in each row, or a few kinds of text, are no texts next to some.
    called_so = [c for c in _fullest(outer, TEXT_NAMES) if c.distinct > 1 or c.filled < ENOUGH // 4]
    worded = [c for c in called_so if c.worded or c.name.strip().casefold() in called]
    called_so = worded if worded or any(c.worded for c in outer) else called_so
    named = _named(called_so, TEXT_NAMES) or _named(inner, TEXT_NAMES)
    return named or max(outer or inner or usable, key=_how_like_texts).name


def _how_like_texts(column: ColumnEvidence) -> tuple[bool, bool, bool, float]:
    """What speaks for texts in a column whose name says nothing: more than hashes, browsers and kinds. Of equals the
    one that holds most in all rows together, since a row without a text is left out."""
    role = column_role(column.name)
    unlabelled = role in UNLABELLED_NAMES and role not in _TITLES
    return column.worded, not unlabelled, _SOME * column.filled <= column.distinct, column.mean_length * column.filled


def _holds_texts_too(column: ColumnEvidence, chosen: ColumnEvidence) -> bool:
    """Long cells of many kinds, or those of a title, next to a column of texts."""
    other = column.numbers or column.dates or column.addresses or column.lists or column.tags or column.splits
    other = other or column.flags or column.distinct <= 2
    role = column_role(column.name)
    other = other or role in RATING_NAMES or (role in UNLABELLED_NAMES and role not in _TITLES)
    if other or distinguishes_rows(column) or column.filled < _HALF * chosen.filled:
        return False
    varied = column.distinct > _HALF * min(column.filled, chosen.distinct)
    return (
        varied
        and (column.worded or not chosen.worded)
        and (
            role in _TITLES or role in TEXT_NAMES or column.mean_length >= min(TITLE_LENGTH, _HALF * chosen.mean_length)
        )
    )


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
