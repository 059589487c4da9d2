"""What `re2nn diff` says of sentences that rules of two labels match."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import RULES, Call

AFTER = RULES.replace("( flight | fly )", "( flight | fly | plane )").replace("fare | cost", "fare | price")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.txt"
    path.write_text(AFTER + "[meal]\nlunch := $* lunch $*\n", encoding="utf-8")
    return path


def test_overlaps_that_did_not_change_are_counted(re2nn: Call, rules: Path, other: Path) -> None:
    out = re2nn("diff", rules, other).out
    assert "Sentences for which two labels match, whether or not a text has them: 2 new.\n" in out
    assert "+ new  fare and meal" in out
    assert "flight and fare" not in out
    assert "1 pair is on both sides; --all-overlaps lists them, --logic-a FILE says which" in out
    every = re2nn("diff", rules, other, "--all-overlaps").out
    assert "= on both sides  flight and fare" in every
    assert "--all-overlaps" not in every


OVERLAP_BEFORE = "[flight]\nto := $* flight $*\n[food]\ndish := $* bread $*\nlunch := $* lunch $*\n"
OVERLAP_AFTER = OVERLAP_BEFORE.replace("dish := $* bread $*\n", "dish := $* bread and butter $*\n")


def test_a_sentence_that_overlaps_on_both_sides_is_true_on_both(re2nn: Call, tmp_path: Path) -> None:
    """`bread flight` is the shortest of A, and B reads it as flight alone."""
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text(OVERLAP_BEFORE, encoding="utf-8")
    after.write_text(OVERLAP_AFTER, encoding="utf-8")
    for files in ((before, after), (after, before)):
        [found] = re2nn("diff", *files, "--json").data["overlap_changes"]
        assert (found["came"], found["sentence"], found["sentence_in_a"]) == ("both", ["flight", "lunch"], None)
        assert found["rules"] == [["to"], ["lunch"]]
    out = re2nn("diff", before, after, "--all-overlaps").out
    assert re.search(r"= on both sides  flight and food  flight lunch  to / lunch\n", out)


def test_an_overlap_without_a_shared_sentence_has_one_for_each_side(re2nn: Call, tmp_path: Path) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text("[flight]\nto := x $\n[food]\ndish := $ a\n", encoding="utf-8")
    after.write_text("[flight]\nto := x $\n[food]\ndish := $ b\n", encoding="utf-8")
    out = re2nn("diff", before, after, "--all-overlaps").out
    assert re.search(r"= on both sides  flight and food  A: x a; B: x b  to / dish\n", out)
    [found] = re2nn("diff", before, after, "--json").data["overlap_changes"]
    assert (found["sentence_in_a"], found["sentence"]) == (["x", "a"], ["x", "b"])


def test_priorities_decide_overlaps(re2nn: Call, rules: Path, other: Path, tmp_path: Path) -> None:
    decides, silent = tmp_path / "decides.toml", tmp_path / "silent.toml"
    decides.write_text('priorities = ["fare > flight"]\n', encoding="utf-8")
    silent.write_text("", encoding="utf-8")
    out = re2nn("diff", rules, rules, "--logic-a", decides).out
    assert "1 pair is on both sides and decided by priorities or label logic; --all-overlaps lists them." in out
    assert "flight and fare" not in out
    assert "fare > flight" in re2nn("diff", rules, rules, "--logic-a", decides, "--all-overlaps").out
    undecided = re2nn("diff", rules, rules, "--logic-a", decides, "--logic-b", silent).out
    assert re.search(r"= on both sides  flight and fare .*A: fare > flight, B: nothing", undecided)
    found = re2nn("diff", rules, other, "--logic-a", decides, "--json").data["overlap_changes"]
    assert {tuple(one["between"]): (one["came"], one["decided_by"]) for one in found} == {
        ("flight", "meal"): ("new", {"a": None, "b": ""}),
        ("fare", "meal"): ("new", {"a": None, "b": ""}),
        ("flight", "fare"): ("both", {"a": "fare > flight", "b": "fare > flight"}),
    }
