"""Trained aggregation layers rounded back to label logic (Jiang et al., EMNLP 2020, section 6).

A weight at most NEAR from 0 is none, and from 1 - NEAR on it is a plain literal, or a negated one below zero. With p
plain and q negated literals the unit is a conjunction where its bias is near 1 - p, a disjunction where it is near q.
A label of which a weight or a bias fits none of these has no formula: its logic stays as written. So does that of a
label whose weights still round to what they were before training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.rules.logic.formulas import NEVER, Fact, Formula, Not, conjunction, disjunction
from re2nn_core.rules.logic.label_logic import LabelLogic

NEAR = 0.25


@dataclass(frozen=True)
class RoundedLogic:
    """Label logic in which the labels of `changed` have a new formula; those of `unclear` have weights that are no
    formula, and keep the written one."""

    logic: LabelLogic
    changed: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


def rounded_logic(network: FaRnn, logic: LabelLogic) -> RoundedLogic:
    """The label logic of a network for the labels of `logic`, which is over the network's machines."""
    layers, config = network.layers, network.config
    if layers is None or not config.train_aggregation:
        return RoundedLogic(logic)
    untrained = replace(config, train_aggregation=False)
    before = formulas_of(AggregationLayers(network.logic, network.names, untrained), network.names)
    after = formulas_of(layers, network.names)
    formulas, changed, unclear = [], [], []
    for label, written in zip(logic.labels, logic.formulas, strict=True):
        found = after[label]
        # That a label is never true cannot be written where it has rules.
        if found is None or (found == NEVER and found != before[label]):
            unclear.append(label)
        elif found != before[label]:
            changed.append(label)
        formulas.append(found if found is not None and label in changed else written)
    return RoundedLogic(replace(logic, formulas=tuple(formulas)), tuple(changed), tuple(unclear))


def formulas_of(layers: AggregationLayers, names: Sequence[str]) -> dict[str, Formula | None]:
    """The formula of each label; None where its weights are none."""
    clauses = _units(layers.clause_weights, layers.clause_bias, [Fact(name) for name in names])
    return dict(zip(layers.labels, _units(layers.label_weights, layers.label_bias, clauses), strict=True))


def _units(weights: Tensor, biases: Tensor, inputs: Sequence[Formula | None]) -> list[Formula | None]:
    """One formula a unit, from weights [units, inputs] and biases [units]."""
    return [_unit(row, bias, inputs) for row, bias in zip(weights.tolist(), biases.tolist(), strict=True)]


def _unit(weights: list[float], bias: float, inputs: Sequence[Formula | None]) -> Formula | None:
    """The formula of one unit; None where its weights are none, or an input that counts is none."""
    literals: list[Formula] = []
    plain = 0
    for weight, part in zip(weights, inputs, strict=True):
        if abs(weight) <= NEAR:
            continue
        if abs(weight) < 1 - NEAR or part is None or part == NEVER:
            return None
        plain += weight > 0
        literals.append(part if weight > 0 else Not(part))
    negated = len(literals) - plain
    if abs(bias - negated) <= NEAR:
        return disjunction(literals)
    if literals and abs(bias - (1 - plain)) <= NEAR:
        return conjunction(literals)
    return None
