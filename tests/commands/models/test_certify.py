"""re2nn certify: a certificate is made, holds, and no longer holds when something changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import LOGIC, Call


@pytest.fixture
def certificate(re2nn: Call, rules: Path, logic: Path, texts: Path, tmp_path: Path) -> Path:
    path = tmp_path / "certificate.json"
    outcome = re2nn("certify", "--rules", rules, "--logic", logic, "--data", texts, "-o", path)
    assert outcome.code == 0
    assert outcome.out.startswith("The untrained network equals the rules.\n")
    assert outcome.out.endswith(f"Written to {path}.\n")
    return path


def test_certificate_holds(re2nn: Call, rules: Path, logic: Path, texts: Path, certificate: Path) -> None:
    given = ("certify", "--rules", rules, "--logic", logic, "--data", texts, "--check", certificate)
    outcome = re2nn(*given)
    assert outcome.code == 0
    assert outcome.out.startswith(f"{certificate} holds.\n")
    data = re2nn(*given, "--json").data
    assert (data["holds"], data["equal"], data["sentences"], data["agree"]) == (True, True, 6, 6)
    assert data["faults"] == []


def test_changed_rules_break_it(re2nn: Call, rules: Path, logic: Path, texts: Path, certificate: Path) -> None:
    rules.write_text(rules.read_text(encoding="utf-8") + "$* ticket $*\n", encoding="utf-8")
    logic.write_text(LOGIC.replace('"flight"\n', '"fare"\n', 1), encoding="utf-8")
    given = ("certify", "--rules", rules, "--logic", logic, "--data", texts, "--check", certificate)
    outcome = re2nn(*given)
    assert outcome.code == 1
    assert outcome.out.startswith(f"{certificate} does not hold:\n  - the rules are not the certified ones\n")
    data = re2nn(*given, "--json").data
    assert data["holds"] is False
    assert "the label logic is not the certified one" in data["faults"]


def test_certificate_that_says_no(re2nn: Call, rules: Path, logic: Path, texts: Path, certificate: Path) -> None:
    stored = json.loads(certificate.read_text(encoding="utf-8"))
    certificate.write_text(json.dumps({**stored, "equal": False}), encoding="utf-8")
    outcome = re2nn("certify", "--rules", rules, "--logic", logic, "--data", texts, "--check", certificate)
    assert outcome.code == 1
    assert "the stored certificate says that network and rules differ" in outcome.out


def test_no_certificate(re2nn: Call, rules: Path, texts: Path) -> None:
    outcome = re2nn("certify", "--rules", rules, "--data", texts, "--check", rules, "--json")
    assert outcome.code == 2
    assert f"{rules} is no certificate. Give a file that was written with re2nn certify" in outcome.data["error"]
    neither = re2nn("certify", "--rules", rules, "--data", texts)
    assert neither.code == 2
    assert "Write -o FILE to make a certificate, or --check FILE to check one." in neither.err


def test_certificate_that_is_not_there(re2nn: Call, rules: Path, texts: Path) -> None:
    outcome = re2nn("certify", "--rules", rules, "--data", texts, "--check", "nowhere.json")
    assert outcome.code == 2
    assert "Error: nowhere.json: there is no such certificate." in outcome.err
