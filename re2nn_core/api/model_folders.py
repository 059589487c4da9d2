"""The folder that a model is written to: refused where it holds something else, and what the system says in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.files import cannot_write, checked_path

_FOLDER = "The folder for the model"


@contextmanager
def writing_to(folder: Path | str) -> Iterator[Path]:
    """The folder as a path, to write a model into. InputError for what is no path; DataFileError where the system
    refuses to write."""
    path = checked_path(folder, _FOLDER)
    try:
        yield path
    except OSError as error:
        advice = "Check the path and whether you may write there."
        raise cannot_write(error.filename or path, error, advice) from error


@contextmanager
def free_folder(folder: Path | str) -> Iterator[Path]:
    """The same of a folder that is new, empty, or one of a model. InputError for any other."""
    with writing_to(folder) as path:
        if path.exists() and not path.is_dir():
            raise InputError(f"{path}: this is a file. Give a folder for the model.")
        if path.is_dir() and any(path.iterdir()) and not (path / "bundle.json").exists():
            raise InputError(f"{path} is not empty and no model folder. Give a new folder for the model.")
        yield path
