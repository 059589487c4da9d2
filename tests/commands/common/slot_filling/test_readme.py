"""The example for slots in the README runs as it stands there, and so do its rules."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.command_line import Call

ROOT = Path(__file__).resolve().parents[4]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README[README.index("## Slots") : README.index("## Files in and out")]
TEMPORARY = "/tmp"  # noqa: S108 - where the README puts its files; here they go elsewhere
COMMANDS = re.findall(r"^    re2nn (.*)$", SECTION, re.MULTILINE)


def test_the_commands_run(re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "cd sample_projects/flight_slots" in SECTION
    monkeypatch.chdir(ROOT / "sample_projects" / "flight_slots")
    assert [command.split()[0] for command in COMMANDS] == [
        *("check", "draw", "evaluate", "certify", "train", "predict", "reconstruct")
    ]
    for command in COMMANDS:
        arguments = [argument.replace(TEMPORARY, str(tmp_path)) for argument in shlex.split(command)]
        quick = ["--epochs", "1", "--vectors", "none", "--device", "cpu"] if arguments[0] == "train" else []
        outcome = re2nn(*arguments, *quick)
        assert outcome.code == 0, f"{command}\n{outcome.err}"
    assert len((tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 418


def test_the_rules_and_the_data_mean_what_is_said(re2nn: Call, tmp_path: Path) -> None:
    rules, data = tmp_path / "rules.txt", tmp_path / "texts.jsonl"
    rules.write_text("\n".join(re.findall(r"^    (@city@.*|\w+ := .*)$", SECTION, re.MULTILINE)), encoding="utf-8")
    data.write_text("\n".join(re.findall(r'^    (\{".*)$', SECTION, re.MULTILINE)) + "\n", encoding="utf-8")
    assert re2nn("check", rules, "--json").data["slots"] == ["to_city", "day"]
    found = re2nn("evaluate", "--rules", rules, "--data", data, "--json").data
    assert (found["sentences"], found["network"]["f1"]) == (2, 1.0)
