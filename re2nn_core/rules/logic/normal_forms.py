"""Formulas in normal form, as two layers of clauses.

    joined by "or"    a clause is a conjunction of literals, the formula any of its clauses (disjunctive form)
    joined by "and"   a clause is a disjunction of literals, the formula all of its clauses (conjunctive form)

Both mean what the formula means. Clauses that are never decisive are left out: those with a literal and its opposite,
and those that hold all literals of another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from re2nn_core.rules.logic.formulas import And, Fact, Formula, Not, Or, facts

Join = Literal["or", "and"]
_Clause = frozenset[tuple[str, bool]]  # rule names, each with True for plain and False for negated
PAIRS = 100  # so many pairs of clauses for each clause of the budget are looked at, lest equal ones take for ever
_ALL_OR_NONE: _Clause = frozenset()  # a conjunction of nothing is true, a disjunction of nothing false


@dataclass(frozen=True)
class Clause:
    """The rules that stand plain and those that stand negated in one clause."""

    plain: frozenset[str]
    negated: frozenset[str]


@dataclass(frozen=True)
class NormalForm:
    """Clauses and how they are joined; inside a clause, literals are joined the other way."""

    joined: Join
    clauses: tuple[Clause, ...]


class _TooManyError(Exception):
    """A form on the way has more clauses than the budget allows."""


def normal_form(formula: Formula, budget: int) -> NormalForm | None:
    """The form of a formula; None where both forms pass `budget` clauses on the way.

    It is joined by "or" as long as that takes no more clauses than the formula names rules, so that one more rule is
    one more clause; otherwise it is the form with fewer clauses.
    """
    if (found := _form(formula, "or", min(budget, sum(1 for _ in facts(formula))))) is not None:
        return found
    either, all_of = _form(formula, "or", budget), _form(formula, "and", budget)
    forms = [form for form in (either, all_of) if form is not None]
    return min(forms, key=lambda form: len(form.clauses), default=None)


def _form(formula: Formula, joined: Join, budget: int) -> NormalForm | None:
    try:
        clauses = _conjunctions(formula, joined == "or", budget)
    except _TooManyError:
        return None
    # The conjunctive form is the disjunctive form of the opposite with every literal turned round.
    plain = joined == "or"
    return NormalForm(
        joined,
        tuple(
            Clause(
                frozenset(rule for rule, sign in clause if sign == plain),
                frozenset(rule for rule, sign in clause if sign != plain),
            )
            for clause in clauses
        ),
    )


def _conjunctions(formula: Formula, wanted: bool, budget: int) -> list[_Clause]:
    """The disjunctive form of a formula, or of its opposite where it is not `wanted`."""
    if isinstance(formula, Fact):
        return [frozenset({(formula.rule, wanted)})]
    if isinstance(formula, Not):
        return _conjunctions(formula.inner, not wanted, budget)
    parts = [_conjunctions(part, wanted, budget) for part in formula.parts]
    if isinstance(formula, Or if wanted else And):
        return _decisive((clause for part in parts for clause in part), budget)
    return reduce(lambda left, right: _product(left, right, budget), parts, [_ALL_OR_NONE])


def _product(left: list[_Clause], right: list[_Clause], budget: int) -> list[_Clause]:
    if len(left) * len(right) > PAIRS * budget:
        raise _TooManyError
    joined = (one | other for one in left for other in right)
    return _decisive((clause for clause in joined if not _contradicts(clause)), budget)


def _contradicts(clause: _Clause) -> bool:
    return any((rule, not sign) in clause for rule, sign in clause)


def _decisive(clauses: Iterable[_Clause], budget: int) -> list[_Clause]:
    """Each clause once, in order, smaller ones first, without those that hold all literals of a smaller one."""
    distinct: dict[_Clause, None] = {}
    for clause in clauses:
        distinct[clause] = None
        if len(distinct) > budget:
            raise _TooManyError
    if _ALL_OR_NONE in distinct:
        return [_ALL_OR_NONE]
    kept: list[_Clause] = []
    starting: defaultdict[tuple[str, bool], list[_Clause]] = defaultdict(list)
    for clause in sorted(distinct, key=len):
        if not any(smaller <= clause for literal in clause for smaller in starting[literal]):
            kept.append(clause)
            starting[min(clause)].append(clause)
    return kept
