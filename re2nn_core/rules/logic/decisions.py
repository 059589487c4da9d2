"""From the rules that accept a sentence to its label.

A label is active when its formula is true and no label whose formula is true has priority over it. The prediction
is the first active label in the order of the labels, else the default label, else none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from operator import invert, not_

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.formulas import Fact, Formula, disjunction, evaluate_formula, facts
from re2nn_core.rules.ruleset import RuleSet


@dataclass(frozen=True)
class LabelLogic:
    """One formula for each label; `priorities` are pairs (stronger, weaker) without a circle."""

    labels: tuple[str, ...]
    formulas: tuple[Formula, ...]
    priorities: tuple[tuple[str, str], ...] = ()
    default: str | None = None

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.formulas):
            raise ValueError(f"{len(self.labels)} labels need as many formulas (got {len(self.formulas)})")
        known = frozenset(self.labels)
        if len(known) != len(self.labels):
            raise ValueError("each label must be listed once")
        named = {label for pair in self.priorities for label in pair}
        if self.default is not None:
            named.add(self.default)
        if named - known:
            raise ValueError(f"these are not among the labels: {', '.join(sorted(named - known))}")
        if circle := find_circle(self.priorities):
            raise ValueError(f"priorities must not form a cycle (got {' > '.join(circle)})")

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that some formula names, in the order of their first mention."""
        return tuple(dict.fromkeys(rule for formula in self.formulas for rule in facts(formula)))


@dataclass(frozen=True)
class Decision:
    """The prediction for one sentence, its `active` labels, and those `beaten` by one with priority over them."""

    label: str | None
    active: tuple[str, ...]
    beaten: tuple[str, ...]


def default_logic(ruleset: RuleSet) -> LabelLogic:
    """Every label is the disjunction of its rules; no priorities and no default label."""
    rules_of: dict[str, list[Formula]] = {label: [] for label in ruleset.labels}
    for rule in ruleset.rules:
        rules_of[rule.label].append(Fact(rule.name))
    return LabelLogic(ruleset.labels, tuple(disjunction(rules) for rules in rules_of.values()))


def find_circle(priorities: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Labels of which each has priority over the next, the first again at the end; else empty."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for stronger, weaker in priorities:
        sorter.add(weaker, stronger)
    try:
        sorter.prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return tuple(circle)
    return ()


def decide_labels(logic: LabelLogic, matched: Collection[str]) -> Decision:
    """The prediction for a sentence that the rules named in `matched` accept."""
    matched = frozenset(matched)
    true = frozenset(
        label
        for label, formula in zip(logic.labels, logic.formulas, strict=True)
        if evaluate_formula(formula, matched.__contains__, never=False, negate=not_)
    )
    weaker = frozenset(weak for strong, weak in logic.priorities if strong in true)
    active = tuple(label for label in logic.labels if label in true and label not in weaker)
    beaten = tuple(label for label in logic.labels if label in true and label in weaker)
    return Decision(active[0] if active else logic.default, active, beaten)


def decide_all(logic: LabelLogic, rule_names: Sequence[str], matched: NDArray[np.bool_]) -> NDArray[np.int64]:
    """`decide_labels` for many sentences: the number of each one's label, -1 for no prediction.

    `matched` is [sentences, rules], its columns in the order of `rule_names`.
    """
    column = {name: number for number, name in enumerate(rule_names)}
    unknown = [name for name in logic.rules if name not in column]
    if unknown or matched.shape[1:] != (len(column),):
        raise ValueError(
            f"`matched` must have one column for each of {len(column)} rules, and all that the logic names "
            f"(got shape {matched.shape}, missing: {', '.join(unknown) or 'none'})"
        )
    never = np.zeros(len(matched), dtype=np.bool_)

    def column_of(name: str) -> NDArray[np.bool_]:
        return matched[:, column[name]]

    number = {label: index for index, label in enumerate(logic.labels)}
    # true, active: [sentences, labels]
    true = np.zeros((len(matched), len(logic.labels)), dtype=np.bool_)
    for index, formula in enumerate(logic.formulas):
        true[:, index] = evaluate_formula(formula, column_of, never=never, negate=invert)
    active = true.copy()
    for stronger, weaker in logic.priorities:
        active[:, number[weaker]] &= ~true[:, number[stronger]]
    otherwise = -1 if logic.default is None else number[logic.default]
    if not logic.labels:
        return np.full(len(matched), -1, dtype=np.int64)
    return np.where(active.any(axis=1), active.argmax(axis=1), otherwise).astype(np.int64)
