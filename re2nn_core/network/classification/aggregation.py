"""The aggregation layer as two linear layers (Jiang et al., EMNLP 2020, section 3.5): label logic in normal form.

    c = squash( s A^T + a )      one unit a clause, over machine scores s
    t = squash( c B^T + b )      one truth a label, over clauses

A conjunction of p plain and q negated literals has weights 1 and -1 and the bias 1 - p, a disjunction the bias q; a
label joins its clauses in the same way. With squash the clamp to [0, 1] (the activation), these are table 2's soft
operations, so that on machine scores 0 and 1 the layers give each formula's truth; priorities and the default label
follow as in soft_logic.py and stay what was written. Without activation the layers are one linear map: a label counts
each of its rules that accept instead of asking whether any does, and a conjunction of which nothing holds goes below
zero. It still is exact where at most one clause of a label holds at a time.

Measured on the published rules: untrained, clamped layers predict as the rules on every text; linear ones on all of
ATIS and SMS and 99.4% of QC. Trained at the head's rate, one seed, dev accuracy is 97.8 / 83.8 / 99.0% clamped and
98.1 / 84.4 / 99.2% linear on ATIS / QC / SMS, where the fixed logic has 98.3 / 84.6 / 98.8%: no more than seeds differ
by. So the fixed logic is the default, and reads back as it was written.

The weights are dense: labels and clauses are few (27 rules and 26 labels on ATIS), and at CLAUSE_BUDGET clauses over
1,000 machines the first layer takes 40 MB.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.rules.logic.label_logic import LabelLogic
from re2nn_core.rules.logic.normal_forms import Clause, Join, NormalForm, normal_form

CLAUSE_BUDGET = 10_000


@dataclass(frozen=True)
class ClauseUnit:
    """One unit of the first layer: a clause, the label it was made for, and how that label joins its clauses."""

    label: str
    joined: Join
    clause: Clause


class AggregationLayers(nn.Module):
    """Label truths from machine scores; see the module. The weights are parameters where they are trained; fixed ones
    follow from the label logic and are not stored."""

    clause_weights: Tensor
    clause_bias: Tensor
    label_weights: Tensor
    label_bias: Tensor

    def __init__(self, logic: LabelLogic, names: tuple[str, ...], config: NetworkConfig) -> None:
        super().__init__()
        self.labels = logic.labels
        self.activation, self.slope = config.aggregation_activation, config.clamp_gradient_slope
        forms = _forms(logic)
        self.units = tuple(
            ClauseUnit(label, form.joined, clause)
            for label, form in zip(logic.labels, forms, strict=True)
            for clause in form.clauses
        )
        first = _clause_layer(self.units, names)
        second = _label_layer(forms)
        parts = {
            "clause_weights": first[0],  # [clauses, machines], A
            "clause_bias": first[1],  # [clauses], a
            "label_weights": second[0],  # [labels, clauses], B
            "label_bias": second[1],  # [labels], b
        }
        if config.train_aggregation and config.initial == "random":
            parts = _random(parts, config.seed)
        for name, values in parts.items():
            if config.train_aggregation:
                self.register_parameter(name, nn.Parameter(values))
            else:
                self.register_buffer(name, values, persistent=False)

    def squash(self, values: Tensor) -> Tensor:
        """Values clamped to [0, 1] with activation, as they are without. The axes stay."""
        return clamp_with_slope(values, self.slope) if self.activation else values

    def forward(self, scores: Tensor) -> Tensor:
        """[batch, labels] from machine scores [batch, machines]."""
        clauses = self.squash(nn.functional.linear(scores, self.clause_weights, self.clause_bias))  # [batch, clauses]
        return self.squash(nn.functional.linear(clauses, self.label_weights, self.label_bias))


def _forms(logic: LabelLogic) -> list[NormalForm]:
    """The labels' formulas in normal form. InputError names the label that passes the budget."""
    forms: list[NormalForm] = []
    left = CLAUSE_BUDGET
    for label, formula in zip(logic.labels, logic.formulas, strict=True):
        form = normal_form(formula, CLAUSE_BUDGET)
        if form is None or len(form.clauses) > left:
            raise InputError(
                f"With the label {label!r} the label logic takes more than {CLAUSE_BUDGET:,} clauses in normal form, "
                "the most that the aggregation 'layers' may have.\n"
                "Set aggregation to 'logic', which computes every formula as it is written."
            )
        forms.append(form)
        left -= len(form.clauses)
    return forms


def _clause_layer(units: tuple[ClauseUnit, ...], names: tuple[str, ...]) -> tuple[Tensor, Tensor]:
    """Weights [clauses, machines] and bias [clauses]."""
    column = {name: place for place, name in enumerate(names)}
    weights, bias = torch.zeros(len(units), len(names)), torch.zeros(len(units))
    for row, unit in enumerate(units):
        for sign, rules in ((1, unit.clause.plain), (-1, unit.clause.negated)):
            weights[row, [column[rule] for rule in rules]] = sign
        bias[row] = 1 - len(unit.clause.plain) if unit.joined == "or" else len(unit.clause.negated)
    return weights, bias


def _label_layer(forms: list[NormalForm]) -> tuple[Tensor, Tensor]:
    """Weights [labels, clauses] and bias [labels]."""
    weights, bias = torch.zeros(len(forms), sum(len(form.clauses) for form in forms)), torch.zeros(len(forms))
    begin = 0
    for row, form in enumerate(forms):
        weights[row, begin : begin + len(form.clauses)] = 1
        bias[row] = 0 if form.joined == "or" else 1 - len(form.clauses)
        begin += len(form.clauses)
    return weights, bias


def _random(parts: dict[str, Tensor], seed: int) -> dict[str, Tensor]:
    """Xavier's normal weights in the same shapes, without bias."""
    random = torch.Generator().manual_seed(seed)
    return {
        name: torch.zeros_like(part)
        if part.dim() == 1
        else torch.randn(part.shape, generator=random) * (2 / max(1, sum(part.shape))) ** 0.5
        for name, part in parts.items()
    }
