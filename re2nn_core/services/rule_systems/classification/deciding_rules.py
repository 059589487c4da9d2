"""Which rules decided a prediction: those that matched the text and predict its label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.label_logic import Fact, Formula, Not
from re2nn_core.services.rule_systems.classification.systems import RuleSystem


def decided_by(
    system: RuleSystem, matched: Sequence[bool] | NDArray[np.bool_], prediction: str | None
) -> tuple[str, ...]:
    """The rules that accepted the text and speak for the prediction; empty for the default label."""
    if prediction is None or prediction not in system.logic.labels:
        return ()
    return tuple(system.rule_names[number] for number in _rules_of(system, prediction) if matched[number])


def deciding_rules(
    system: RuleSystem, matched: NDArray[np.bool_], predictions: Sequence[str | None]
) -> list[tuple[str, ...]]:
    """[texts]: `decided_by` of each text. matched [texts, rules]."""
    names = system.rule_names
    rules: dict[str | None, tuple[int, ...]] = {label: _rules_of(system, label) for label in system.logic.labels}
    packed = np.packbits(matched, axis=1)
    width, together = packed.shape[1], packed.tobytes()
    known: dict[tuple[bytes, str | None], tuple[str, ...]] = {}  # few texts match rules that no other one does
    found = []
    for place, prediction in enumerate(predictions):
        key = together[place * width : (place + 1) * width], prediction
        if key not in known:
            known[key] = tuple(names[number] for number in rules.get(prediction, ()) if matched[place, number])
        found.append(known[key])
    return found


def _rules_of(system: RuleSystem, label: str) -> tuple[int, ...]:
    """The rules that predict a label, as numbers in their order."""
    named = _unnegated(system.logic.formulas[system.logic.labels.index(label)])
    return tuple(number for number, name in enumerate(system.rule_names) if name in named)


def _unnegated(formula: Formula) -> frozenset[str]:
    """The rules that a formula names outside a negation."""
    if isinstance(formula, Not):
        return frozenset()
    if isinstance(formula, Fact):
        return frozenset((formula.rule,))
    return frozenset[str]().union(*(_unnegated(part) for part in formula.parts))
