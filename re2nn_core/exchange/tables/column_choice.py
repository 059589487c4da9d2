"""Which columns of a table were chosen, and what is to be said of that and of the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.column_evidence import (
    TITLE_LENGTH,
    ColumnEvidence,
    distinguishes_rows,
    holds_labels,
    holds_ratings,
    holds_scores,
    may_be_ticked,
    may_hold_merged,
    why_no_labels,
)
from re2nn_core.exchange.tables.header import (
    LABEL_NAMES,
    RATING_NAMES,
    SPAN_NAMES,
    SPLIT_NAMES,
    TEXT_NAMES,
    TITLE_NAMES,
    UNLABELLED_NAMES,
    column_role,
    holds_predictions,
)
from re2nn_core.exchange.tables.turns.listed_turns import ROLES, USER, turn_of
from re2nn_core.exchange.tables.turns.written_turns import columns_of

_HALF = 0.5
_TURN = re.compile(r"(.*)\.(\d+)\.(.+)")  # messages.0.content
_SHOWN, _OTHERS = 8, 3
_FEWEST_BY_LABEL = 2  # further columns of texts
SPLIT_WORDS = frozenset((*SPLIT_NAMES, "test", "train", "holdout", "testset"))


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


@dataclass(frozen=True)
class ColumnChoice:
    """The columns that are read, by name; None where there is none. `text` may name several, "title, body". `rows`: how
    many were looked at, which is all.

    `label` may name several columns too, one for each label with a mark in the one that a text has; `several`: in how
    many rows several of the candidates are marked, `unticked`: in how many none is, where never several are.

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
    several: int = 0
    unticked: int = 0

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns whose cells make up the texts."""
        return joined_columns(self.text, [column.name for column in self.columns])

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns that the labels are read from; none where there is none."""
        return () if self.label is None else joined_columns(self.label, [column.name for column in self.columns])

    @property
    def not_read(self) -> tuple[str, ...]:
        """The columns that hold something and that nothing is read from."""
        return tuple(column.name for column in self.columns if column.name not in self.read and column.filled)

    @property
    def read(self) -> tuple[str, ...]:
        """The columns that something is read from."""
        names = [column.name for column in self.columns]
        return tuple(name for name in (*columns_of(self.texts, names), *self.labels, self.split) if name)

    @property
    def turns(self) -> tuple[str, ...]:
        """What the first turns of users are called, in columns of conversations."""
        return tuple(f"{column.name}.{USER}" for column in self.columns if column.of_users)

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
        may_be = (c for c in free if not c.roles and holds_labels(c, self.rows) or _holds_marks(c, self.rows))
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

    def of_imported(self, texts: int, annotated: int) -> ColumnChoice:
        """The same with the numbers of texts that were imported and of those with an annotation, where more rows were
        looked at."""
        if texts >= self.rows:
            return self
        columns = (replace(c, filled=annotated) if c.name == self.label else c for c in self.columns)
        return replace(self, rows=texts, columns=tuple(columns))

    def in_words(
        self, annotation: str = "label", *, options: bool = False, label_option: str = "--label-column"
    ) -> str:
        """What was chosen and why, in one line. `annotation`: what stands in the column of labels, such as spans;
        `options`: name the options of the command line that choose another column, `label_option` that of labels."""
        choose_label = f"; choose one with {label_option}" if options else ""
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

    def _why_none(self, annotation: str) -> str:
        """Why columns that are called like one of labels, or hold lists, are none."""
        if self.label is not None or self.candidates or annotation != "label":
            return ""
        asked = [c for c in self.columns if c.name in self.not_read and _seems_to_label(c, self.rows)]
        found = {c.name: why_no_labels(c, self.rows) for c in asked}
        reasons = [f"{name}: {reason}" for name, reason in found.items() if reason][:_OTHERS]
        return f" ({'; '.join(reasons)})" if reasons else ""

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
        """What is to be said of a column such as is_test, whose values are no names of splits, or not all of them."""
        free = [column for column in self.columns if column.name in self.not_read]
        may_be = (c.name for c in free if c.most_splits or not SPLIT_WORDS.isdisjoint(words_in(c.name)))
        named = next(may_be, None)
        if self.split is not None or named is None:
            return ""
        return f" ({named} could say it if it held train, dev and test alone)"

    def _label_in_words(self, annotation: str) -> str:
        if len(self.labels) > 1:
            more = f" and {len(self.labels) - _SHOWN:,} more" if len(self.labels) > _SHOWN else ""
            return f"the name of the ticked column of {', '.join(self.labels[:_SHOWN])}{more}"
        found = next((column for column in self.columns if column.name == self.label), None)
        if self.label is None or found is None:
            return self.label or f"none{self._why_none(annotation)}"
        if not found.distinct or annotation != "label":  # values were not counted, or say nothing
            return f"{self.label}, {found.filled:,} of {self.rows:,} filled"
        return f"{self.label}, {found.in_words(self.rows)}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said of the labels, and of the texts."""
        labels = next((column.remarks for column in self.columns if column.name == self.label), ())
        labelled = (self.label,) if self.label is not None else self.candidates
        may_be = [c for c in self.columns if c.name in labelled]
        may_be = may_be or [c for c in self.columns if c.name not in self.texts and may_hold_merged(c)]
        # Turns without a label, of other roles, are no merged cells.
        turns = any(column.roles for column in self.columns)
        merged = "" if turns else next((column.merged for column in may_be if column.merged), "")
        markup = next((column.markup for column in self.columns if column.name in self.texts and column.markup), "")
        signs = [remark for column in self.columns if column.name in self.texts for remark in column.text_remarks]
        return (
            *labels,
            *filter(None, (self._turn, self._side_by_side, merged, "" if self.html_removed else markup)),
            *signs,
        )

    @property
    def _turn(self) -> str:
        """What is to be said of texts that are one turn of conversations: another may be meant, of another speaker."""
        for name in self.texts:
            turn, place = turn_of(name), _TURN.fullmatch(name)
            if turn is not None:
                others = [c.name for c in self.columns if c.name in _same_of_others(name, turn)]
                by_place = name.replace(f".first_{turn[1]}.", ".0.")
                others += [f"{by_place} (the first turn of any speaker)"] if by_place != name else []
                if not others:  # a person asked for it
                    return ""
                return (
                    f"The texts are the first turn of the {turn[1]} in each conversation. If others are meant, "
                    f"choose them with --text-column: {', '.join(others)}."
                )
            every = [
                c.name
                for c in self.columns
                if (own := _TURN.fullmatch(c.name)) and place and own.group(1, 3) == place.group(1, 3)
            ]
            if len(every) > 1:
                others = [other for other in every if other != name]
                return (
                    f"'{name}' is at the same place of a list in each row, of any speaker. If others are meant, choose "
                    f"them with --text-column: {', '.join(others[:_OTHERS])}."
                )
        by = next((c for c in self.columns if c.roles and not c.inside and c.name in self.not_read), None)
        if by is None:
            return ""
        return (
            f"The texts are those of all in '{by.name}' ({by.roles}). If those of one are meant, keep its rows alone "
            "in the file."
        )

    @property
    def _side_by_side(self) -> str:
        """What is to be said of a table that holds nothing but texts, in columns that no name says to hold them."""
        others = [c.name for c in self.columns if c.name in self.not_read and c.worded and not c.inside]
        named = any(column_role(name) in (*TEXT_NAMES, *TITLE_NAMES) for name in (*self.texts, *others))
        if self.label is not None or len(others) < _FEWEST_BY_LABEL or {*others} != {*self.not_read} or named:
            return ""
        return (
            f"All {len(others) + 1:,} columns hold texts, and those of '{self.text}' are read. If the name of each "
            "column is the label of its texts, write one text a row with its label next to it."
        )

    @property
    def lists_of_labels(self) -> str:
        """What is to be said of a column that is called like one of labels and holds lists; empty where there is none,
        or another one holds the labels."""
        names = [c.name for c in self.columns if c.lists and column_role(c.name) in LABEL_NAMES]
        if self.label is not None or not names:
            return ""
        return (
            f"'{names[0]}' holds lists or objects, and a text has one label: write one value of each into a column of "
            "its own."
        )

    @property
    def question(self) -> str:
        """What a person has to say where several columns could hold the labels; empty where nothing is open."""
        if self.label is not None or not self.candidates:
            return ""
        evidence = {column.name: column for column in self.columns}
        shown = ", ".join(f"'{name}' ({evidence[name].in_words(self.rows)})" for name in self.candidates[:_SHOWN])
        more = f" and {len(self.candidates) - _SHOWN:,} more" if len(self.candidates) > _SHOWN else ""
        return f"No column of labels was chosen, because these could hold them: {shown}{more}.{self._several}"

    def no_labels(self, table: str, option: str) -> str:
        """Why the table of this name has no column of labels, and what to do. `option`: the one that names the
        column."""
        names = [column.name for column in self.columns]
        empty = next((c.name for c in self.columns if column_role(c.name) in LABEL_NAMES and not c.filled), None)
        taken = next((name for name in self.texts if column_role(name) in LABEL_NAMES), None)
        if not self.question and empty is not None:
            return (
                f"'{table}': its column '{empty}' is empty, and labels are needed. Fill it, or name another ({option})."
            )
        if not self.question and taken is not None:
            return (
                f"'{table}': no column looks like texts, so '{taken}' was read as texts; its columns are: "
                f"{', '.join(names)}.\nAdd a column 'text', or name it with --text-column."
            )
        columns = f"'{table}' has no column that looks like labels; its columns are: {', '.join(names)}."
        return f"{self.question or columns}\nName the column with {option}, or call it 'label' in the file."

    @property
    def are_ticked(self) -> bool:
        """Whether the columns that could hold the labels may be one for each label."""
        return self.label is None and self.several + self.unticked > 0

    @property
    def _several(self) -> str:
        """What is to be said of columns of marks, several of which are marked in some rows."""
        if not self.several and not self.unticked:
            return ""
        if not self.several:
            return (
                f" At most one of them is ticked in a row, and none in {self.unticked:,} of {self.rows:,} rows. If "
                f"each stands for a label, choose all of them, {','.join(self.candidates)}: rows without a tick then "
                "have no label."
            )
        return (
            f" In {self.several:,} of {self.rows:,} rows several of them are ticked. If each stands for a label, "
            "choose one, or make a project for each: a text has one label."
        )


