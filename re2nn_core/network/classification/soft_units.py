"""The label logic over soft truth values for all labels at once; soft_logic.py says what is computed, one by one.

A conjunction or disjunction is a clamped sum of what it joins. So all of one depth are one product and one clamp over
machine scores and what lies deeper, and the labels' scores are one more product: negation, priorities and the default
label only weigh and add. On the 27 rules and 26 labels of ATIS that is four operations in place of over a hundred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE, penalty_matrix
from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.rules.logic.label_logic import Fact, Formula, LabelLogic, Not, Or


@dataclass(frozen=True)
class _Sum:
    """A constant and weighted columns: machine scores, then units in the order in which they were made."""

    columns: Mapping[int, float]
    constant: float


class SoftUnits(nn.Module):
    """Label scores from machine scores. Its weights follow from the label logic and are neither trained nor stored."""

    readout: Tensor
    readout_bias: Tensor

    def __init__(self, logic: LabelLogic, names: tuple[str, ...]) -> None:
        super().__init__()
        units = _Units(names)
        truths = [units.sum_of(formula) for formula in logic.formulas]
        made = len(names)
        self.depths = len(units.by_depth)
        order: dict[int, int] = {number: number for number in range(made)}
        for depth, layer in enumerate(units.by_depth):
            weights, bias = _layer([one for _, one in layer], order, made)
            self.register_buffer(f"weights{depth}", weights, persistent=False)  # [scores and deeper units, units]
            self.register_buffer(f"bias{depth}", bias, persistent=False)  # [units]
            order |= {number: made + place for place, (number, _) in enumerate(layer)}
            made += len(layer)
        weights, bias = _layer(truths, order, made)  # [scores and units, labels], [labels]
        beats = torch.eye(len(logic.labels)) - penalty_matrix(logic)
        raised = torch.zeros(len(logic.labels))
        if logic.default is not None:
            raised[logic.labels.index(logic.default)] = DEFAULT_SCORE
        self.register_buffer("readout", weights @ beats * (1 - raised), persistent=False)
        self.register_buffer("readout_bias", bias @ beats * (1 - raised) + raised, persistent=False)
        self.tables = _sparse(self.by_depth()), _sparse([(self.readout, self.readout_bias)])

    def forward(self, scores: Tensor, slope: float) -> Tensor:
        """[batch, labels] from machine scores [batch, machines]."""
        values = scores
        for weights, constants in self.by_depth():
            values = torch.cat([values, clamp_with_slope(torch.addmm(constants, values, weights), slope)], 1)
        return torch.addmm(self.readout_bias, values, self.readout)

    def by_depth(self) -> list[tuple[Tensor, Tensor]]:
        """Of the units of each depth, the deepest first: weights [machine scores and deeper units, units] and
        constants [units]."""
        return [(self.get_buffer(f"weights{depth}"), self.get_buffer(f"bias{depth}")) for depth in range(self.depths)]


class _Units:
    """The conjunctions and disjunctions of formulas, each with its number, the deepest first."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.column = {name: number for number, name in enumerate(names)}
        self.by_depth: list[list[tuple[int, _Sum]]] = []
        self.made: dict[int, int] = {}  # the depth of each unit

    def sum_of(self, formula: Formula) -> _Sum:
        """What a formula's truth is a sum of."""
        if isinstance(formula, Fact):
            return _Sum({self.column[formula.rule]: 1.0}, 0.0)
        if isinstance(formula, Not):
            inner = self.sum_of(formula.inner)
            return _Sum({column: -weight for column, weight in inner.columns.items()}, 1 - inner.constant)
        if not formula.parts:
            return _Sum({}, 0.0 if isinstance(formula, Or) else 1.0)
        return self._unit([self.sum_of(part) for part in formula.parts], disjunction=isinstance(formula, Or))

    def _unit(self, parts: list[_Sum], *, disjunction: bool) -> _Sum:
        columns: dict[int, float] = {}
        for column, weight in chain.from_iterable(part.columns.items() for part in parts):
            columns[column] = columns.get(column, 0.0) + weight
        constant = sum(part.constant for part in parts) - (0 if disjunction else len(parts) - 1)
        depth = max((self.made[column] + 1 for column in columns if column in self.made), default=0)
        number = len(self.column) + len(self.made)
        self.made[number] = depth
        while len(self.by_depth) <= depth:
            self.by_depth.append([])
        self.by_depth[depth].append((number, _Sum(columns, constant)))
        return _Sum({number: 1.0}, 0.0)


def _layer(sums: list[_Sum], order: Mapping[int, int], columns: int) -> tuple[Tensor, Tensor]:
    """Weights [columns, sums] and constants [sums]; `order` says where each column stands."""
    weights = torch.zeros(columns, len(sums))
    for place, one in enumerate(sums):
        for column, weight in one.columns.items():
            weights[order[column], place] = weight
    return weights, torch.tensor([one.constant for one in sums], dtype=torch.float32)


def _sparse(layers: Sequence[tuple[Tensor, Tensor]]) -> tuple[NDArray[Any], ...]:
    """The columns of layers, weights [columns, sums] and constants [sums] each, as sums of weighted places: where each
    begins, the places and their weights, and the constants."""
    sums = [column for weights, _ in layers for column in weights.T.numpy()]
    places = [np.flatnonzero(column) for column in sums]
    begins = np.cumsum([0, *map(len, places)]).astype(np.uint64)
    none: list[NDArray[Any]] = [np.zeros(0, np.float32)]
    weights = np.concatenate(none + [column[place] for column, place in zip(sums, places, strict=True)])
    constants = np.concatenate(none + [constants.numpy() for _, constants in layers])
    return begins, np.concatenate([np.zeros(0, np.uint64), *places]).astype(np.uint64), weights, constants
