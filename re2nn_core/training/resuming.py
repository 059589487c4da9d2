"""When training may go on from a checkpoint: only where rules, texts and settings are those it was made with.

The checkpoint of a run lies in the model folder until the run is done, with a mark of what it belongs to.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from re2nn_core.training.checkpoint import STATE, TENSORS

CHECKPOINT, MARK = "checkpoint", "run.txt"
_FILES = (TENSORS, STATE, MARK)


def mark_of(*parts: object) -> str:
    """A mark of everything that a run depends on; `parts` are values that print all that they hold."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def claim(output: Path, mark: str) -> Path:
    """The checkpoint folder of a model folder, holding the checkpoint of the marked run or none."""
    folder = output / CHECKPOINT
    if not can_resume(output, mark):
        release(output)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).write_text(mark, encoding="utf-8")
    return folder


def can_resume(output: Path, mark: str) -> bool:
    """Whether the model folder holds a checkpoint of the marked run."""
    folder = output / CHECKPOINT
    marked = folder / MARK
    return (folder / TENSORS).is_file() and marked.is_file() and marked.read_text(encoding="utf-8") == mark


def release(output: Path) -> None:
    """Remove the checkpoint; a folder that holds anything else stays, with that."""
    folder = output / CHECKPOINT
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
