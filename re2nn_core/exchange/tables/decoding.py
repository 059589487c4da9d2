"""From the bytes of a file to text, or a message that says what the bytes are instead.

UTF-8 with or without a byte-order mark is read; UTF-16 and UTF-32 are read where a mark says so. Anything
else is refused with the place of the first wrong byte and a guess, because a wrongly guessed encoding shifts
every character after it. Choosing "utf-8" by name keeps the lines that are UTF-8 and refuses the others.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile

from charset_normalizer import from_bytes

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.foreign_texts import BRAT, BRAT_ENDING

_UNICODE = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
_WESTERN = ("cp1252", "latin-1", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8-r", "cp850")
_EASTERN = ("gb18030", "big5", "shift_jis", "euc-jp", "cp949")
ENCODINGS = _UNICODE + _WESTERN + _EASTERN

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_TABLES = "Save the table as CSV (UTF-8), TSV, JSONL or Parquet and import that."
_FOREIGN = (
    (b"PK\x03\x04", "a zip file", "Unpack it and import the file or folder inside."),
    (b"PK\x05\x06", "an empty zip file", _TABLES),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Office file (.xls, .doc)", _TABLES),
    (b"\x1f\x8b", "a gzip file", "Unpack it (gunzip) and import the file inside."),
    (b"BZh", "a bzip2 file", "Unpack it (bunzip2) and import the file inside."),
    (b"\xfd7zXZ", "an xz file", "Unpack it (unxz) and import the file inside."),
    (b"7z\xbc\xaf", "a 7z file", "Unpack it and import the file inside."),
    (b"(\xb5/\xfd", "a zstd file", "Unpack it (unzstd) and import the file inside."),
    (b"%PDF", "a PDF file", _TABLES),
    (b"ARROW1", "an Arrow/Feather file", _TABLES),
    (
        b"\xff\xff\xff\xff",
        "an Arrow/Feather file",
        "Import the folder that it is in, or export it as Parquet or CSV.",
    ),
    (b"SQLite format 3", "an SQLite database", _TABLES),
    (b"\x89PNG", "a picture", _TABLES),
    (b"\xff\xd8\xff", "a picture", _TABLES),
    (b"{\\rtf", "an RTF document", _TABLES),
    *((mark, "a pickle, which can run code when it is opened", f"It was not opened. {_TABLES}") for mark in PICKLES),
)
_SAMPLE = 65_536
_WRONG = re.compile("[\udc80-\udcff]")


class EncodingError(DataFileError):
    """Bytes that are not in the encoding they were read as. `for_command` gives the advice for a command line, which
    has an option where a page has a list to choose from."""

    def __init__(self, trouble: str, advice: str, command_advice: str) -> None:
        self.for_command = f"{trouble}{command_advice}"
        super().__init__(f"{trouble}{advice}")


class WrongBytesError(EncodingError):
    """Lines that are not UTF-8 in a file that nobody gave another encoding for."""


def refuse_other_kinds(data: bytes, name: str) -> None:
    """Raise DataFileError for an empty file and for kinds of file that hold no plain table."""
    content = data.removeprefix(codecs.BOM_UTF8).strip()
    if not content:
        raise DataFileError(f"'{name}' is empty: a file with at least one text was expected.")
    for magic, kind, advice in _FOREIGN:
        if data.startswith(magic):
            kind, advice = (_inside_zip(data) if kind == "a zip file" else None) or (kind, advice)
            raise DataFileError(f"'{name}' looks like {kind}. {advice}")
    if content[:20].lower().startswith((b"<!doctype html", b"<html", b"<table")):
        raise DataFileError(
            f"'{name}' looks like a web page, not a table. Download the file itself, or open it in a "
            "spreadsheet and save it as CSV (UTF-8)."
        )


def _inside_zip(data: bytes) -> tuple[str, str] | None:
    """A nearer name for a zip file from what is inside it, and what to do about it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return "a damaged Excel or zip file", _TABLES
    if any(entry.startswith("xl/") for entry in inside):
        return "an Excel file (a zip file inside)", "Save the sheet as 'CSV UTF-8' in Excel and import that."
    if any(entry.rpartition("/")[2] == "project.toml" for entry in inside):
        return (
            "the archive of a whole project",
            "Import it as a new project: with `re2nn import` without --add, or on the page Projects under “From an "
            "archive”.",
        )
    if "backup.json" in inside:
        return "a backup of all projects", "`re2nn restore` brings it into an empty database."
    if any(entry.endswith(BRAT_ENDING) for entry in inside):
        return BRAT
    if "content.xml" in inside:
        return "an OpenDocument file (a zip file inside)", _TABLES
    return None


