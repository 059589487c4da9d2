"""re2nn check --sentences: what rules must match and must not match."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call

RULES = "[flight]\nto_city := $* to ( oslo | rome ) $*\n//- off := x\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return path


def sentences(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sentences.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_sentences_that_hold(re2nn: Call, file: Path, tmp_path: Path) -> None:
    path = sentences(tmp_path, '[to_city]\nmust = ["fly to Oslo"]\nmust_not = ["from oslo"]\n')
    outcome = re2nn("check", file, "--sentences", path)
    assert outcome.code == 0
    assert outcome.out.endswith(f"{path}: 2 sentences of 1 rule checked, none failed.\n")


def test_one_that_fails_makes_the_answer_no(re2nn: Call, file: Path, tmp_path: Path) -> None:
    path = sentences(tmp_path, '[to_city]\nmust = ["fly oslo"]\n[off]\nmust = ["x"]\n[gone]\nmust_not = ["y"]\n')
    outcome = re2nn("check", file, "--sentences", path)
    assert outcome.code == 1
    assert "Rule 'to_city' must match “fly oslo”, but refuses it; the nearest that it matches is" in outcome.out
    assert "1 sentence belongs to the rule 'off', which is switched off; not checked." in outcome.out
    assert "1 sentence belongs to the rule 'gone', which does not exist: renamed or removed" in outcome.out
    assert outcome.out.endswith(f"{path}: 1 sentence of 1 rule checked, 1 failed.\n")
    data = re2nn("check", file, "--sentences", path, "--json").data
    assert data["ok"] is False
    assert data["sentences"]["checked"] == 1
    assert [(one["rule"], one["kind"], one["sentence"]) for one in data["sentences"]["failed"]] == [
        ("to_city", "must", "fly oslo")
    ]
    assert data["sentences"]["orphans"] == [
        {"rule": "off", "sentences": 1, "off": True},
        {"rule": "gone", "sentences": 1, "off": False},
    ]


def test_sentences_of_slots_say_what_is_to_be_marked(re2nn: Call, tmp_path: Path) -> None:
    rules = tmp_path / "slots.txt"
    rules.write_text("to_city := $* to [ oslo | new york ]<city> $*\n", encoding="utf-8")
    path = sentences(tmp_path, '[to_city]\nmust = ["to [New York]<city>", "to [Oslo]<town>"]\n')
    outcome = re2nn("check", rules, "--sentences", path)
    assert outcome.code == 1
    assert "Rule 'to_city' must match “to [Oslo]<town>”, but matches “to [Oslo]<city>”." in outcome.out


def test_a_file_that_cannot_be_read_is_bad_input(re2nn: Call, file: Path, tmp_path: Path) -> None:
    outcome = re2nn("check", file, "--sentences", sentences(tmp_path, "[to_city\n"))
    assert outcome.code == 2
    assert "cannot be read as TOML" in outcome.err
    assert "Write [rule_name] and below it must" in outcome.err
    assert re2nn("check", file, "--sentences", tmp_path / "none.toml").code == 2


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        ("rules.txt --logic s.txt", "sentences", "Check them with: re2nn check RULES --sentences s.txt"),
        ("rules.txt --logic s.toml", "sentences", "Check them with: re2nn check RULES --sentences s.toml"),
        ("slots.txt --logic s.toml", "sentences", "Check them with: re2nn check RULES --sentences s.toml"),
        ("s.txt", "sentences", "s.txt has sentences that rules must match. Check them with: re2nn check RULES"),
        ("rules.txt --sentences s.toml", "logic", "Check them with: re2nn check RULES --logic s.toml"),
        ("slots.txt --sentences s.toml", "longest", "Check them with: re2nn check RULES --logic s.toml"),
        ("rules.txt --sentences s.toml", "rules", "cannot be read as TOML"),
        ("rules.txt --logic s.txt", "logic", "label logic must be a .toml or .json file. Rename the file."),
    ],
)
def test_a_file_of_another_kind_names_its_option(
    re2nn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, given: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules.txt").write_text(RULES, encoding="utf-8")
    Path("slots.txt").write_text("to_city := $* to [ oslo ]<city> $*\n", encoding="utf-8")
    texts = {
        "sentences": '[to_city]\nmust = ["fly to oslo"]\nmust_not = "no list"\n',
        "logic": 'default = "flight"\n',
        "longest": "longest = true\n",
        "rules": RULES,
    }
    Path(next(word for word in call.split() if word.startswith("s."))).write_text(texts[given], encoding="utf-8")
    outcome = re2nn("check", *call.split())
    assert outcome.code == 2
    assert said in outcome.err