def _seems_to_label(column: ColumnEvidence, rows: int) -> bool:
    """True for a column that a person may take for one of labels. Of lists under such a name `lists_of_labels` says
    more."""
    role = column_role(column.name)
    named = role in RATING_NAMES or role in SPAN_NAMES or column.lists != (role in LABEL_NAMES)
    return named or may_be_ticked(column, rows)


def _same_of_others(name: str, turn: tuple[str, str]) -> list[str]:
    """The paths of the same in the first turns of other speakers."""
    return [name.replace(turn[0], f"{turn[0].removesuffix(turn[1])}{other}", 1) for other in ROLES - {turn[1]}]


def _holds_marks(column: ColumnEvidence, rows: int) -> bool:
    """Ratings, or a few numbers under a name such as is_claim."""
    asks = words_in(column.name)[:1] in (["is"], ["has"])
    return holds_ratings(column, rows) or (asks and holds_scores(column, rows))


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


def _holds_texts_too(column: ColumnEvidence, chosen: ColumnEvidence) -> bool:
    """Long cells of many kinds, or those of a title, next to a column of texts."""
    other = column.numbers or column.dates or column.addresses or column.lists or column.tags or column.splits
    other = other or column.flags or column.distinct <= 2
    role = column_role(column.name)
    other = other or role in RATING_NAMES or (role in UNLABELLED_NAMES and role not in TITLE_NAMES)
    if other or distinguishes_rows(column) or column.filled < _HALF * chosen.filled:
        return False
    varied = column.distinct > _HALF * min(column.filled, chosen.distinct)
    return (
        varied
        and (column.worded or not chosen.worded)
        and (
            role in TITLE_NAMES
            or role in TEXT_NAMES
            or column.mean_length >= min(TITLE_LENGTH, _HALF * chosen.mean_length)
        )
    )
