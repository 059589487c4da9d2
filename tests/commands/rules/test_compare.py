"""re2nn compare: the same sentences, or shortest witnesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import RULES, Call

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.rules.read import read_rules


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Like `rules`, except that `flight` needs no `to` and that there is no `fare`."""
    path = tmp_path / "other.txt"
    path.write_text("[flight]\nto_city := $* ( flight | fly ) $*\n[meal]\n$* lunch $*\n", encoding="utf-8")
    return path


def test_a_file_is_equivalent_to_itself_however_written(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.txt"
    again.write_text(RULES.replace("( flight | fly ) $* to", "( fly $* to | flight $* to )"), encoding="utf-8")
    outcome = re2nn("compare", rules, again)
    assert outcome.code == 0
    assert outcome.out == f"Equivalent: {rules} and {again} accept the same sentences for all 2 labels.\n"
    data = re2nn("compare", rules, again, "--json").data
    same = {"equivalent": True, "only_left": None, "only_right": None}
    assert data == {**same, "labels": {"flight": same, "fare": same}}


def test_witnesses_are_shortest_and_true(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("compare", rules, other, "--json")
    assert outcome.code == 1
    labels = outcome.data["labels"]
    assert list(labels) == ["flight", "fare", "meal"]
    assert labels["flight"]["only_left"] == ["flights"]
    assert len(labels["flight"]["only_right"]) == 1
    assert labels["fare"]["only_right"] is None
    assert len(labels["fare"]["only_left"]) == 1
    assert (labels["meal"]["only_left"], labels["meal"]["only_right"]) == (None, ["lunch"])
    assert (len(outcome.data["only_left"]), len(outcome.data["only_right"])) == (1, 1)
    right = read_rules(other.read_text(encoding="utf-8")).ruleset.rules[0]
    assert accepts(build_positions(right.expanded), labels["flight"]["only_right"])


def test_text_is_a_table_of_the_labels_that_differ(re2nn: Call, rules: Path, other: Path) -> None:
    out = re2nn("compare", rules, other).out
    assert out.startswith("Not equivalent: 3 labels of 3 differ. A shortest sentence that only one side accepts:\n")
    assert out.splitlines()[-1].split()[0] == "meal"


def test_two_rules(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("compare", rules, other, "--rule-a", "to_city")
    assert outcome.code == 1
    assert f"only rule 'to_city' of {other}:" in outcome.out
    data = re2nn("compare", rules, rules, "--rule-a", "price", "--rule-b", "any_flight", "--json").data
    assert (data["equivalent"], data["labels"]) == (False, {})
    assert data["only_right"] == ["flights"]


def test_rule_that_does_not_exist(re2nn: Call, rules: Path) -> None:
    outcome = re2nn("compare", rules, rules, "--rule-a", "prize")
    assert outcome.code == 2
    assert outcome.err == (f"Error: {rules} has no rule 'prize'. Its rules are: to_city, any_flight, price.\n")


def test_the_sentence_without_a_word_is_a_witness(re2nn: Call, tmp_path: Path) -> None:
    for name, rule in (("a.txt", "$*"), ("b.txt", "$+")):
        (tmp_path / name).write_text(f"[any]\n{rule}\n", encoding="utf-8")
    outcome = re2nn("compare", tmp_path / "a.txt", tmp_path / "b.txt")
    assert "(the empty sentence)" in outcome.out
    assert re2nn("compare", tmp_path / "a.txt", tmp_path / "b.txt", "--json").data["only_left"] == []
