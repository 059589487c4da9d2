"""What one seed of a job gave, and on what: machine, day, version."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re2nn_core.experiments.runs.classification import LabelRecord
    from re2nn_core.experiments.runs.slot_filling import SlotRecord

_HERE = Path(__file__).resolve().parent
_GIT_SECONDS = 5.0


@dataclass(frozen=True)
class Measured:
    """`values` by the name of the measure: shares in per cent, counts as they are. `texts` were learned from.
    `settings` are all that the figures hang on, but for the seed."""

    values: Mapping[str, float]
    settings: Mapping[str, Any] = field(default_factory=dict)
    texts: int = 0
    epochs: int = 0
    best_epoch: int = 0
    recipe: str = ""
    vectors: str = "none"
    seconds: float = 0.0


@dataclass(frozen=True)
class Run:
    """One seed of a job as it is kept. `date` is UTC; `code` is the version of this program, with its commit where it
    runs from a repository."""

    seed: int
    measured: Measured
    machine: str
    date: str
    code: str


def as_run(seed: int, measured: Measured) -> Run:
    """What was measured, with where and when."""
    return Run(seed, measured, machine_name(), datetime.now(UTC).isoformat(timespec="seconds"), code_name())


@cache
def machine_name() -> str:
    """System, processor with what torch uses of it, Python and torch."""
    import torch

    # Sums are taken in another order where other instructions are used, and a seed may give other figures.
    used = torch.backends.cpu.get_cpu_capability()
    return (
        f"{platform.system()} {platform.machine()} ({used}), Python {platform.python_version()}, "
        f"torch {torch.__version__}, {torch.get_num_threads()} thread{'s' if torch.get_num_threads() > 1 else ''}"
    )


@cache
def code_name() -> str:
    """`0.1.0, commit 1a2b3c4`."""
    try:
        number = version("re2nn-studio")
    except PackageNotFoundError:
        number = "of no version"
    commit = _commit()
    return f"{number}, commit {commit}" if commit else number


def _commit() -> str:
    """The commit that is checked out; `+` behind it where files differ. Empty outside a repository of this program."""
    git, root = shutil.which("git"), _HERE.parents[2]
    if git is None or not (root / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            [git, "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"],
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def of_record(record: LabelRecord | SlotRecord, values: Mapping[str, float], settings: Mapping[str, Any]) -> Measured:
    """The values of a record of an experiment, with how it was trained."""
    return Measured(
        values=dict(values),
        settings=dict(settings),
        texts=record.train_size,
        epochs=record.epochs,
        best_epoch=record.best_epoch,
        recipe=record.recipe,
        vectors=record.vectors,
        seconds=record.seconds,
    )
