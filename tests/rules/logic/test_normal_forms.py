"""Normal forms mean what the formula means, and are refused where they explode."""

from __future__ import annotations

import re
from itertools import product
from operator import not_

import pytest
from hypothesis import given, settings
from support.rules.strategies import formulas

from re2nn_core.rules.logic.formulas import NEVER, And, Fact, Formula, Not, Or, evaluate_formula
from re2nn_core.rules.logic.label_logic import parse_formula
from re2nn_core.rules.logic.normal_forms import Clause, NormalForm, normal_form

RULES = ("r", "s", "t", "u")
FIRED = [frozenset(rule for rule, hit in zip(RULES, hits, strict=True) if hit) for hits in product((0, 1), repeat=4)]


def form_of(text: str, budget: int = 100) -> NormalForm | None:
    formula, problems = parse_formula(text, sorted(set(re.findall(r"\w+", text))))
    assert problems == []
    return normal_form(formula, budget)


def holds(form: NormalForm, matched: frozenset[str]) -> bool:
    """The definition, clause by clause."""
    inside, outside = (all, any) if form.joined == "or" else (any, all)
    return outside(
        inside([*(rule in matched for rule in clause.plain), *(rule not in matched for rule in clause.negated)])
        for clause in form.clauses
    )


def clause(plain: str = "", negated: str = "") -> Clause:
    return Clause(frozenset(plain.split()), frozenset(negated.split()))


@settings(max_examples=200, deadline=None)
@given(formulas(RULES))
def test_a_form_means_what_the_formula_means(formula: Formula) -> None:
    form = normal_form(formula, 1000)
    assert form is not None
    for matched in FIRED:
        assert holds(form, matched) == evaluate_formula(formula, matched.__contains__, never=False, negate=not_)


@pytest.mark.parametrize(
    ("text", "joined", "clauses"),
    [
        ("r", "or", [clause("r")]),
        ("!r", "or", [clause(negated="r")]),
        ("r | s | t", "or", [clause("r"), clause("s"), clause("t")]),
        ("(r | s) & !t", "or", [clause("r", "t"), clause("s", "t")]),
        ("!(r | s)", "or", [clause(negated="r s")]),
        ("r & s & !t", "or", [clause("r s", "t")]),
        ("(r | s) & (t | u) & (a | b)", "and", [clause("r s"), clause("t u"), clause("a b")]),
        ("r & (r | s)", "or", [clause("r")]),
        ("r & !r", "or", []),
        ("(r & !r) | s", "or", [clause("s")]),
        ("r | r", "or", [clause("r")]),
    ],
)
def test_forms_are_short(text: str, joined: str, clauses: list[Clause]) -> None:
    form = form_of(text)
    assert form is not None
    assert (form.joined, form.clauses) == (joined, tuple(clauses))


def test_constants_have_forms() -> None:
    never, always = normal_form(NEVER, 10), normal_form(Not(NEVER), 10)
    assert never == NormalForm("or", ())
    assert always is not None
    assert holds(always, frozenset())


def pairs(joined: str, inside: str, count: int) -> str:
    return f" {joined} ".join(f"(a{number} {inside} b{number})" for number in range(count))


def test_the_shorter_form_is_taken_where_the_other_explodes() -> None:
    for text, joined in ((pairs("&", "|", 40), "and"), (pairs("|", "&", 40), "or")):
        form = form_of(text, 1000)
        assert form is not None
        assert (form.joined, len(form.clauses)) == (joined, 40)


def test_a_formula_that_explodes_both_ways_has_no_form() -> None:
    text = f"({pairs('|', '&', 15)}) & ({pairs('&', '|', 15).replace('a', 'c').replace('b', 'd')})"
    assert form_of(text, 1000) is None


def test_a_product_of_many_pairs_is_given_up_for_the_other_form() -> None:
    """The disjunctive form has 90,000 clauses, the conjunctive one four."""
    left, right = (Or(tuple(And((Fact(f"{name}{n}"), Fact(name))) for n in range(300))) for name in "ab")
    form = normal_form(And((left, right)), 10_000)
    assert form is not None
    assert (form.joined, len(form.clauses)) == ("and", 4)


def test_a_large_disjunction_stays_rule_by_rule() -> None:
    form = normal_form(Or(tuple(Fact(f"r{number}") for number in range(5000))), 10_000)
    assert form is not None
    assert (form.joined, len(form.clauses)) == ("or", 5000)
