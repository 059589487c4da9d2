"""From the bytes of a list to its entries, with everything that is wrong with it at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.rules.text_file import decode_rules, read_text_file
from re2nn_core.rules.word_lists.definition import (
    MOST_BYTES,
    ListName,
    bad_path,
    keep_entries,
    keep_faults,
    lists_in,
    with_lists,
)
from re2nn_core.text.word_form import composed

MOST_ENTRIES = 100_000
MOST_CHARACTERS = 200  # of an entry
MOST_WORDS = 20
_TABLES = {".csv": ",", ".tsv": "\t"}
_LISTED = 10  # faults, before the rest is counted
Lines = Iterable[tuple[int, str]]


@lru_cache(maxsize=8)  # a command reads its rule file more than once
def list_entries(content: bytes, name: ListName) -> tuple[tuple[str, ...], list[str]]:
    """The distinct entries of a list in their order, and what is wrong with it, each fault with its line; no entries
    where there is a fault."""
    if len(content) > MOST_BYTES:
        return (), [f"the file has {len(content):,} bytes, {MOST_BYTES:,} at most are read"]
    try:
        text = decode_rules(content, name.path)
        lines = list(_lines(text, name))
    except InputError as error:
        return (), [str(error).removeprefix(f"{name.path}:").strip()]
    return entries_of(lines)


def entries_of(lines: Lines) -> tuple[tuple[str, ...], list[str]]:
    """The distinct entries among numbered lines, and what is wrong with them."""
    found: dict[str, None] = {}
    faults: list[str] = []
    for number, line in lines:
        wrong = _wrong(line) if len(line) > MOST_WORDS or not line.isascii() else None
        if wrong is not None:
            faults.append(f"line {number}: {wrong}")
        elif entry := " ".join(line.split()):
            found[composed(entry)] = None
    if not found and not faults:
        faults = ["it has no entry"]
    if len(found) > MOST_ENTRIES:
        faults.append(f"it has {len(found):,} entries, {MOST_ENTRIES:,} at most are allowed")
    more = len(faults) - _LISTED
    return ((), [*faults[:_LISTED], *([f"{more:,} more lines"] if more > 0 else [])]) if faults else (tuple(found), [])


def _wrong(line: str) -> str | None:
    if len(line) > MOST_CHARACTERS:
        return f"the entry has {len(line):,} characters, {MOST_CHARACTERS} at most are allowed"
    if (words := len(line.split())) > MOST_WORDS:
        return f"the entry has {words} words, {MOST_WORDS} at most are allowed"
    return None


def _lines(text: str, name: ListName) -> Iterator[tuple[int, str]]:
    """The entries as written, each with the number of its line. InputError where there is no such column."""
    sign = _TABLES.get(Path(name.path).suffix.lower())
    if sign is None and not name.column:
        return enumerate(text.splitlines(), start=1)
    return _column(text, name, sign or ",")


def _column(text: str, name: ListName, sign: str) -> Iterator[tuple[int, str]]:
    head = text.partition("\n")[0]
    if sign == "," and head.count(";") > head.count(","):
        sign = ";"
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if name.column not in header:
            columns = ", ".join(f'"{cell}"' for cell in header[:20])
            asked = f'has no column "{name.column}"' if name.column else "is a table, so that its column must be named"
            advice = f'Write file("{name.path}", column="{next(filter(None, header), "name")}").'
            raise InputError(f"it {asked}; columns: {columns or 'none'}. {advice}")
        place = header.index(name.column)
        for row in rows:
            if place < len(row):
                yield rows.line_num, row[place]
    except csv.Error as error:
        raise InputError(f"line {rows.line_num}: {error}") from None


def list_columns(content: bytes, file: str) -> tuple[str, ...]:
    """The columns of a table; none for a file of one entry a line. InputError where it is no text."""
    sign = _TABLES.get(Path(file).suffix.lower())
    if sign is None:
        return ()
    head = decode_rules(content[:MOST_BYTES], file).partition("\n")[0]
    sign = ";" if sign == "," and head.count(";") > head.count(",") else sign
    return tuple(cell.strip() for cell in next(csv.reader([head.rstrip("\r")], delimiter=sign), []) if cell.strip())


def with_content(text: str, read: Callable[[str], bytes]) -> str:
    """The text of rules with the content of each list that it names and does not keep yet, or with why that cannot be
    read. `read` gives the bytes of a file by its path; InputError where there is none."""
    return with_lists(text, {name: _kept(name, read) for name, kept in lists_in(text) if not kept})


def _kept(name: ListName, read: Callable[[str], bytes]) -> str:
    if wrong := bad_path(name.path):
        return keep_faults([f"{wrong[0]}. {wrong[1]}"])
    try:
        entries, faults = list_entries(read(name.path), name)
    except InputError as error:
        return keep_faults([str(error)])
    return keep_faults(faults) if faults else keep_entries(entries)


def read_rule_text(path: Path) -> str:
    """The text of a rule file, with the content of its lists, which lie beside it or in folders below. InputError where
    it is no text; what is wrong with a list is reported when the rules are read."""
    text = read_text_file(path, "a rule file")
    return with_content(text, lambda name: _read_list(path.parent / name))


def _read_list(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror or error})") from None
