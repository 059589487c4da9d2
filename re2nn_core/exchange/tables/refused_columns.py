"""Tables that are refused for their columns: none of texts, labels in place of texts, places of spans alone."""

from __future__ import annotations

import re

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.column_choice import ColumnChoice, one_word_a_row
from re2nn_core.exchange.tables.column_evidence import distinguishes_rows
from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.table import Table
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_SHOWN, _FEWEST, _LONGEST = 8, 4, 60
# Columns and rows of a transposed table, words of a text in it.
_SIDE_BY_SIDE, _MOST_ROWS, _FEWEST_WORDS, _CLEARLY = 8, 2, 3, 0.8
_TAGS = re.compile(r"(?:O|[BIESLUM]-[^\s,;|]+)(?=[\s,;|]|$)")
_ONLY_TAGS = re.compile(rf"\s*{_TAGS.pattern}(?:[\s,;|]+{_TAGS.pattern})+\s*")
_PIECE = re.compile(r"(.+)\.\d+\.[^.\d][^.]*")
_TYPE = re.compile(r"(?![BI]-)[^\W\d_][\w.-]{1,30}")
_PLACE_BEHIND = re.compile(r"[-_][BIESLUM]$")  # city-B


def _refuse_labels_as_texts(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError where nothing but a column that is called like one of labels is left for the texts, with the paths
    of texts in lists; and where a table without names has tags of words in place of texts."""
    tags = any(column.name == chosen.text and column.tags for column in chosen.columns)
    if asked is None and tags and not table.had_header and len(table.columns) > 1:
        raise one_word_a_row(chosen.text)
    role = column_role(chosen.text)
    found = next((column for column in chosen.columns if column.name == chosen.text), None)
    of_rows = found is not None and (distinguishes_rows(found) or found.numbers)
    what = "has a name of label columns" if role in LABEL_NAMES[:4] else "holds numbers or names of rows"
    of_rows = of_rows and table.had_header and role not in TEXT_NAMES
    if asked is None and (of_rows or role in LABEL_NAMES[:4]):
        paths = first_names([f"'{path}'" for path in table.paths], _SHOWN)
        inside = f" Texts were found in lists, under {paths}: name one with --text-column." if paths else ""
        lists = [column.name for column in chosen.columns if column.lists]
        if lists and not inside:
            inside = (
                f" '{lists[0]}' holds lists or objects in its cells: write the rows as JSON Lines, in which texts "
                "inside of them are found, or each text into a cell."
            )
        raise DataFileError(
            f"'{table.name}' has no column of texts that can be read: '{chosen.text}' {what}."
            f"{inside} To read the column as texts, write --text-column {chosen.text}."
        )


def _refuse_tags_as_labels(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for tags of several words in the column of labels, where these are not as many as the words of the
    texts, and nobody named the column."""
    if asked is not None or chosen.label is None or not {chosen.texts[0], chosen.label} <= {*table.columns}:
        return
    text, label = (table.columns.index(name) for name in (chosen.texts[0], chosen.label))
    rows = [(line, row[text] or "", row[label] or "") for line, row in zip(table.lines, table.rows, strict=True)]
    tagged = [(line, words.split(), _TAGS.findall(tags)) for line, words, tags in rows if _ONLY_TAGS.fullmatch(tags)]
    if 2 * len(tagged) < len(rows) or not any(tag != "O" for _, _, tags in tagged for tag in tags):
        return
    wrong = next((row for row in tagged if len(row[1]) != len(row[2])), None)
    if wrong is None:  # of a table of cells they are read
        raise DataFileError(
            f"'{table.name}' has the tags of all words of a text in one string under '{chosen.label}'. Write words and "
            'tags as lists, such as {"tokens": ["to", "oslo"], "tags": ["O", "B-city"]}, or both columns as CSV, from '
            "which they are read."
        )
    line, words, tags = wrong
    raise DataFileError(
        f"'{table.name}' has tags of words in its column '{chosen.label}', which must be as many as the words of the "
        f"text: line {line:,} has {counted(len(words), 'word')} and {counted(len(tags), 'tag')}. Write the words of "
        "each text with one blank between, or choose another column with --label-column."
    )


def _refuse_words_with_types(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for words with O and names of types, PERSON, one a row: these are no texts with labels."""
    if asked is not None or chosen.label not in table.columns or len(table.rows) < _FEWEST:
        return
    places = [table.columns.index(name) for name in (chosen.texts[0], chosen.label)]
    texts, labels = ([(row[place] or "").strip() for row in table.rows] for place in places)
    for types, words in ((labels, texts), (texts, labels)):
        named = [name for name in types if name and name != "O"]
        outside = 3 * types.count("O") >= len(types) and all(map(_TYPE.fullmatch, named))
        if outside and named and not any(" " in word for word in words):
            bare = _PLACE_BEHIND.sub("", named[0])
            raise DataFileError(
                f"'{table.name}' has one word a row, with O or the name of a type, such as {named[0]}. Write the types "
                f"as tags, B-{bare} for the first word and I-{bare} for the next ones, and import the file as CoNLL."
            )


def _refuse_pieces(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for single words of lists, [{"text": "to"}, {"text": "Oslo"}], in place of texts."""
    path = _PIECE.fullmatch(chosen.text)
    found = next((column for column in chosen.columns if column.name == chosen.text), None)
    if asked is None and path is not None and found is not None and found.inside and not found.worded:
        raise DataFileError(
            f"'{table.name}' has no texts that can be read: under '{path.group(1)}' each text is a list of pieces. "
            'Write each text as one, {"text": "to oslo", "spans": [[3, 7, "city"]]}, or as words with their tags, '
            '{"tokens": ["to", "oslo"], "tags": ["O", "B-city"]}.'
        )


def _refuse_lists_as_texts(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for lists of words, as JSON, Python and numpy write them, where nothing else can be the texts."""
    found = next((column for column in chosen.columns if column.name == chosen.text), None)
    if asked is not None or found is None or not found.lists or column_role(chosen.text) in TEXT_NAMES:
        return
    place = table.columns.index(chosen.text)
    shown = next(cell for row in table.rows if (cell := row[place]) and cell.strip())
    raise DataFileError(
        f"'{table.name}' has lists in place of texts: '{chosen.text}' holds cells such as {shown.strip()[:_LONGEST]}. "
        'Write each text as people read it; words with tags are read as JSON lines, {"tokens": ["to", "oslo"], "tags": '
        f'["O", "B-city"]}}. To read the cells as texts all the same, write --text-column {chosen.text}.'
    )


def _refuse_offsets_alone(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for a table with the places of spans and no texts, whose first words would be names of files."""
    offsets = [name for name in table.columns if "offset" in words_in(name)]
    found = next((column for column in chosen.columns if column.name == chosen.text), None)
    if asked is None and len(offsets) > 1 and found is not None and not found.worded:
        raise DataFileError(
            f"'{table.name}' has places of spans ({', '.join(offsets)}) and no column of texts. Write the text of each "
            "span in a column called text, next to start, end and label."
        )


def _refuse_transposed(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for texts side by side in one row, with their labels in another one."""
    if asked is not None or len(table.columns) < _SIDE_BY_SIDE or len(table.rows) > _MOST_ROWS or table.inside:
        return
    lines = [table.columns] if table.had_header else []
    for cells in [*lines, *table.rows]:
        worded = [
            cell for cell in cells if cell and len(cell.split()) >= _FEWEST_WORDS and not cell.rstrip().endswith("?")
        ]
        if len(set(worded)) >= _CLEARLY * len(cells):
            raise DataFileError(
                f"'{table.name}' has {counted(len(worded), 'text')} side by side in one row, as a transposed table. "
                "Write each text into a row of its own, with its label next to it (in a spreadsheet: copy, paste "
                "transposed)."
            )


def refuse_columns(chosen: ColumnChoice, table: Table, text: str | None, label: str | None) -> None:
    """DataFileError for all that is refused here; `text` and `label`: the columns that a person named."""
    _refuse_transposed(chosen, table, text)
    _refuse_labels_as_texts(chosen, table, text)
    _refuse_pieces(chosen, table, text)
    _refuse_lists_as_texts(chosen, table, text)
    _refuse_offsets_alone(chosen, table, text)
    _refuse_words_with_types(chosen, table, text)
    _refuse_tags_as_labels(chosen, table, label)
