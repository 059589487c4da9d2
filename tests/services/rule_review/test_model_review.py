"""A patch leads from the files before to those after, whatever their lines end in."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.services.rule_review.model_review import NO_NEWLINE, rule_patch

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n")


def applied(patch: str, name: str, before: str) -> str:
    """What a patch makes of a file, read as `patch` reads it: an own tiny reader, for files of that name alone."""
    old = before.split("\n")
    old = [*(f"{line}\n" for line in old[:-1]), *([old[-1]] if old[-1] else [])]
    lines = [f"{line}\n" for line in patch.split("\n")[:-1]]
    new: list[str] = []
    at, place, inside = 0, 0, False
    while at < len(lines):
        line = lines[at]
        if line.startswith("--- a/"):
            inside = line == f"--- a/{name}\n"
            at += 2
            continue
        at += 1
        if not inside:
            continue
        if (head := _HUNK.fullmatch(line)) is not None:
            first = int(head[1]) - (head[2] != "0")
            new += old[place:first]
            place = first
            continue
        text = line[1:-1] if at < len(lines) and lines[at] == NO_NEWLINE else line[1:]
        at += at < len(lines) and lines[at] == NO_NEWLINE
        if line[0] in " -":
            assert old[place] == text
            place += 1
        if line[0] in " +":
            new.append(text)
    return "".join([*new, *old[place:]])


CASES = (
    ("[a]\nr := x\n", "[a]\nr := x | y\n"),
    ("[a]\nr := x", "[a]\nr := x | y"),
    ("[a]\nr := x", "[a]\nr := x\n"),
    ("[a]\r\nr := x\r\n", "[a]\r\nr := x | y\r\n"),
    ("", "first = []\n"),
    ("first = []\n", ""),
    ("a\x0bb\u2028c\n", "a\x0bb\u2028d\n"),
    ("--- a\n+++ b\n", "--- a\n+++ c\n"),
)


@pytest.mark.parametrize(("before", "after"), CASES)
def test_a_patch_leads_from_one_file_to_the_other(before: str, after: str) -> None:
    assert applied(rule_patch({"rules.txt": before}, {"rules.txt": after}), "rules.txt", before) == after


@given(st.lists(st.text("ab\r\n -+@\\", max_size=20), min_size=2, max_size=2))
def test_any_two_files(files: list[str]) -> None:
    before, after = files
    assert applied(rule_patch({"x": before}, {"x": after}), "x", before) == after


def test_files_that_stay_are_not_in_it() -> None:
    assert rule_patch({"a": "x\n", "b": "y\n"}, {"a": "x\n", "b": "y\n"}) == ""
    assert "logic.toml" not in rule_patch(
        {"rules.txt": "x\n", "logic.toml": ""}, {"rules.txt": "y\n", "logic.toml": ""}
    )


@pytest.mark.skipif(shutil.which("patch") is None, reason="the program `patch` is not here")
@pytest.mark.parametrize(("before", "after"), CASES[:6])
def test_the_program_patch_applies_it(tmp_path: Path, before: str, after: str) -> None:
    for name in ("rules.txt", "logic.toml"):
        (tmp_path / name).write_bytes(before.encode())
    both = rule_patch(
        dict.fromkeys(("rules.txt", "logic.toml"), before), dict.fromkeys(("rules.txt", "logic.toml"), after)
    )
    command = ["patch", "--binary", "-p1", "-d", str(tmp_path)]
    subprocess.run(command, input=both.encode(), check=True, capture_output=True)
    for name in ("rules.txt", "logic.toml"):
        found = tmp_path / name
        assert (found.read_bytes().decode() if found.exists() else "") == after
