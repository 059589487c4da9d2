"""Machines to look at: sizes, refusals, sentences in both forms."""

from __future__ import annotations

import pytest

from re2nn_core.errors import InputError
from re2nn_core.rules.read import read_rules
from re2nn_core.services.automaton_views.classification.views import expected_symbols, trace, view_label, view_rule

RULES = read_rules("@c@=( rome | paris )\n[a]\none := $* to @c@ BOS?\ntwo := x y z\n[b]\nthree := $* % $*\n").ruleset


def test_sizes_from_expression_to_rank() -> None:
    view = view_rule(RULES, "two")
    assert {size.stage: size.count for size in view.sizes} == {
        "expression": 4,
        "positions": 3,
        "states": 4,
        "arcs": 3,
        "exact states": 4,
        "rank": 3,
    }
    assert view.expression == "x y z"


def test_a_label_joins_its_rules() -> None:
    view = view_label(RULES, "a")
    assert view.pseudo is not None
    assert view.pseudo.accepts(["x", "y", "z"])
    assert view.pseudo.accepts(["go", "to", "rome"])


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(InputError, match="no rule 'four'. The rules are: one, two, three"):
        view_rule(RULES, "four")
    with pytest.raises(InputError, match="No rule has the label 'c'. The labels are: a, b"):
        view_label(RULES, "c")


@pytest.mark.parametrize("form", ["pseudo", "exact"])
def test_both_forms_die_at_the_same_word(form: str) -> None:
    machine = getattr(view_rule(RULES, "two"), form)
    found = trace(machine, ["x", "q", "z"])
    assert (found.accepted, found.died_at, found.steps[-1].alive) == (False, 1, ())
    assert expected_symbols(machine, found.steps[1].alive) == ["y"]
    assert trace(machine, ["x", "y", "z"]).accepted
    assert not trace(machine, ["x", "y"]).accepted


def test_past_the_budget_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re2nn_core.services.automaton_views.classification.views.VIEW_BUDGET", 2)
    view = view_rule(RULES, "two")
    assert view.pseudo is None
    assert view.exact is None
    assert "rule 'two' needs more than 2 states" in view.pseudo_refusal
    assert {size.stage: size.count for size in view.sizes}["states"] is None
