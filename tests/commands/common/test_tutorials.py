"""The commands of the guide's tutorials and of the README run as written, and their rules mean what is said."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.command_line import Call

from re2nn_core.guide.contents import find_topic

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TUTORIAL = find_topic("tutorial-slots").text
TEMPORARY = "/tmp"  # noqa: S108 - where the guide puts its files; here they go elsewhere
QUICK = ["--epochs", "1", "--vectors", "none", "--device", "cpu"]
EXAMPLES = {
    "flight_slots": (TUTORIAL, ["check", "draw", "evaluate", "certify", "train", "predict", "reconstruct"]),
    "flight_intents": (README, ["check", "evaluate", "train", "reconstruct", "review", "diff"]),
}


@pytest.mark.parametrize("sample", ["flight_intents", pytest.param("flight_slots", marks=pytest.mark.long)])
def test_the_commands_run(re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: str) -> None:
    text, names = EXAMPLES[sample]
    example = text[text.index(f"cd sample_projects/{sample}") :]
    monkeypatch.chdir(ROOT / "sample_projects" / sample)
    commands = [shlex.split(line) for line in re.findall(r"^ *re2nn (.*)$", example, re.MULTILINE)]
    assert [arguments[0] for arguments in commands] == names
    for command in commands:
        arguments = [argument.replace(TEMPORARY, str(tmp_path)) for argument in command]
        outcome = re2nn(*arguments, *(QUICK if arguments[0] == "train" else []))
        # Rule sets that differ are what `diff` reports with exit code 1.
        assert outcome.code in ((0, 1) if arguments[0] == "diff" else (0,)), f"{command}\n{outcome.err}"
    if sample == "flight_slots":
        assert len((tmp_path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()) == 418


def test_the_rules_and_the_data_of_the_guide_mean_what_is_said(re2nn: Call, tmp_path: Path) -> None:
    captures = find_topic("rule-language").text.partition("## Capture groups")[2]
    rules, data = tmp_path / "rules.txt", tmp_path / "texts.jsonl"
    rules.write_text("\n".join(re.findall(r"^(@city@.*|\w+ := .*)$", captures, re.MULTILINE)), encoding="utf-8")
    lines = re.findall(r'^(\{".*)$', find_topic("file-formats").text, re.MULTILINE)
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert re2nn("check", rules, "--json").data["slots"] == ["to_city", "day"]
    found = re2nn("evaluate", "--rules", rules, "--data", data, "--json").data
    assert (found["sentences"], found["network"]["f1"]) == (2, 1.0)
