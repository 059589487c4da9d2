"""re2nn diff: verdicts, pictures, idle rules, overlaps, moved texts, and what cannot be compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import RULES, Call
from slot_command_line import SLOT_RULES

AFTER = RULES.replace("( flight | fly )", "( flight | fly | plane )").replace("fare | cost", "fare | price")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.txt"
    path.write_text(AFTER + "[meal]\nlunch := $* lunch $*\n", encoding="utf-8")
    return path


def test_equal_files_are_equivalent(re2nn: Call, rules: Path) -> None:
    outcome = re2nn("diff", rules, rules)
    assert outcome.code == 0
    assert "Equivalent: the same sentences for 2 labels and 3 rules." in outcome.out
    assert re2nn("diff", rules, rules, "--json").data["equivalent"] is True


def test_every_label_and_rule_has_a_verdict_with_witnesses(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("diff", rules, other)
    assert outcome.code == 1
    assert "3 labels of 3 differ, 0 the same." in outcome.out
    assert "3 rules of 4 differ, 1 the same." in outcome.out
    data = re2nn("diff", rules, other, "--json").data
    assert data["labels"]["flight"]["verdict"] == "contained"
    assert data["rules"]["to_city"]["only_b"]["words"] == ["plane", "to"]
    assert data["rules"]["price"]["only_a"]["words"] == ["cost"]
    assert data["rules"]["lunch"]["in_a"] is False
    assert data["rules"]["to_city"]["machine"]["states"] == {"kept": 3, "added": 0, "removed": 0, "changed": 0}
    [changed] = data["rules"]["to_city"]["machine"]["changes"]
    assert (changed["mark"], changed["added"], changed["removed"]) == ("±", ["plane"], [])


def test_one_rule_with_its_arcs(re2nn: Call, rules: Path, other: Path) -> None:
    out = re2nn("diff", rules, other, "--rule", "price").out
    assert "words added" in out
    assert out.splitlines()[-1].split() == ["±", "0", "1", "price", "cost"]
    data = re2nn("diff", rules, other, "--rule", "price", "--rule-b", "lunch", "--json").data
    assert list(data["rules"]) == ["price / lunch"]


def test_pictures(re2nn: Call, rules: Path, other: Path, tmp_path: Path) -> None:
    svg, png, dot = (tmp_path / f"out.{kind}" for kind in ("svg", "png", "dot"))
    outcome = re2nn("diff", rules, other, "--rule", "price", "--svg", svg, "--png", png, "--dot", dot, "--json")
    assert outcome.data["drawn"] == {"svg": str(svg), "png": str(png), "dot": str(dot)}
    assert "± fare  + price" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "digraph difference" in dot.read_text(encoding="utf-8")
    assert f"Drawn to {svg}." in outcome.err


def test_a_picture_of_the_first_rule_that_differs_or_of_a_label(
    re2nn: Call, rules: Path, other: Path, tmp_path: Path
) -> None:
    svg = tmp_path / "out.svg"
    assert "Drawn: rule 'to_city', the first that differs" in re2nn("diff", rules, other, "--svg", svg).err
    re2nn("diff", rules, other, "--label", "meal", "--svg", svg)
    assert "+ lunch" in svg.read_text(encoding="utf-8")
    svg.unlink()
    assert "No picture: no rule differs." in re2nn("diff", rules, rules, "--svg", svg).err
    assert not svg.exists()


def test_texts_that_change_their_answer(re2nn: Call, rules: Path, other: Path, texts: Path) -> None:
    outcome = re2nn("diff", rules, other, "--data", texts)
    assert "1 text of 6 changes its answer, the most frequent first:" in outcome.out
    moved = re2nn("diff", rules, other, "--data", texts, "--json").data["moved"]
    assert moved["list"] == [{"text": "what does it cost", "count": 1, "a": "fare", "b": "(none)"}]
    assert (moved["texts"], moved["moved"]) == (6, 1)


def test_logic_decides_answers(re2nn: Call, rules: Path, other: Path, texts: Path, logic: Path) -> None:
    moved = re2nn("diff", rules, other, "--data", texts, "--logic-a", logic, "--json").data["moved"]
    assert moved["list"] == [{"text": "what does it cost", "count": 1, "a": "fare", "b": "flight"}]


def test_rules_that_do_nothing_and_overlaps(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    idle = tmp_path / "idle.txt"
    idle.write_text(f"{RULES}cheap := $* how much is $*\nnever := a BOS\n", encoding="utf-8")
    outcome = re2nn("diff", rules, idle)
    assert outcome.code == 1
    assert "All 2 labels accept the same sentences." in outcome.out
    assert "cheap (fare) says nothing that price does not say" in outcome.out
    assert "never (fare) accepts no sentence" in outcome.out
    data = re2nn("diff", rules, idle, "--json").data
    assert [found["rule"] for found in data["idle"]["b"]] == ["cheap", "never"]
    assert data["overlaps"]["a"][0]["between"] == ["flight", "fare"]


def test_rules_for_slots(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.txt"
    after.write_text(SLOT_RULES.replace("oslo | boston", "oslo | rome | boston"), encoding="utf-8")
    svg = tmp_path / "out.svg"
    outcome = re2nn("diff", slot_rules, after, "--svg", svg)
    assert outcome.code == 1
    assert "to rome/B-to_city" in outcome.out
    assert "/ B-to_city" in svg.read_text(encoding="utf-8")
    data = re2nn("diff", slot_rules, after, "--slot", "day", "--json").data
    assert data["slots"]["to_city"]["only_b"] == {"words": ["to", "rome"], "tags": ["", "B-to_city"]}
    assert data["slots"]["day"]["verdict"] == "equivalent"


def test_texts_whose_spans_change(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    after, data = tmp_path / "after.txt", tmp_path / "texts.txt"
    after.write_text(SLOT_RULES.replace("oslo | boston", "oslo | rome | boston"), encoding="utf-8")
    data.write_text("to rome\nto oslo\nto rome\n", encoding="utf-8")
    moved = re2nn("diff", slot_rules, after, "--data", data, "--json").data["moved"]
    assert moved["list"] == [{"text": "to rome", "count": 2, "a": "(none)", "b": "to_city: rome"}]


def test_a_rule_that_no_file_has(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("diff", rules, other, "--rule", "prize")
    assert outcome.code == 2
    assert outcome.err == (
        f"Error: Neither {rules} nor {other} has a rule 'prize'. There are: to_city, any_flight, price, lunch.\n"
    )
    assert "has no rule 'lunch'" in re2nn("diff", rules, other, "--rule", "lunch", "--rule-b", "price").err
    assert "a label 'meat'" in re2nn("diff", rules, other, "--label", "meat").err


def test_a_rule_that_one_file_has(re2nn: Call, rules: Path, other: Path) -> None:
    assert "in B alone" in re2nn("diff", rules, other, "--rule", "lunch").out


def test_files_of_two_kinds(re2nn: Call, rules: Path, slot_rules: Path) -> None:
    outcome = re2nn("diff", rules, slot_rules)
    assert outcome.code == 2
    assert f"{rules} has rules for labels of whole texts, and {slot_rules} has rules for slots" in outcome.err
    assert "Give two rule files of one kind" in outcome.err


def test_a_machine_past_the_budget_leaves_the_rest(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text(AFTER.replace("price := $*", "price := ( a | b )* a ( a | b ){14} | $*"), encoding="utf-8")
    svg = tmp_path / "out.svg"
    outcome = re2nn("diff", rules, large, "--rule", "price", "--svg", svg)
    assert outcome.code == 1
    assert "No picture of 'price'. The machine of B is too large to be drawn" in outcome.err
    assert "needs more than 3,000 states" in outcome.out
    assert "different" in outcome.out
    assert not svg.exists()


def test_options_that_contradict_each_other(re2nn: Call, rules: Path, logic: Path, tmp_path: Path) -> None:
    assert "--rule and --label were both given" in re2nn("diff", rules, rules, "--rule", "x", "--label", "y").err
    assert "write --data FILE too" in re2nn("diff", rules, rules, "--logic-a", logic).err
    assert "there is no folder" in re2nn("diff", rules, rules, "--svg", tmp_path / "no" / "out.svg").err
