"""Formulas that predict first: what they say, and that the short text and the long formulas are one logic."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.errors import LogicError
from re2nn_core.rules.logic.first import deciding_first, first_apart
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_labels, print_formula, read_logic, write_logic
from re2nn_core.rules.read import read_rules

RULES = read_rules(
    "[fly]\ngo := $* fly $*\nfly.new := $* plane $*\n[pay]\ncost := $* cost $*\nfee := $* fee $*\n"
    "pay.new := $* price $*\n[see]\nsight := $* see $*\n"
).ruleset
NAMES = [rule.name for rule in RULES.rules]
FIRST = ["fly.new -> fly", "pay.new -> pay"]


def logic_of(text: str) -> LabelLogic:
    return read_logic(text, RULES, format="toml")


def listed(first: list[str], *more: str) -> str:
    return "\n".join([f"first = {first!r}", *more]) + "\n"


def test_a_first_rule_silences_the_others_and_its_own_label_needs_no_more():
    logic = logic_of(listed(FIRST))
    assert [print_formula(formula) for formula in logic.formulas] == [
        "fly.new | !pay.new & go",
        "pay.new | !fly.new & (cost | fee)",
        "!(fly.new | pay.new) & sight",
    ]
    assert decide_labels(logic, ["fly.new", "cost", "sight"]).label == "fly"
    assert decide_labels(logic, ["cost", "sight"]).label == "pay"


def test_where_two_predict_first_priorities_decide_labels():
    logic = logic_of(listed(FIRST, 'priorities = ["pay > fly"]'))
    assert decide_labels(logic, ["fly.new", "pay.new", "go"]).label == "pay"


def by_hand(logic: LabelLogic, plain: LabelLogic, matched: frozenset[str]) -> str | None:
    """What the words above say: the first rules that accept decide alone, if there are any."""
    first = matched & {"fly.new", "pay.new"}
    return decide_labels(plain, first or matched).label


@given(st.frozensets(st.sampled_from(NAMES)), st.sampled_from(["", 'priorities = ["pay > fly", "see > pay"]']))
@settings(max_examples=200, deadline=None)
def test_the_logic_is_what_its_words_say(matched, more):
    logic, plain = logic_of(listed(FIRST, more)), logic_of(more)
    assert decide_labels(logic, matched).label == by_hand(logic, plain, matched)


@pytest.mark.parametrize(
    "text",
    [
        listed(FIRST),
        listed(["fly.new -> fly"], 'default = "see"'),
        listed(["pay.new | fee -> pay"], 'logic = ["go & !fly.new -> fly"]'),
        # All that the label has: its other rules do not count.
        listed(["pay.new -> pay"], 'logic = ["pay.new -> pay"]'),
        listed(["sight -> see"]),
        listed(["pay.new & fee -> pay"]),
        'logic = ["fly.new | !(pay.new | cost) & go -> fly"]',
    ],
)
def test_what_is_written_is_read_as_the_same_formulas(text):
    logic = logic_of(text)
    assert logic_of(write_logic(logic)) == logic


def test_the_long_formulas_are_written_short():
    logic = logic_of(listed(FIRST))
    assert 'first = [\n    "fly.new -> fly",\n    "pay.new -> pay",\n]' in write_logic(logic)
    first, apart = first_apart(logic)
    assert list(first) == ["fly", "pay"]
    assert deciding_first(apart, first) == logic


def test_formulas_of_another_form_stay():
    logic = logic_of('logic = ["fly.new | !pay.new & go -> fly"]')
    assert first_apart(logic) == ({}, logic)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('first = ["flynew -> fly"]', "there is no rule 'flynew'"),
        ('first = ["fly.new"]', "the formula does not say which label it is for"),
        ('first = "fly.new -> fly"', "'first' is no list of texts"),
        ('first = ["fly.new -> fly", "go -> fly"]', "the label 'fly' has a formula already"),
    ],
)
def test_faults_are_told(text, said):
    with pytest.raises(LogicError) as caught:
        logic_of(text)
    assert said in str(caught.value)
