"""What accepting changes does to the files of rules and logic, as a unified diff for `patch -p1` and `git apply`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff

NO_NEWLINE = "\\ No newline at end of file\n"


def rule_patch(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The differences of files, each given by its name with its text; empty where there are none."""
    return "".join(line for name, text in before.items() for line in _changes(name, text, after[name]))


def _changes(name: str, before: str, after: str) -> Iterator[str]:
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    for number, line in enumerate(lines):
        # The two names at the head end in a line break of their own.
        yield line if number < 2 or line.endswith("\n") else f"{line}\n{NO_NEWLINE}"


def _lines(text: str) -> list[str]:
    """Lines as `patch` takes them: only a line feed ends one."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
