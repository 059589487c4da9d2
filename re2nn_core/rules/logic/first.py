"""Formulas that predict first: where one of them is true, no other formula of any label counts.

    label = its first formula  |  no first formula of another label  &  its formula

Label logic knows only one formula a label, so this is a short way to write many long ones; `first_apart` finds it again
in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from re2nn_core.rules.logic.decisions import LabelLogic
from re2nn_core.rules.logic.formulas import NEVER, And, Fact, Formula, Not, Or, conjunction, disjunction


def deciding_first(logic: LabelLogic, first: Mapping[str, Formula]) -> LabelLogic:
    """The logic in which the `first` formulas, by label, predict before all others."""
    formulas = []
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        others = [first[other] for other in logic.labels if other in first and other != label]
        silent = [Not(disjunction(others))] if others else []
        before = [] if formula == NEVER else [conjunction([*silent, formula])]
        formulas.append(disjunction([*([first[label]] if label in first else []), *before]))
    return replace(logic, formulas=tuple(formulas))


def predicts_first(logic: LabelLogic, rule: str, label: str) -> bool:
    """Whether a rule of a label keeps the formulas of other labels silent."""
    others = (formula for other, formula in zip(logic.labels, logic.formulas, strict=True) if other != label)
    return any(rule in negated_rules(formula) for formula in others)


def negated_rules(formula: Formula, *, under: bool = False) -> Iterator[str]:
    """The rules that keep a formula from being true where they match."""
    if isinstance(formula, Fact):
        yield from (formula.rule,) if under else ()
    elif isinstance(formula, Not):
        yield from negated_rules(formula.inner, under=not under)
    else:
        for part in formula.parts:
            yield from negated_rules(part, under=under)


def without_facts(formula: Formula, removed: Formula | None) -> Formula:
    """A disjunction of rules less those that another one names; any other formula as it is."""
    parts = formula.parts if isinstance(formula, Or) else (formula,)
    if removed is None or not all(isinstance(part, Fact) for part in parts):
        return formula
    named = removed.parts if isinstance(removed, Or) else (removed,)
    return disjunction([part for part in parts if part not in named])


def first_apart(logic: LabelLogic) -> tuple[dict[str, Formula], LabelLogic]:
    """What `deciding_first` made of which logic, where rules alone predict first; nothing, and the logic as it is,
    where it made nothing of any."""
    names = {name for formula in logic.formulas for name in _kept_silent_by(formula)}
    first: dict[str, Formula] = {}
    rest = []
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        parts = formula.parts if isinstance(formula, Or) else (formula,)
        own = [part for part in parts if isinstance(part, Fact) and part.rule in names]
        if own:
            first[label] = disjunction(list(own))
        rest.append(disjunction([_not_silenced(part) for part in parts[len(own) :]]))
    apart = replace(logic, formulas=tuple(rest))
    if names and deciding_first(apart, first) == logic:
        return first, apart
    return {}, logic


def _kept_silent_by(formula: Formula) -> tuple[str, ...]:
    """The rules that keep the last part of a formula silent; none where it is of another form."""
    last = formula.parts[-1] if isinstance(formula, Or) and formula.parts else formula
    if not isinstance(last, And) or not isinstance(last.parts[0], Not):
        return ()
    inner = last.parts[0].inner
    parts = inner.parts if isinstance(inner, Or) else (inner,)
    return tuple(part.rule for part in parts if isinstance(part, Fact))


def _not_silenced(formula: Formula) -> Formula:
    """A conjunction less its first part, where that is a negated one."""
    if isinstance(formula, And) and isinstance(formula.parts[0], Not):
        return conjunction(list(formula.parts[1:]))
    return formula
