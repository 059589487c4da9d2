"""Uploaded files as files on the disk, as long as they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from tempfile import TemporaryDirectory


@contextmanager
def on_disk(data: bytes, name: str) -> Iterator[Path]:
    """The bytes of a file under its own name, which tells its format; the file is gone at the end."""
    with TemporaryDirectory(prefix="re2nn-upload-") as folder:
        path = Path(folder) / (PureWindowsPath(name).name or "texts")
        path.write_bytes(data)
        yield path
