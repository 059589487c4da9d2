"""Who is at which task: so that two commands that work on one folder do not run the same cells side by side.

A claim is a small file with the process and the machine of whoever has it. One whose process has ended counts no more;
of another machine nobody can ask, so there the claim counts for as long as any run may take.
"""

from __future__ import annotations

import hashlib
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.jobs.recover import process_exists

_LONGEST_SECONDS = 12 * 3600.0


@contextmanager
def claimed(file: Path, task: PlannedRun) -> Iterator[bool]:
    """Whether the task is this process's to run; if so it is nobody else's meanwhile. `file` is the file of runs."""
    path = _path_of(file, task)
    if not _taken(path):
        yield False
        return
    try:
        yield True
    finally:
        path.unlink(missing_ok=True)


def _path_of(file: Path, task: PlannedRun) -> Path:
    name = hashlib.sha256(f"{task.job.key} {task.seed}".encode()).hexdigest()[:16]
    return file.parent / "claims" / name


def _taken(path: Path) -> bool:
    """Make the claim; False where somebody has it who is still at work."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not _is_held(path):
        path.unlink(missing_ok=True)
    try:
        with path.open("x", encoding="utf-8") as claim:
            claim.write(f"{os.getpid()} {socket.gethostname()}")
    except FileExistsError:
        return False
    return True


def _is_held(path: Path) -> bool:
    with suppress(FileNotFoundError):
        pid, _, host = path.read_text(encoding="utf-8").partition(" ")
        if host == socket.gethostname():
            return pid.isdecimal() and process_exists(int(pid))
        # Just made and not written yet, or on another machine.
        return time.time() - path.stat().st_mtime < _LONGEST_SECONDS
    return False
