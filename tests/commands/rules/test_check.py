"""re2nn check: faults and warnings, with their places."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_line import Call


def test_rules_without_faults(re2nn: Call, rules: Path, logic: Path) -> None:
    outcome = re2nn("check", rules, "--logic", logic)
    assert outcome.code == 0
    assert outcome.out == f"{rules}: 3 rules for 2 labels, no errors.\n"
    assert re2nn("check", rules, "--json").data == {"ok": True, "rules": 3, "faults": [], "warnings": []}


def test_every_fault_is_told_with_its_place(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("[flight]\n$* ( flight $*\n$* a {2,1} $*\n", encoding="utf-8")
    outcome = re2nn("check", path)
    assert outcome.code == 1
    assert f"{path}:2:4: rule 'flight.1': '(' is never closed" in outcome.out
    assert outcome.out.endswith(f"2 errors in {path}. Fix and check again: re2nn check {path}\n")
    data = re2nn("check", path, "--json").data
    assert (data["ok"], data["rules"]) == (False, 0)
    assert [(fault["file"], fault["line"]) for fault in data["faults"]] == [(str(path), 2), (str(path), 3)]
    assert data["faults"][0]["column"] == 4
    assert data["faults"][0]["message"] == "rule 'flight.1': '(' is never closed"


def test_faults_of_label_logic_name_its_file(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "logic.toml"
    path.write_text('priorities = ["fair > flight"]\n', encoding="utf-8")
    outcome = re2nn("check", rules, "--logic", path, "--json")
    assert outcome.code == 1
    assert [(f["file"], f["line"], f["message"]) for f in outcome.data["faults"]] == [
        (str(path), 1, "there is no label 'fair'")
    ]


def test_logic_may_be_json(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "logic.json"
    path.write_text(json.dumps({"default": "flight", "priorities": ["fare > flight"]}), encoding="utf-8")
    assert re2nn("check", rules, "--logic", path).code == 0


def test_warnings_do_not_make_it_fail(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("[flight]\n$* ( ticket | ticket ) $*\n", encoding="utf-8")
    outcome = re2nn("check", path)
    assert outcome.code == 0
    assert "the same alternative occurs" in outcome.out
    assert outcome.out.endswith(f"{path}: 1 rule for 1 label, no errors, 1 warning (see above).\n")
    assert [warning["line"] for warning in re2nn("check", path, "--json").data["warnings"]] == [2]


def test_a_rule_that_no_formula_names_is_a_warning_wherever_rules_are_used(
    re2nn: Call, rules: Path, texts: Path, tmp_path: Path
) -> None:
    path = tmp_path / "formulas.toml"
    path.write_text('default = "flight"\nlogic = ["to_city & !price -> flight"]\n', encoding="utf-8")
    message = f"the rule changes nothing: 'flight' is decided by its formula ({path}, line 2), which does not name it"
    advice = "Add it to the formula: (to_city | any_flight) & !price -> flight."
    [warning] = re2nn("check", rules, "--logic", path, "--json").data["warnings"]
    assert (warning["line"], warning["message"], warning["advice"]) == (3, f"rule 'any_flight': {message}", advice)
    data = ("--data", texts)
    for command, *arguments in (("compile", rules), ("evaluate", "--rules", rules, *data)):
        reported = re2nn(command, *arguments, "--logic", path).err
        assert f"see it with: re2nn check {rules} --logic {path}\n" in reported, command
        assert f"line 3: rule 'any_flight': {message}. {advice}\n" in reported, command


def test_words_that_the_tokenizer_cuts(re2nn: Call, tmp_path: Path) -> None:
    path, data = tmp_path / "rules.txt", tmp_path / "texts.csv"
    path.write_text("[day]\n$* 7:15 $*\nlate := $* a.m. $*\n", encoding="utf-8")
    data.write_text("text,label\nat 7:15,day\nno,day\n", encoding="utf-8")
    assert re2nn("check", path).out == f"{path}: 2 rules for 1 label, no errors.\n"
    outcome = re2nn("check", path, "--tokenizer", "punctuation", "--json")
    assert outcome.code == 0
    assert [(w["line"], w["column"], w["message"], w["advice"].split(":")[0]) for w in outcome.data["warnings"]] == [
        (
            2,
            4,
            "rule 'day.1': '7:15' can never match: the tokenizer 'punctuation' cuts it into 3 words, 7 : 15",
            "Write 7 ",
        ),
        (
            3,
            12,
            "rule 'late': 'a.m.' can never match: the tokenizer 'punctuation' cuts it into 2 words, a.m .",
            "Write a.m .",
        ),
    ]
    options = ("--tokenizer", "punctuation", "--no-lowercase")
    reported = re2nn("evaluate", "--rules", path, "--data", data, *options).err
    assert f"{path}: 2 warnings; see them with: re2nn check {path} --tokenizer punctuation --no-lowercase\n" in reported
    assert "  line 2: rule 'day.1': '7:15' can never match: the tokenizer 'punctuation' cuts it" in reported
    assert "Write 7 : 15: a rule names words as the tokenizer cuts the texts. (1 more of the kind)" in reported


def test_file_that_is_missing_or_a_folder_or_no_text(re2nn: Call, tmp_path: Path) -> None:
    missing = re2nn("check", tmp_path / "no.txt")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err == f"Error: {tmp_path / 'no.txt'}: there is no such file. Give the path of a rule file.\n"
    folder = re2nn("check", tmp_path)
    assert folder.code == 2
    assert f"{tmp_path}: this is a folder. Give the path of a rule file in it." in folder.err
    (tmp_path / "latin.txt").write_bytes("[flight]\n$* café $*\n".encode("latin-1"))
    latin = re2nn("check", tmp_path / "latin.txt", "--json")
    assert latin.code == 2
    assert list(latin.data) == ["error"]
    assert "is not UTF-8" in latin.data["error"]


def test_upper_case_is_kept_where_asked_for(re2nn: Call, tmp_path: Path) -> None:
    for name, word in (("a.txt", "US"), ("b.txt", "us")):
        (tmp_path / name).write_text(f"[country]\n$* {word} $*\n", encoding="utf-8")
    paths = (tmp_path / "a.txt", tmp_path / "b.txt")
    assert re2nn("compare", *paths).code == 0
    assert re2nn("compare", *paths, "--no-lowercase").code == 1


def test_what_compile_refuses_check_refuses_too(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("[x]\nr := ( ( a{1000} ){1000} ){1000}\n", encoding="utf-8")
    outcome = re2nn("check", path)
    assert outcome.code == 1
    assert f"{path}:2:6: rule 'r': needs more than 20,000 states" in outcome.out
    assert re2nn("compile", path).code == 2


def test_signs_that_turn_the_direction_are_written_out_in_errors_too(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("[x]\n$* [ a ]<ev\u202eil> $*\n", encoding="utf-8")
    for command in ("check", "compile", "draw"):
        outcome = re2nn(command, path)
        reported = outcome.out + outcome.err
        assert "ev\\u202eil" in reported
        assert "\u202e" not in reported
    assert "\u202e" not in re2nn("ev\u202eil").err
