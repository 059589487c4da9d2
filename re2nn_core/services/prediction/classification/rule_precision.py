"""How often the rules' predictions were right on labelled texts: for each rule, and for the default label.

A rule is measured where it decides: on the texts that it matches and that get its label, so that a text which another
rule takes away from it does not count against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.services.prediction.precision import Precision, most_trusted, precision_of
from re2nn_core.services.rule_systems.classification.deciding_rules import decided_by
from re2nn_core.services.rule_systems.classification.systems import RuleSystem


@dataclass(frozen=True)
class MeasuredRules:
    """`rules`: each measured rule with its precision; `default`: that of the default label where no rule decides. What
    has no labelled text is not measured."""

    rules: tuple[tuple[str, Precision], ...] = ()
    default: Precision | None = None

    def of(self, rule: str) -> Precision | None:
        """That of a rule."""
        return dict(self.rules).get(rule)

    def best_of(self, rules: Iterable[str]) -> Precision | None:
        """Of rules that decide together, what the one is worth that can be trusted most: whose interval begins
        highest."""
        found = dict(self.rules)
        return most_trusted(found.get(rule) for rule in rules)


def measure_rules(system: RuleSystem, matched: NDArray[np.bool_], gold: Sequence[str | None]) -> MeasuredRules:
    """The rules on labelled texts; fired [texts, rules], gold [texts]."""
    labels = system.logic.labels
    number = {label: place for place, label in enumerate(labels)}
    known = np.fromiter((label is not None for label in gold), np.bool_, len(gold))
    right = np.fromiter((number.get(label, -1) if label else -1 for label in gold), np.int64, len(gold))
    predictions = np.asarray([*range(len(labels)), -1])[decide_all(system.logic, system.rule_names, matched)]
    open_texts, found = known.copy(), {}
    for place, label in enumerate(labels):
        given = known & (predictions == place)
        for name in decided_by(system, np.ones(len(system.rule_names), dtype=np.bool_), label):
            decides = given & matched[:, system.rule_names.index(name)]
            open_texts &= ~decides
            found[name] = precision_of(int((decides & (right == place)).sum()), int(decides.sum()))
    by_default = open_texts & (predictions >= 0)
    default = precision_of(int((by_default & (predictions == right)).sum()), int(by_default.sum()))
    return MeasuredRules(tuple((name, one) for name, one in found.items() if one is not None), default)