def decode_file(data: bytes, name: str, encoding: str | None = None) -> tuple[str, tuple[str, ...]]:
    """The text and notes on how it was decoded; raises DataFileError.

    Text read with encoding="utf-8" holds lone surrogates where bytes were wrong; `cell_fault` finds them.
    """
    if encoding is not None:
        return _decode_as(data, name, encoding)
    for mark, marked in _MARKS:
        if data.startswith(mark):
            text, _ = _decode_as(data, name, marked)
            return text, (f"The file is {marked.upper()} by its byte-order mark and was decoded as that.",)
    if data[:_SAMPLE].count(0) * 5 > len(data[:_SAMPLE]):
        raise EncodingError(
            f"'{name}' is binary or UTF-16 without a byte-order mark: a fifth of its bytes or more are NUL.\n",
            "If it is text, choose the encoding utf-16-le (or utf-16-be), or save it as UTF-8.",
            "If it is text, write --encoding utf-16-le (or utf-16-be), or save it as UTF-8.",
        )
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        raise _not_utf8(data, name, _offset(data, error)) from None


def decode_leniently(
    data: bytes, name: str, encoding: str | None = None
) -> tuple[str, tuple[str, ...], WrongBytesError | None]:
    """The same, with the error to raise where a wrong byte, half a surrogate pair in the text, is in what is read."""
    try:
        return *decode_file(data, name, encoding), None
    except WrongBytesError as error:
        return data.decode("utf-8-sig", errors="surrogateescape"), (), error


def holds_wrong_bytes(text: str) -> bool:
    """True where the text holds bytes that could not be decoded."""
    return _WRONG.search(text) is not None


def _offset(data: bytes, error: UnicodeDecodeError) -> int:
    """Where in the file decoding failed; the utf-8-sig codec counts from behind the mark."""
    return error.start + (len(data) - len(error.object))


def _decode_as(data: bytes, name: str, encoding: str) -> tuple[str, tuple[str, ...]]:
    codec = _codec(encoding)
    if codec is None or codec not in map(_codec, ENCODINGS):
        raise DataFileError(f"'{encoding}' is not an encoding this reads. Choose one of {', '.join(ENCODINGS)}.")
    if codec == "utf-8":
        return data.decode("utf-8-sig", errors="surrogateescape"), ()
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"'{name}' is not {codec}: {error.reason} at byte {error.start:,}. ",
            "Save it as UTF-8, or choose another encoding.",
            "Save it as UTF-8, or write another --encoding.",
        ) from None
    return text.removeprefix("\ufeff"), (f"The file was decoded as {codec}.",)


def _codec(encoding: str) -> str | None:
    """Python's own name of an encoding, whatever the spelling; None where there is no such encoding."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return None


def _not_utf8(data: bytes, name: str, offset: int) -> WrongBytesError:
    wrong = [line for line in data.splitlines() if not _is_utf8(line)]
    line = data.count(b"\n", 0, offset) + 1
    lines = "1 line is" if len(wrong) == 1 else f"{len(wrong):,} lines are"
    place = f"'{name}', line {line:,}: byte 0x{data[offset]:02X} at offset {offset:,}"
    message = f"{place} is not UTF-8. {lines} not UTF-8."
    guesses = _guesses(wrong)
    if guesses:
        readings = ", or ".join(f"{guess} (it would read: {_reading(wrong[0], guess)})" for guess in guesses)
        message += f"\nIt looks like {readings}."
    choice = f"choose its encoding ({guesses[0]})" if guesses else "choose its encoding"
    option = f"write --encoding {guesses[0]}" if guesses else "name its encoding with --encoding"
    save, rest = "Save the file as UTF-8, or", "to leave out the lines that are not."
    return WrongBytesError(
        f"{message}\n", f"{save} {choice}, or choose utf-8 {rest}", f"{save} {option}, or --encoding utf-8 {rest}"
    )


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guesses(lines: list[bytes]) -> list[str]:
    """What the wrong lines look like, likeliest first, at most three; only shown, never used to decode."""
    sample = b"\n".join(lines)[:_SAMPLE]
    matches = list(from_bytes(sample, cp_isolation=[*_WESTERN, *_EASTERN], enable_fallback=False))
    if not matches:
        return []
    near = [match for match in matches if match.chaos <= matches[0].chaos + 0.1]
    names = [match.encoding.replace("_", "-") for match in near]
    # Short western texts look alike in many code pages; cp1252 is by far the commonest of them.
    if any("cp1252" in match.could_be_from_charset for match in near):
        names.insert(0, "cp1252")
    return list(dict.fromkeys(names))[:3]


def _reading(line: bytes, encoding: str) -> str:
    text = line.decode(encoding, errors="replace").strip()
    return f"{text[:60]}..." if len(text) > 60 else text
