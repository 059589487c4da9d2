"""Reads a table of texts from a file or from uploaded bytes, whatever format it has.

Nothing is dropped in silence: a row that cannot be kept is in `Table.bad_rows` with its line and the reason,
and a file that cannot be read at all raises DataFileError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import WantedParts, as_table
from re2nn_core.exchange.annotation_tools.conll.read import looks_like_conll
from re2nn_core.exchange.annotation_tools.label_definitions import refuse_label_definitions
from re2nn_core.exchange.annotation_tools.which_tool import SPACY, TOOLS, read_spacy, read_tool_text, tool_of_text
from re2nn_core.exchange.formats import refuse_unknown_format
from re2nn_core.exchange.hugging_face.files import Folder
from re2nn_core.exchange.hugging_face.folder import read_folder_table
from re2nn_core.exchange.sources import bytes_of, content_of, is_docbin
from re2nn_core.exchange.tables.columns import choose_columns
from re2nn_core.exchange.tables.decoding import (
    WrongBytesError,
    decode_leniently,
    holds_wrong_bytes,
    refuse_other_kinds,
)
from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.foreign_texts import refuse_foreign_text
from re2nn_core.exchange.tables.plain import Options, is_parquet, read_parquet, read_plain_text
from re2nn_core.exchange.tables.table import FORMATS, DamagedCell, Progress, Table

_LABELS = WantedParts()

__all__ = ["bytes_of", "read_table"]

_SAMPLE = 64 * 1024


def read_table(  # noqa: PLR0913 - what is known of a file, each by keyword
    source: Path | bytes,
    name: str = "",
    *,
    format: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    guarded: bool | None = None,
    wanted: Sequence[str] = (),
    asked: WantedParts = _LABELS,
    on_progress: Progress | None = None,
) -> Table:
    """The table in a file, or in bytes called `name`; what is None is found out from the file.

    `header` says whether the first row names the columns, `encoding` how bytes become text, `separator` what
    stands between the cells of a CSV, `guarded` whether apostrophes before formula signs are taken off (CSV
    and TSV, see tables/guard.py). A first row that holds one of the `wanted` column names is a header. `asked`
    says which keys of the files of annotation tools hold the texts and labels. Raises DataFileError.
    """
    name = name or (source.name if isinstance(source, Path) else "the file")
    refuse_unknown_format(format)
    if format is not None and format not in (*FORMATS, *TOOLS):
        raise DataFileError(
            f"'{name}' is to be read as {format}, which holds slots. Labels of whole texts have others."
        )
    data = content_of(source, name, format)
    if isinstance(data, Folder):
        return read_folder_table(data, wanted, on_progress)
    refuse_other_kinds(data, name)
    options = Options(format, header, separator, guarded, wanted)
    if is_docbin(data, name, format):
        table = as_table(read_spacy(data, name, asked, on_progress), name, SPACY)
    elif is_parquet(data, name, format):
        table = read_parquet(data, name, options.wanted)
    else:
        text, notes, wrong = decode_leniently(data, name, encoding)
        try:
            table = _read_text(text, name, options, notes, asked, on_progress)
            table = table if wrong is None else _without_wrong_bytes(table, text, asked, wrong)
        except DataFileError as error:
            raise error if wrong is None else wrong from None
    if on_progress is not None:
        on_progress(1.0)
    return table


def _read_text(
    text: str, name: str, options: Options, notes: tuple[str, ...], asked: WantedParts, on_progress: Progress | None
) -> Table:
    if not options.wanted:
        refuse_label_definitions(text, name, options.format, asked)
    tool = options.format if options.format in TOOLS else None if options.format else tool_of_text(text)
    if tool is None:
        if options.format is None:
            refuse_foreign_text(text, name)
            _refuse_words_with_tags(text, name)
        return read_plain_text(text, name, options, notes, on_progress)
    read = read_tool_text(text, name, tool, asked, on_progress)
    read.notes = [*notes, *read.notes]
    return as_table(read, name, tool)


def _without_wrong_bytes(table: Table, text: str, asked: WantedParts, wrong: WrongBytesError) -> Table:
    """The table with a note on its wrong bytes, which are in columns that are not read; else `wrong`."""
    chosen = choose_columns(table).with_asked(asked.text, asked.label, None)
    lines = physical_lines(text)
    if any(holds_wrong_bytes(lines[bad.line - 1]) for bad in table.bad_rows if bad.line <= len(lines)):
        raise wrong
    damaged = {
        table.columns[place]
        for row in table.rows
        for place, cell in enumerate(row)
        if isinstance(cell, DamagedCell) and holds_wrong_bytes(cell.written)
    }
    if not damaged or damaged & {*chosen.texts, *chosen.labels, chosen.split}:
        raise wrong
    named = ", ".join(f"'{column}'" for column in table.columns if column in damaged)
    note = f"Bytes that are not UTF-8 were passed over in columns that are not read: {named}."
    return replace(table, notes=(*table.notes, note))


def _refuse_words_with_tags(text: str, name: str) -> None:
    """DataFileError for CoNLL, whose lines are words and no texts."""
    if not text.lstrip().startswith("{") and looks_like_conll(text[:_SAMPLE], cut_off=len(text) > _SAMPLE):
        raise DataFileError(
            f"'{name}' looks like CoNLL, a word and its tag a line, which holds slots and no labels. Import it as "
            "slots (--task slots). To read each line as a text all the same, choose the format txt (--format txt)."
        )
