"""A folder that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

from re2nn_core.errors import InputError
from re2nn_core.files import cannot_write


def refuse_filled(folder: Path) -> None:
    """InputError for a path that no new folder can be made at."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: this is a file. Give a new folder.")
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty. Nothing was written. Give a new folder.")
    if not folder.absolute().parent.is_dir():
        raise InputError(f"{folder}: there is no folder {folder.parent}. Make it first, or choose another.")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which gets its name when all went well, and is removed otherwise. InputError,
    DataFileError."""
    refuse_filled(folder)
    part = folder.absolute().with_name(f"{folder.absolute().name}.part")
    rmtree(part, ignore_errors=True)
    try:
        part.mkdir()
        yield part
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        rmtree(part, ignore_errors=True)
