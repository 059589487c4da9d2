"""Cases that people reported, as a list of files with what comes in wrong: `trials/cases.json` beside the folder of the
published data. They are not part of this repository; where they are not on this machine, there are none."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "benchmarks"
FOLDER = Path(os.environ.get("RE2NN_BENCHMARKS") or _BESIDE).parent / "trials"
MISSING = f"the reported cases are not here: {FOLDER}"


@dataclass(frozen=True)
class ReportedCase:
    """`command`: the calls, none for an import of the file with the `options`; `sign`: what stood in the output as long
    as the fault was there."""

    name: str
    file: Path
    command: str
    options: str
    sign: str

    @property
    def calls(self) -> tuple[str, ...]:
        """The command line's calls, one behind the other; other programs are not called."""
        whole = self.command.replace("{f}", str(self.file)).replace("{d}", str(FOLDER / "inputs"))
        calls = tuple(call.strip() for call in whole.split(";"))
        return tuple(call for call in calls if not call.startswith(("cat ", "head ", "python")))


def reported_cases() -> tuple[ReportedCase, ...]:
    """All of them, in their order; empty where they are not on this machine."""
    path = FOLDER / "cases.json"
    return tuple(map(_case, json.loads(path.read_text(encoding="utf-8")))) if path.is_file() else ()


def _case(row: Mapping[str, Any]) -> ReportedCase:
    file = FOLDER / "inputs" / row["file"]
    return ReportedCase(row["id"], file, row["command"] or "", row["options"] or "", row["sign_of_fault"] or "")
