"""Propositional formulas over rule names: what a label needs of its rules.

    formula = conjunction { "|" conjunction }
    conjunction = literal { "&" literal }
    literal = "!" literal | "(" formula ")" | the name of a rule        (formula_parser.py reads them)

A formula says nothing of words: a name is true for a sentence when the rule of that name accepts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TypeVar

Truth = TypeVar("Truth")


@dataclass(frozen=True)
class Fact:
    """True when the rule accepts the sentence."""

    rule: str


@dataclass(frozen=True)
class Not:
    inner: Formula


@dataclass(frozen=True)
class And:
    """All of two or more parts, none of them an And."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or:
    """Any of two or more parts, none of them an Or; without parts it is never true."""

    parts: tuple[Formula, ...]


Formula = Fact | Not | And | Or
NEVER = Or(())


def conjunction(parts: list[Formula]) -> Formula:
    """All of the parts, flattened; the part itself for one."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: list[Formula]) -> Formula:
    """Any of the parts, flattened; the part itself for one, NEVER for none."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def facts(formula: Formula) -> Iterator[str]:
    """The names in a formula, from left to right, as often as they stand there."""
    if isinstance(formula, Fact):
        yield formula.rule
    elif isinstance(formula, Not):
        yield from facts(formula.inner)
    else:
        for part in formula.parts:
            yield from facts(part)


def evaluate_formula(
    formula: Formula, truth: Callable[[str], Truth], *, never: Truth, negate: Callable[[Truth], Truth]
) -> Truth:
    """The value of a formula, for truth values that know `&` and `|`: single ones or whole columns."""
    if isinstance(formula, Fact):
        return truth(formula.rule)
    if isinstance(formula, Not):
        return negate(evaluate_formula(formula.inner, truth, never=never, negate=negate))
    values = [evaluate_formula(part, truth, never=never, negate=negate) for part in formula.parts]
    return reduce(and_ if isinstance(formula, And) else or_, values) if values else never


def print_formula(formula: Formula) -> str:
    """The text of a formula; `parse_formula` reads it as the same formula. ValueError for NEVER."""
    if isinstance(formula, Fact):
        return formula.rule
    if isinstance(formula, Not):
        return "!" + _operand(formula.inner, (And, Or))
    if not formula.parts:
        raise ValueError("a formula that is never true has no text: leave its label without a formula")
    if isinstance(formula, And):
        return " & ".join(_operand(part, (Or,)) for part in formula.parts)
    return " | ".join(print_formula(part) for part in formula.parts)


def _operand(formula: Formula, grouped: tuple[type, ...]) -> str:
    text = print_formula(formula)
    return f"({text})" if isinstance(formula, grouped) else text
