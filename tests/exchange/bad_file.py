"""A file that is wrong in some way, and how such files are built.

`build` makes the file or folder at a path. `said` has to stand in the message where nothing can be kept (`kept` is
None), else in the reasons of the rows left out and in the notes, part by part.
"""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class BadFile:
    """`task` is labels or slots; `kept` are the texts that are read, None where the file is refused whole."""

    name: str
    build: Callable[[Path], None]
    said: tuple[str, ...]
    kept: tuple[str, ...] | None = None
    task: str = "classification"
    needs_spacy: bool = False


def content(data: bytes | str) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data.encode() if isinstance(data, str) else data) and None


def lines(*rows: Any) -> Callable[[Path], None]:
    return content("".join(f"{row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def array(*rows: Any) -> Callable[[Path], None]:
    return content(json.dumps(rows, ensure_ascii=False))


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), data)
    return stream.getvalue()


def folder(**files: bytes) -> Callable[[Path], None]:
    """A folder of files; `__` in a name is a slash, `_DOT_` a dot."""

    def build(path: Path) -> None:
        path.mkdir()
        for name, data in files.items():
            file = path / name.replace("__", "/").replace("_DOT_", ".")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    return build


class _Danger:
    """What would write a file, were it ever unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("a pickle was opened",))


PICKLE = pickle.dumps({"text": _Danger()}, protocol=4)
TABLE = b"text,label\n"
GOOD = {"text": "good", "label": "a"}
