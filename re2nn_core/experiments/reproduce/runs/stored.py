"""Our own results, which come with the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from re2nn_core.experiments.reproduce.runs.runs_file import FILE_NAME, KeptRuns, read_runs
from re2nn_core.store import default_store_path

FOLDER = Path(__file__).resolve().parents[2] / "results"


def own_folder() -> Path:
    """Where `re2nn reproduce` puts what is run on this machine, unless it is reported otherwise."""
    return default_store_path().parent / "results"


@cache
def stored_runs() -> KeptRuns:
    """The runs of the file that comes with the program, read once. DataFileError where it is damaged."""
    return read_runs(FOLDER / FILE_NAME)
