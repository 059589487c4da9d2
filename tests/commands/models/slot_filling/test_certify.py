"""re2nn certify for slots: a certificate is made, holds, and no longer holds when something changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import RULES, Call
from support.tagging_command_line import SLOT_RULES, marked_lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slots.txt").write_text(SLOT_RULES, encoding="utf-8")
    (tmp_path / "texts.jsonl").write_text(marked_lines(), encoding="utf-8")
    return tmp_path


def given(folder: Path) -> tuple[str, ...]:
    return "certify", "--rules", str(folder / "slots.txt"), "--data", str(folder / "texts.jsonl")


@pytest.mark.parametrize("kind", ["positions", "ifst"])
def test_a_certificate_is_made_and_holds(re2nn: Call, folder: Path, kind: str) -> None:
    path = folder / "certificate.json"
    made = re2nn(*given(folder), "-o", path, "--transducer", kind)
    assert made.code == 0
    assert made.out.startswith("The untrained network equals the rules.\n")
    assert "\n  texts:   the same tags on 6 of 6 sentences (27 words)\n" in made.out
    assert json.loads(path.read_text(encoding="utf-8"))["transducer"] == kind
    held = re2nn(*given(folder), "--check", path)
    assert held.code == 0
    assert held.out.startswith(f"{path} holds.\nThe untrained network equals the rules.\n")
    data = re2nn(*given(folder), "--check", path, "--json").data
    assert (data["holds"], data["task"], data["transducer"], data["faults"]) == (True, "slots", kind, [])
    (folder / "slots.txt").write_text(SLOT_RULES.replace("$* on", "$* at"), encoding="utf-8")
    broken = re2nn(*given(folder), "--check", path)
    assert broken.code == 1
    assert broken.out.startswith(f"{path} does not hold:\n  - the rules are not the certified ones\n")


def test_texts_without_marks_do(re2nn: Call, folder: Path) -> None:
    (folder / "texts.txt").write_text("to oslo\nhello\n", encoding="utf-8")
    arguments = ("--rules", folder / "slots.txt", "--data", folder / "texts.txt", "-o", folder / "c.json", "--json")
    assert re2nn("certify", *arguments).data["sentences"] == 2


def test_the_case_of_slots_is_part_of_it(re2nn: Call, folder: Path) -> None:
    (folder / "texts.jsonl").write_text(marked_lines().replace("to_city", "To_City"), encoding="utf-8")
    path = folder / "certificate.json"
    assert re2nn(*given(folder), "--ignore-slot-case", "-o", path).code == 0
    assert re2nn(*given(folder), "--ignore-slot-case", "--check", path).code == 0
    outcome = re2nn(*given(folder), "--check", path)
    assert outcome.code == 1
    assert "the slots of the rules are spelt otherwise" in outcome.out


def test_options_of_the_other_task(re2nn: Call, folder: Path) -> None:
    outcome = re2nn(*given(folder), "-o", folder / "c.json", "--automata", "rule")
    assert outcome.code == 2
    assert outcome.err == "Error: --automata: this option has no effect for slots, the task here. Leave it out.\n"
    (folder / "labels.txt").write_text(RULES, encoding="utf-8")
    (folder / "texts.txt").write_text("flights\n", encoding="utf-8")
    labels = ("certify", "--rules", folder / "labels.txt", "--data", folder / "texts.txt")
    outcome = re2nn(*labels, "-o", folder / "c.json", "--transducer", "ifst", "--ignore-slot-case")
    assert "--ignore-slot-case and --transducer: this option has no effect for labels of whole texts" in outcome.err
    assert re2nn(*labels, "-o", folder / "c.json").code == 0
    outcome = re2nn(*given(folder), "--check", folder / "c.json")
    assert outcome.code == 2
    assert "c.json is a certificate for another task" in outcome.err
