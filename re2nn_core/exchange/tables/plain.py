"""Plain tables, in bytes or text: CSV, TSV, lines, JSON lines, Parquet. What tools for annotation and data sets
write is read elsewhere (exchange/read.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables import parquet
from re2nn_core.exchange.tables.assemble import assemble, left_out_note, nothing_left
from re2nn_core.exchange.tables.decoding import decode_file, refuse_other_kinds
from re2nn_core.exchange.tables.delimited import RawRows, guess_separator, split_csv, split_tsv, split_txt
from re2nn_core.exchange.tables.fasttext import COLUMNS, looks_like_fasttext, split_fasttext
from re2nn_core.exchange.tables.header import TEXT_NAMES, asks_for, has_known_names, is_header, names_text_and_label
from re2nn_core.exchange.tables.jsonl import EXPECTED, is_object, is_one_line, is_spread, split_jsonl
from re2nn_core.exchange.tables.other_rows.other_names import with_row_names, without_other_names
from re2nn_core.exchange.tables.other_rows.preamble import named_separator, without_preamble
from re2nn_core.exchange.tables.other_rows.second_table import without_second_table
from re2nn_core.exchange.tables.other_rows.totals import without_totals
from re2nn_core.exchange.tables.quoted_tabs import ENCLOSED, question_on_quotes, quotes_enclose, tabs_between_quotes
from re2nn_core.exchange.tables.signs.label_signs import TABS, LabelSign, label_sign, question_on_signs
from re2nn_core.exchange.tables.signs.plain_lines import questions_on_lines
from re2nn_core.exchange.tables.table import Progress, Table

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".txt": "txt",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_BEHIND = {None: "", True: ", with the label behind the last one", False: ", with the label before the first one"}
_LOOK = 64 * 1024
_PLAIN_LINES = "Read as plain lines: each line is a text without a label."


@dataclass(frozen=True)
class Options:
    """How a plain table is read; what is None is found out from it. See `read_table`."""

    format: str | None = None
    header: bool | None = None
    separator: str | None = None
    guarded: bool | None = None
    wanted: Sequence[str] = ()

    def names_columns(self, first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
        """True if the first row is a header: because someone says so, asks for its names, or by its looks."""
        if self.header is not None:
            return self.header
        return self.asks_for_names(first) or is_header(first, below)

    def asks_for_names(self, first: Sequence[str]) -> bool:
        """True if someone says that the first row is a header, or asks for a name in it."""
        return self.header is True or asks_for(first, self.wanted)


def read_plain(data: bytes, name: str, options: Options, on_progress: Progress | None = None) -> Table:
    """The table in the bytes of a CSV, TSV, JSON lines or Parquet file, or of plain lines. DataFileError."""
    refuse_other_kinds(data, name)
    if is_parquet(data, name, options.format):
        return read_parquet(data, name, options.wanted)
    text, notes = decode_file(data, name)
    return read_plain_text(text, name, options, notes, on_progress)


def is_parquet(data: bytes, name: str, format: str | None) -> bool:
    """Whether bytes are read as Parquet: by their first bytes, by the format that is asked for, or by their name."""
    return data.startswith(parquet.MAGIC) or (format or _format_of_name(name)) == "parquet"


def _format_of_name(name: str) -> str | None:
    return _SUFFIXES.get(Path(name).suffix.lower())


def read_parquet(data: bytes, name: str, wanted: Sequence[str] = ()) -> Table:
    """The table in the bytes of a Parquet file. DataFileError."""
    if not data.startswith(parquet.MAGIC):
        raise DataFileError(f"'{name}' is not a Parquet file: it does not begin with PAR1.")
    read = parquet.split_parquet(data, name, wanted)
    if not read.rows:
        raise DataFileError(nothing_left(name, read.bad_rows))
    rows, numbers, bad_rows = tuple(read.rows), tuple(read.numbers), tuple(read.bad_rows)
    return Table(read.columns, rows, numbers, bad_rows, "parquet", True, name, read.notes, inside=read.inside)


def read_plain_text(
    text: str, name: str, options: Options, notes: tuple[str, ...] = (), on_progress: Progress | None = None
) -> Table:
    """The table in a text called `name`, in the format that its name and its first lines show. DataFileError."""
    named = named_separator(text) if options.format in (None, "csv", "txt") and options.separator is None else None
    if named is not None:
        options = replace(options, format="csv", separator=named.separator)
        text, notes = named.text, (*notes, named.note)
    format = options.format or _sniff(text, name, options)
    sign = _sign(format, text, options)
    by_sign = format == "fasttext" or sign != TABS
    if options.format is None and _format_of_name(name) not in (None, format) and not by_sign:
        notes += (f"The lines look like {format.upper()}, so the file was read as that.",)
    if format == "jsonl":
        return _read_jsonl(text, name, options, notes, on_progress)
    if format == "fasttext":
        return _read_fasttext(text, name, notes, on_progress)
    separator = (options.separator or guess_separator(text)) if format == "csv" else sign.sign
    usual = separator == "," if format == "csv" else sign == TABS
    notes += () if usual or named is not None else (f"Cells are separated by {separator!r}{_BEHIND[sign.last]}.",)
    if format == "csv":
        raw = split_csv(text, separator, name, on_progress)
        raw.blank -= named is not None  # the line that named the separator
    elif format == "tsv":
        raw = split_tsv(text, on_progress, sign=sign)
        if options.format is None and sign == TABS and quotes_enclose(text, raw, name):
            format, raw, notes = "csv", split_csv(text, separator, name, on_progress), (*notes, ENCLOSED)
        elif options.format is None:
            notes += question_on_quotes(raw)
    else:
        raw = split_txt(text, on_progress)
        notes += () if options.format else (_PLAIN_LINES, *question_on_signs(_first_lines(text)), *_questions(text))
    if format != "txt" and options.header is not False:
        notes += without_preamble(raw, options.wanted, options.header)
    header = bool(raw.cells) and _has_header(format, raw, options)
    if header and format != "txt":
        without_other_names(raw, raw.cells[0])
        notes += with_row_names(raw)
    if format != "txt":
        names = raw.cells[0] if header else []
        notes += (*without_second_table(raw, names), *without_totals(raw, names))
    guessed = header and not options.asks_for_names(raw.cells[0])
    guessed = guessed and not has_known_names(raw.cells[0], raw.cells[1:])
    if guessed:
        notes += ("The first row was read as column names, based on the rows below it.",)
    if format == "csv" and options.format is None and raw.cells and len(raw.cells[0]) == 1:
        notes += question_on_signs(_first_lines(text))
    table = assemble(raw, name, format, header, options.guarded, notes)
    return replace(table, separator=separator, sign=sign, guessed_header=guessed)


def _questions(text: str) -> tuple[str, ...]:
    """What the lines of the beginning may hold besides texts."""
    lines = text[:_LOOK].split("\n")
    return questions_on_lines(lines if len(text) <= _LOOK else lines[:-1])


def _sign(format: str, text: str, options: Options) -> LabelSign:
    """What stands between the cells of a TSV: a tab, unless another sign parts text and label."""
    lines = _first_lines(text)
    if format != "tsv" or options.format is not None or _are_cut_by_tabs(lines):
        return TABS
    return label_sign(lines) or TABS


def _are_cut_by_tabs(lines: Sequence[str]) -> bool:
    """True if all lines have as many tabs, one at least, but for comments above them."""
    lines = list(dropwhile(lambda line: line.startswith("#") and "\t" not in line, lines))
    tabs = {line.count("\t") for line in lines[:20]}
    return len(tabs) == 1 and tabs != {0}


def _read_fasttext(text: str, name: str, notes: tuple[str, ...], on_progress: Progress | None) -> Table:
    raw = split_fasttext(text, on_progress)
    raw.cells.insert(0, list(COLUMNS))
    raw.lines.insert(0, 0)
    notes += ("Read as lines of fastText: a label behind __label__, and a text.",)
    return assemble(raw, name, "fasttext", True, False, notes)


def _has_header(format: str, raw: RawRows, options: Options) -> bool:
    if format == "txt" and options.header is None:  # a line of a plain text is a text, unless someone asks for it
        return options.asks_for_names(raw.cells[0])
    return options.names_columns(raw.cells[0], raw.cells[1:])


def _sniff(text: str, name: str, options: Options) -> str:
    """The format by the name's suffix, unless the first lines show JSON lines, or a table or fastText in a .txt."""
    by_name = _format_of_name(name)
    lines = _first_lines(text)
    if (lines and is_object(lines[0])) or is_spread(text):
        return "jsonl"
    if by_name not in (None, "txt"):
        return by_name
    if looks_like_fasttext(lines):
        return "fasttext"
    if _are_cut_by_tabs(lines) or label_sign(lines) is not None or tabs_between_quotes(lines):
        return "tsv"
    separator = guess_separator(text)
    rows = [[cell.strip(' "') for cell in line.split(separator)] for line in lines]
    if not rows or len(rows[0]) == 1:
        return "txt"
    names = options.names_columns(rows[0], rows[1:]) if by_name is None else names_text_and_label(rows[0])
    return "csv" if names else "txt"


