"""The processes of the Ray that a test has started, to kill some of them."""

from __future__ import annotations

import os
from pathlib import Path


def processes_of_ray(name: str) -> list[int]:
    """Those that run what has this name, of the Ray that this process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_text(encoding="utf-8")
            if line.startswith("ray::") and name in line and os.getpid() in _ancestors(int(folder.name)):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def _ancestors(process: int) -> list[int]:
    found = [process]
    while found[-1] > 1:
        found.append(int(Path(f"/proc/{found[-1]}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]))
    return found
