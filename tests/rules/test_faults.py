"""Every bad rule of testdata/faults.toml, and what is said of it and where."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import RuleError
from re2nn_core.rules.parser import MAX_NESTING, parse_expression
from re2nn_core.rules.read import read_rules

TABLE = tomllib.loads((Path(__file__).parents[1] / "testdata" / "faults.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", TABLE["fault"], ids=lambda row: row["rule"])
def test_fault(row: dict[str, Any]) -> None:
    text = f"[label]\n{row['rule']}\n"
    with pytest.raises(RuleError) as caught:
        read_rules(text)
    fault = caught.value.faults[0]
    line = row.get("line", 2)
    assert (fault.line, fault.column, fault.width) == (line, row["column"], row.get("width", 1))
    assert row["message"] in fault.message
    assert row["advice"] in fault.advice
    assert fault.source == text.split("\n")[line - 1]
    assert len(caught.value.faults) == row.get("faults", 1), str(caught.value)


def test_message_as_people_see_it() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("[book]\nbook_flight := ( book | reserve {2 ) a flight", file="my.rules")
    assert str(caught.value) == (
        "my.rules:2:33: rule 'book_flight': '{2' has no closing brace\n"
        "    book_flight := ( book | reserve {2 ) a flight\n"
        "                                    ^^\n"
        "Write a repeat count as {2}, {2,} or {2,5}."
    )


def test_all_faults_of_a_file_are_in_the_order_of_their_lines() -> None:
    text = "( above\n[]\n* a\n[ok]\nx := y\n@c@=( a | )\n[bad\n@d@ )\nx := z\n"
    with pytest.raises(RuleError) as caught:
        read_rules(text)
    found = [(fault.line, fault.column, fault.message) for fault in caught.value.faults]
    assert found == [
        (1, 1, "the rule is above the first section, so it has no label"),
        (1, 1, "'(' is never closed"),
        (2, 1, "the section has no label"),
        (3, 1, "'*' has nothing before it to repeat"),
        (6, 9, "an alternative is empty"),
        (7, 1, "'[' is never closed"),
        (8, 1, "the class '@d@' is not known here"),
        (8, 5, "')' closes nothing"),
        (9, 1, "the name 'x' is taken by the rule in line 5"),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "// only a comment", "[label]\n", "@a@=(b)"])
def test_a_file_without_rules(text: str) -> None:
    with pytest.raises(RuleError, match="there is no rule here") as caught:
        read_rules(text)
    assert "Write a section and a rule below it" in caught.value.faults[0].advice


@pytest.mark.parametrize("depth", [MAX_NESTING + 1, 201, 5000])
@pytest.mark.parametrize("opener", ["(", "[ "])
def test_deep_nesting_is_a_fault(depth: int, opener: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_expression(opener * depth + "a" + ")" * depth)
    assert any("nested groups" in fault.message for fault in caught.value.faults)
    assert "Name the inner part as a class" in caught.value.faults[-1].advice


def test_the_deepest_rule_works() -> None:
    text = "x ( a | b " * MAX_NESTING + ")*" * MAX_NESTING
    ruleset = read_rules(f"[deep]\n{text.upper()}\n").ruleset
    assert ruleset.words == {"a", "b", "x"}


def test_classes_of_classes_may_not_multiply_for_ever() -> None:
    lines = ["@c0@=( a | b )"]
    lines += [f"@c{n}@=( {f'@c{n - 1}@ ' * 10})" for n in range(1, 9)]
    with pytest.raises(RuleError, match="with its classes put in, this has 3[0-9,]+ words") as caught:
        read_rules("\n".join([*lines, "[a]", "@c8@"]))
    assert "Classes inside classes multiply" in caught.value.faults[0].advice


def test_classes_of_classes_may_not_nest_for_ever() -> None:
    lines = ["@c0@=( a b )*"]
    lines += [f"@c{n}@=( x ( y @c{n - 1}@ )* )*" for n in range(1, 300)]
    with pytest.raises(RuleError, match="too many levels"):
        read_rules("\n".join([*lines, "[a]", "@c299@"]))


@pytest.mark.parametrize("text", ["", "  ", "// note"])
def test_an_empty_expression(text: str) -> None:
    with pytest.raises(RuleError, match="there is no expression here"):
        parse_expression(text)


def test_a_rule_without_a_label_is_given_no_name_that_nobody_wrote() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("refund: money\\s+back\nmine := ( oslo\n")
    assert [fault.where for fault in caught.value.faults] == ["", "", "rule 'mine'"]


def test_of_very_many_faults_the_message_shows_the_first() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("text,label\n" + '"where is it",delivery\n' * 60)
    assert len(caught.value.faults) == 121
    assert str(caught.value).count("Put a blank between two words") == 9
    assert str(caught.value).endswith("\n\n... and 101 more.")


def test_faults_of_an_expression_over_several_lines() -> None:
    with pytest.raises(RuleError) as caught:
        parse_expression("( a\n| ) b {3,2}\n* c", file="editor")
    places = [(fault.file, fault.line, fault.column) for fault in caught.value.faults]
    assert places == [("editor", 2, 1), ("editor", 2, 7)]


def test_tabs_keep_the_caret_in_place() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("[a]\n\t( x\t")
    assert caught.value.faults[0].render().split("\n")[2] == "    \t^"