def _by_columns(keys: Sequence[str]) -> str:
    """Advice for a table that pandas wrote column by column; empty for other objects."""
    if not set(keys) & set(TEXT_NAMES) and not {"columns", "data"} <= set(keys):
        return ""
    return (
        '\nThe table seems to be written column by column. With pandas, write it with to_json(path, orient="records").'
    )


def _first_lines(text: str) -> list[str]:
    return [line for line in text[:_LOOK].split("\n")[:50] if line.strip()]


def _read_jsonl(text: str, name: str, options: Options, notes: tuple[str, ...], on_progress: Progress | None) -> Table:
    read = split_jsonl(text, on_progress, options.wanted)
    if not read.rows or not (read.columns or read.left_out):
        raise DataFileError(f"{nothing_left(name, read.bad_rows)}\n{EXPECTED}")
    plain = [key for key in read.columns if key not in read.inside]
    structures = [*read.left_out, *dict.fromkeys(path.partition(".")[0] for path in read.inside)]
    if len(read.rows) == 1 and structures and not {*TEXT_NAMES, *options.wanted} & set(read.columns):
        keys = ", ".join(repr(key[:40]) for key in (*plain, *structures))
        raise DataFileError(
            f"'{name}' is one JSON object (keys: {keys}) in place of one for each text.\n{EXPECTED} A list of such "
            "objects is read too, such as the one under a key of this object, in a file of its own."
            f"{_by_columns(structures)}"
        )
    if not read.columns:
        keys = ", ".join(repr(key[:40]) for key in read.left_out)
        raise DataFileError(f"'{name}' holds no texts: under {keys} there are lists or objects.\n{EXPECTED}")
    columns, rows, lines = tuple(read.columns), tuple(read.rows), tuple(read.lines)
    left_out = [key for key in read.left_out if key in read.filled]
    notes += (*read.notes(), *left_out_note("Keys", left_out, read.paths_left_out))
    if is_one_line(text):
        notes += ("The file is one line; numbers of lines count its objects.",)
    return Table(
        columns,
        rows,
        lines,
        tuple(read.bad_rows),
        "jsonl",
        True,
        name,
        notes,
        inside=tuple(read.inside),
        paths=tuple(read.paths),
    )
