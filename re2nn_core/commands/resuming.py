"""When `train` may go on from a checkpoint: only where rules, texts and settings are those it was made with.

The checkpoint of a run lies in the model folder until the run is done, with a mark of what it belongs to.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from re2nn_core.commands.options import note

CHECKPOINT, MARK = "checkpoint", "run.txt"
_FILES = ("checkpoint.safetensors", "checkpoint.json", MARK)


def mark_of(*parts: object) -> str:
    """A mark of everything that a run depends on; `parts` are values that print all that they hold."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def claim(output: Path, mark: str) -> None:
    """Make the model folder this run's: keep the checkpoint of the same run, remove that of any other."""
    folder = output / CHECKPOINT
    if _mark_in(folder) == mark and (folder / _FILES[0]).is_file():
        note(f"Going on from the checkpoint in {folder}.")
        return
    release(output)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(mark, encoding="utf-8")


def release(output: Path) -> None:
    """Remove the checkpoint; a folder that holds anything else stays, with that."""
    folder = output / CHECKPOINT
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _mark_in(folder: Path) -> str | None:
    path = folder / MARK
    return path.read_text(encoding="utf-8") if path.is_file() else None
