"""Text files as people save them: what to say when one is missing, is no text, or is not UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path

from re2nn_core.errors import InputError

_FEW = 0.3  # of all letters, those with marks in a western text
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text_file(path: Path, what: str) -> str:
    """The text of a UTF-8 file, a byte order mark left out; `what` names the kind of file in messages.
    InputError where it cannot be read."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file. Give the path of {what}.") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder. Give the path of {what} in it.") from None
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror or error}).") from None
    return decode_rules(content, str(path))


def decode_rules(content: bytes, file: str) -> str:
    """UTF-8 bytes as text, a byte order mark left out. InputError for other bytes."""
    if content.startswith(_UTF_16):
        raise InputError(_other_encoding(file, "UTF-16"))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_other_encoding(file, _guess(content))} (First invalid byte: line {line}.)") from None
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise InputError(
            f"{file}:{line}: the file holds NUL bytes, so it is no UTF-8 text file. "
            "If it was saved as UTF-16, save it again as UTF-8; otherwise choose another file."
        )
    return text


def _other_encoding(file: str, encoding: str) -> str:
    looks = f"it looks like {encoding}" if encoding else "its encoding was not recognised"
    return f"{file}: the file is not UTF-8; {looks}. Open it in an editor and save it again as UTF-8."


def _guess(content: bytes) -> str:
    """The name of the encoding that the bytes look like; empty where nothing fits."""
    if _looks_western(content):
        return "cp1252 (Latin-1)"
    # Imported here as it takes longer to load than most rule files take to read.
    from charset_normalizer import from_bytes

    best = from_bytes(content[:200_000]).best()
    return best.encoding if best is not None else ""


def _looks_western(content: bytes) -> bool:
    """Whether all signs beyond ASCII are letters of western Europe among many more plain ones. A short list has too few
    of them for statistics, which then find rare encodings."""
    text = content.decode("cp1252", errors="replace")
    further = [sign for sign in text if not sign.isascii() and sign not in "’‘“”–—…€"]
    letters = sum(map(str.isalpha, text))
    return all(map(str.isalpha, further)) and letters > 0 and len(further) <= _FEW * letters
