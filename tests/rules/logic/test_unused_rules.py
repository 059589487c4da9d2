"""Rules that no formula names: which they are, where they are reported, and how a formula takes one in."""

from __future__ import annotations

import json

import pytest

from re2nn_core.rules.logic.label_logic import read_logic
from re2nn_core.rules.logic.unused_rules import LabelFormula, unused_rule_warnings, unused_rules, with_rule_in_formula
from re2nn_core.rules.read import read_rules

RULES = """\
[spam]
prize := $* prize $*
  bingo := $* bingo $*
[ham]
code := $* code $*
$* hello $*
"""
RULESET = read_rules(RULES).ruleset


@pytest.mark.parametrize(
    ("logic", "unused"),
    [
        ("", []),  # a label without a formula is any of its rules
        ('logic = ["prize -> spam"]', ["bingo"]),
        ('logic = ["prize & !bingo -> spam"]', []),  # a veto counts, too
        ('logic = ["prize -> spam", "code & bingo -> ham"]', ["ham.2"]),  # the formula of another label names it
        ('logic = ["code -> spam"]', ["prize", "bingo"]),  # its label is never theirs
        ('logic = ["prize -> spam"]\nfirst = ["bingo -> ham"]', []),
        ('first = ["bingo -> spam"]', []),
        ('logic = ["prize -> spam", "code -> ham"]', ["bingo", "ham.2"]),
    ],
)
def test_rules_that_no_formula_names(logic: str, unused: list[str]) -> None:
    read = read_logic(logic, RULESET, format="toml")
    assert [rule.name for rule in unused_rules(RULESET, read)] == unused


def test_a_warning_says_which_formula_and_what_to_write() -> None:
    logic = '# why\ndefault = "ham"\nlogic = [\n  "prize & !code -> spam",\n  "code -> ham",\n]\n'
    found = unused_rule_warnings(
        RULESET, read_logic(logic, RULESET, format="toml"), logic, file="r", logic_file="l.toml"
    )
    assert [(f.line, f.column, f.width, f.where, f.message, f.advice) for f in found] == [
        (
            3,
            3,
            5,
            "rule 'bingo'",
            "the rule changes nothing: 'spam' is decided by its formula (l.toml, line 4), which does not name it",
            "Add it to the formula: (prize | bingo) & !code -> spam.",
        ),
        (
            6,
            1,
            11,
            "rule 'ham.2'",
            "the rule changes nothing: 'ham' is decided by its formula (l.toml, line 5), which does not name it",
            "Add it to the formula: code | ham.2 -> ham.",
        ),
    ]


def test_label_logic_in_json_and_long_formulas() -> None:
    formula = " | ".join(["prize"] * 40)
    logic = json.dumps({"default": "ham", "logic": [f"{formula} -> spam"]}, indent=1)
    read = read_logic(logic, RULESET, format="json")
    (found,) = unused_rule_warnings(RULESET, read, logic, file="r", logic_file="logic.json")
    assert "(logic.json, line 4)" in found.message
    assert found.advice.startswith("Add it to the formula: prize | prize | prize")
    assert " ... " in found.advice
    assert found.advice.endswith("| prize | bingo -> spam.")


def test_a_long_formula_shows_the_rule_before_its_vetoes() -> None:
    formula = LabelFormula("", f"({' | '.join(['prize'] * 40)}) & !code", 1)
    assert formula.in_short("bingo").endswith("prize | prize | bingo) & !code")
    many = LabelFormula("", f"({' | '.join(['prize'] * 40)}) & {' & '.join(['!code'] * 40)}", 1)
    assert "prize | bingo) & !code" in many.in_short("bingo")
    assert len(many.in_short("bingo")) < 140


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("prize -> spam", "prize | new -> spam"),
        ("prize | code -> spam", "prize | code | new -> spam"),
        ("(prize | code) & !bingo -> spam", "(prize | code | new) & !bingo -> spam"),  # vetoed as the others
        ("prize & !bingo -> spam", "(prize | new) & !bingo -> spam"),
        ("prize & code -> spam", "(prize & code) | new -> spam"),
        ("(prize | code) & bingo & !x -> spam", "((prize | code) & bingo & !x) | new -> spam"),
        ("(prize & (code | x)) & !bingo -> spam", "((prize & (code | x)) & !bingo) | new -> spam"),
        ("!code & !bingo -> spam", "(!code & !bingo) | new -> spam"),
        (
            "((prize | code) & !bingo) | x->spam",
            "((prize | code) & !bingo) | x | new -> spam",
        ),  # no further parentheses
        ("!code -> spam", "!code | new -> spam"),
        ("prize & new -> spam", "prize & new -> spam"),  # named already
        ("prize -> ham", "prize -> ham"),  # of another label
    ],
)
def test_a_formula_takes_a_rule_in(before: str, after: str) -> None:
    text = f'# kept\nlogic = [\n    "{before}",  # why\n]\n'
    assert with_rule_in_formula(text, "new", "spam") == text.replace(before, after)


def test_no_label_logic_stays_as_it_is() -> None:
    assert with_rule_in_formula("", "new", "spam") == ""


def test_a_formula_that_took_a_rule_in_names_it() -> None:
    logic = 'logic = ["prize & !code -> spam"]'
    after = with_rule_in_formula(logic, "bingo", "spam")
    assert not unused_rules(RULESET, read_logic(after, RULESET, format="toml"))
