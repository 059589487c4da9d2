"""Label logic after an edit of the rules: with that of further rules, or without some of its rules.

Further logic only adds (Jiang et al., EMNLP 2020, section 6): what is given for a label that was there before is one
more way to it, priorities stand behind the old ones, and no other label's formula changes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from re2nn_core.errors import InputError
from re2nn_core.files import read_toml
from re2nn_core.rules.logic.decisions import find_circle
from re2nn_core.rules.logic.formulas import NEVER, And, Fact, Formula, Not, conjunction, disjunction, facts
from re2nn_core.rules.logic.label_logic import LabelLogic, read_logic
from re2nn_core.rules.ruleset import Rule, RuleSet


def logic_with(logic: LabelLogic, text: str, ruleset: RuleSet, added: Sequence[Rule], *, file: str) -> LabelLogic:
    """The logic with that of the `added` rules of `ruleset`, which holds the old rules too. `text` is TOML and may name
    rules of both; a label that it gives no formula for is any of its rules, as everywhere.

    LogicError with every fault of the text; InputError where its priorities run in a circle with the old ones, or some
    of it is to predict first.
    """
    new = read_logic(text, ruleset, format="toml", file=file, labels=logic.labels)
    values = read_toml(text)
    if values.get("first"):
        raise InputError(
            f"{file}: 'first' overrides labels that the network has learned, but added rules must not.\n"
            "Write it as logic: m1 -> a. Or put it in the project's label logic, and train again."
        )
    given = {line.rpartition("->")[2].strip() for line in values.get("logic", [])}
    old = dict(zip(logic.labels, logic.formulas, strict=True))
    formulas = []
    for label, formula in zip(new.labels, new.formulas, strict=True):
        more = [formula] if label in given else [Fact(rule.name) for rule in added if rule.label == label]
        before = [] if old.get(label, NEVER) == NEVER else [old[label]]
        formulas.append(disjunction([*before, *more]))
    priorities = tuple(dict.fromkeys([*logic.priorities, *new.priorities]))
    if circle := find_circle(priorities):
        raise InputError(
            f"The priorities of the new rules form a cycle with those of the model: {' > '.join(circle)}.\n"
            "Remove one of the new priorities."
        )
    return LabelLogic(new.labels, tuple(formulas), priorities, new.default or logic.default)


def logic_without(logic: LabelLogic, names: Collection[str]) -> LabelLogic:
    """The logic where these rules never accept. InputError where a label would then always be true, or no rule would
    speak for any label."""
    formulas = []
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        left = _without(formula, names)
        if left is True:
            removed = ", ".join(repr(name) for name in dict.fromkeys(facts(formula)) if name in names)
            raise InputError(
                f"Without {removed} the label {label!r} would be true for every text, since its logic asks for nothing "
                "else.\nChange the label logic first."
            )
        formulas.append(NEVER if left is False else left)
    without = LabelLogic(logic.labels, tuple(formulas), logic.priorities, logic.default)
    if not without.rules:
        raise InputError(
            f"Without {', '.join(map(repr, names))} no rule would be left; a model needs at least one.\n"
            "Keep one of its rules enabled, or add another rule first."
        )
    return without


def _without(formula: Formula, names: Collection[str]) -> Formula | bool:
    """The formula where the rules never accept: simplified, or True or False where nothing is left."""
    if isinstance(formula, Fact):
        return False if formula.rule in names else formula
    if isinstance(formula, Not):
        inner = _without(formula.inner, names)
        return (not inner) if isinstance(inner, bool) else Not(inner)
    parts = [_without(part, names) for part in formula.parts]
    decisive = not isinstance(formula, And)  # one true part decides an "or", one false part an "and"
    if any(part is decisive for part in parts):
        return decisive
    rest = [part for part in parts if not isinstance(part, bool)]
    if not rest:
        return not decisive
    return disjunction(rest) if decisive else conjunction(rest)
