"""When training may go on from a checkpoint: only where rules, texts and settings are those it was made with.

The checkpoint of a run lies in the model folder until the run is done, with a mark of what it belongs to.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from re2nn_core.files import write_whole
from re2nn_core.training.checkpoint import STATE, TENSORS

CHECKPOINT, MARK = "checkpoint", "run.txt"
SECOND = "second"  # in the folder of the checkpoint: that of a second try
_FILES = (TENSORS, STATE, MARK)


# The names of settings are part of a mark, and they are never looked up among former names: a run that was stopped by a
# version which named them otherwise starts anew.
def mark_of(*parts: object) -> str:
    """A mark of everything that a run depends on; `parts` are values that print all that they hold."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def claim(output: Path, mark: str) -> tuple[Path, str]:
    """The checkpoint folder of a model folder, holding the checkpoint of the marked run or none; and what to tell
    where it held that of another run, which is kept beside it until that run goes on."""
    folder = output / CHECKPOINT
    if _is_of(folder, mark):
        return folder, ""
    reported = ""
    if moved := unfinished_elsewhere(output):
        folder.rename(moved)
        reported = (
            f"{output} held an unfinished training of other rules, texts or settings. It was moved to {moved}: the "
            "former command continues it. Delete that folder if you do not need it."
        )
    if mine := next((kept for kept in _kept(output) if _is_of(kept, mark)), None):
        release(output)
        mine.rename(folder)
        return folder, reported
    release(output)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / MARK, mark)
    return folder, reported


def unfinished_elsewhere(output: Path) -> Path | None:
    """Where the checkpoint that a model folder holds is kept when another run takes its place; None for none."""
    if not (output / CHECKPOINT / TENSORS).is_file():
        return None
    number = 1
    while (output / f"{CHECKPOINT}-{number}").exists():
        number += 1
    return output / f"{CHECKPOINT}-{number}"


def _kept(output: Path) -> list[Path]:
    return sorted(output.glob(f"{CHECKPOINT}-*"))


def _is_of(folder: Path, mark: str) -> bool:
    """Whether a folder holds a checkpoint of the marked run."""
    marked = folder / MARK
    return (folder / TENSORS).is_file() and marked.is_file() and marked.read_text(encoding="utf-8") == mark


def can_resume(output: Path, mark: str) -> bool:
    """Whether the model folder holds a checkpoint of the marked run, or keeps one beside it."""
    return any(_is_of(folder, mark) for folder in (output / CHECKPOINT, *_kept(output)))


def release(output: Path) -> None:
    """Remove the checkpoint; a folder that holds anything else stays, with that."""
    for folder in (output / CHECKPOINT / SECOND, output / CHECKPOINT):
        for name in _FILES:
            (folder / name).unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
