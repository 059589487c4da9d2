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


def claim(output: Path, mark: str) -> tuple[Path, str]:
    """The checkpoint folder of a model folder, holding the checkpoint of the marked run or none; and what to tell
    where it held that of another run, which is kept beside it."""
    folder = output / CHECKPOINT
    if can_resume(output, mark):
        return folder, ""
    told = ""
    if (folder / TENSORS).is_file():
        kept = _free_name(output)
        folder.rename(kept)
        told = (
            f"{folder} held an unfinished training of other rules, texts or settings. It was not used; it is kept as "
            f"{kept}. Delete that folder if you do not need it: run the former command with the former files and "
            f"settings, and the folder back in its place, to go on with it."
        )
    release(output)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text(mark, encoding="utf-8")
    return folder, told


def _free_name(output: Path) -> Path:
    number = 1
    while (output / f"{CHECKPOINT}-{number}").exists():
        number += 1
    return output / f"{CHECKPOINT}-{number}"


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
