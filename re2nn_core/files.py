"""Files of the program's own: JSON and TOML read without surprises, files written whole, a disk that is full."""

from __future__ import annotations

import errno
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from re2nn_core.errors import DataFileError, InputError, JsonError, shortened

_TOO_DEEP = "lists and objects are nested too deeply"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def read_json(source: Path | str | bytes) -> Any:
    """The value of a file or of a text. JsonError where it is no JSON or nested too deeply, OSError where the file
    cannot be read."""
    try:
        return json.loads(source.read_text(encoding="utf-8") if isinstance(source, Path) else source)
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    except ValueError as error:
        raise JsonError(str(error)) from error


def read_json_object(source: Path | str | bytes) -> dict[str, Any]:
    """The same of what must be an object; JsonError for any other value."""
    values = read_json(source)
    if not isinstance(values, dict):
        raise JsonError(f"a JSON object is expected, not {_KINDS[type(values)]}")
    return values


_KINDS: Mapping[type, str] = {
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. tomllib.TOMLDecodeError, also for what is nested too deeply and for endless numbers."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError(f"{_TOO_DEEP} (at line 1, column 1)") from None
    except ValueError as error:
        raise tomllib.TOMLDecodeError(f"{error} (at line 1, column 1)") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file that is there whole or not at all; OSError, which names the file."""
    write_together({path: content})


def write_together(files: Mapping[Path, str | bytes]) -> None:
    """Write files: all are complete before the first gets its name. What a link leads to is written, not the link; what
    is no file, such as a terminal or /dev/null, is written as it is, at the end. OSError, which names the file."""
    places = {path: path.resolve() if path.is_symlink() else path for path in files}
    devices = [path for path, place in places.items() if place.exists() and not place.is_file() and not place.is_dir()]
    parts = {path: place.with_name(f"{place.name}.part") for path, place in places.items() if path not in devices}
    try:
        for path, part in parts.items():
            with naming(path):
                part.write_bytes(_as_bytes(files[path]))
        for path, part in parts.items():
            part.replace(places[path])
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    for path in devices:
        with naming(path), path.open("wb", buffering=0) as device:
            device.write(_as_bytes(files[path]))


def _as_bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in an OSError that does not: what a full disk raises."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror or os.strerror(error.errno), str(path)) from error


def is_full(error: BaseException | None) -> bool:
    """Whether there was no room on a disk, or none left to this user."""
    return isinstance(error, OSError) and error.errno in _FULL


def no_space(path: str | Path) -> str:
    """What to tell of a full disk, and what to do."""
    return f"No space left on the disk that holds {path}. Make room there, then try again."


def error_in_words(error: OSError, path: str | Path | None = None) -> str:
    """An error of the system as a sentence; a disk that is full is named by the file on it."""
    if is_full(error):
        return no_space(path or error.filename or "the file")
    return f"{error.strerror or error}."


def cannot_write(path: str | Path, error: OSError, advice: str = "") -> DataFileError:
    """The error of a file that cannot be written; `advice` where the disk is not full."""
    rest = f" {advice}" if advice and not is_full(error) else ""
    return DataFileError(f"'{path}' cannot be written: {error_in_words(error, path)}{rest}")


def checked_path(given: object, what: str) -> Path:
    """A path that a program gives; `what` names it in messages. InputError for what is no path."""
    if given and isinstance(given, str | os.PathLike):
        return Path(given)
    raise InputError(
        f"{what} is no path (got {type(given).__name__} {shortened(repr(given))[:80]}). Give a string or a Path."
    )
