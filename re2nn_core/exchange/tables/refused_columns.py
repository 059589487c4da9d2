"""Tables that are refused for their columns: none of texts, labels in place of texts, places of spans alone."""

from __future__ import annotations

import re

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.cells import words_in
from re2nn_core.exchange.tables.column_choice import ColumnChoice, one_word_a_row
from re2nn_core.exchange.tables.header import LABEL_NAMES, column_role
from re2nn_core.exchange.tables.table import Table
from re2nn_core.text.joined_names import first_names

_SHOWN, _FEWEST = 8, 4
_TYPE = re.compile(r"(?![BI]-)[A-Z][A-Za-z_-]{1,30}")


def refuse_labels_as_texts(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError where nothing but a column that is called like one of labels is left for the texts, with the paths
    of texts in lists; and where a table without names has tags of words in place of texts."""
    tags = any(column.name == chosen.text and column.tags for column in chosen.columns)
    if asked is None and tags and not table.had_header and len(table.columns) > 1:
        raise one_word_a_row(chosen.text)
    if asked is None and column_role(chosen.text) in LABEL_NAMES[:4]:
        paths = first_names([f"'{path}'" for path in table.paths], _SHOWN)
        inside = f" Texts were found in lists, under {paths}: name one with --text-column." if paths else ""
        lists = [column.name for column in chosen.columns if column.lists]
        if lists and not inside:
            inside = (
                f" '{lists[0]}' holds lists or objects in its cells: write the rows as JSON Lines, in which texts "
                "inside of them are found, or each text into a cell."
            )
        raise DataFileError(
            f"'{table.name}' has no column of texts that can be read: '{chosen.text}' has a name of label columns."
            f"{inside} To read the column as texts, write --text-column {chosen.text}."
        )


def refuse_words_with_types(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for words with O and names of types, PERSON, one a row: these are no texts with labels."""
    if asked is not None or chosen.label is None or len(table.rows) < _FEWEST:
        return
    places = [table.columns.index(name) for name in (chosen.texts[0], chosen.label)]
    texts, labels = ([(row[place] or "").strip() for row in table.rows] for place in places)
    for types, words in ((labels, texts), (texts, labels)):
        named = [name for name in types if name and name != "O"]
        outside = 3 * types.count("O") >= len(types) and all(map(_TYPE.fullmatch, named))
        if outside and named and not any(" " in word for word in words):
            raise DataFileError(
                f"'{table.name}' has one word a row, with O or the name of a type, such as {named[0]}. Write the types "
                f"as tags, B-{named[0]} for the first word and I-{named[0]} for the next ones, and import the file as "
                "CoNLL."
            )


def refuse_offsets_alone(chosen: ColumnChoice, table: Table, asked: str | None) -> None:
    """DataFileError for a table with the places of spans and no texts, whose first words would be names of files."""
    offsets = [name for name in table.columns if "offset" in words_in(name)]
    found = next((column for column in chosen.columns if column.name == chosen.text), None)
    if asked is None and len(offsets) > 1 and found is not None and not found.worded:
        raise DataFileError(
            f"'{table.name}' has places of spans ({', '.join(offsets)}) and no column of texts. Write the text of each "
            "span in a column called text, next to start, end and label."
        )
