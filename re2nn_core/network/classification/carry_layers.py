"""Trained aggregation layers under changed rules: what belongs to clauses that stay is copied, so that other labels go
on as they were (Jiang et al., EMNLP 2020, section 6: "by concatenation").

A rule that one of the two networks lacks never accepts there. Its literals then drop out of a clause, or decide it: a
conjunction with the missing rule is never true, a disjunction with its negation always. Of a label, all clauses that
are not so decided must be the same on both sides; a label for which they are not starts anew from its logic.
"""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor

from re2nn_core.network.classification.aggregation import AggregationLayers, ClauseUnit
from re2nn_core.rules.logic.normal_forms import Clause, Join

Places = tuple[Tensor, Tensor]  # places in the new network and in the old one, of equal length


def carry_layers(
    after: AggregationLayers, before: AggregationLayers, kept: tuple[str, ...], machines: Places, labels: Places
) -> None:
    """Copy in place; `kept` are the machines that both networks have, `machines` and `labels` their places."""
    both = [after.labels[place] for place in labels[0].tolist()]
    carried = {label for label in both if same_form(after, before, label, kept)}
    pairs = _pairs(after.units, before.units, carried, kept)
    new = torch.tensor([place for place, _ in pairs], dtype=torch.long)
    old = torch.tensor([place for _, place in pairs], dtype=torch.long)
    after.clause_weights[new[:, None], machines[0]] = before.clause_weights[old[:, None], machines[1]]
    after.clause_bias[new] = before.clause_bias[old]
    chosen = torch.tensor([label in carried for label in both], dtype=torch.bool)
    rows_new, rows_old = labels[0][chosen], labels[1][chosen]
    # What an always true clause of one side alone adds to a label is counted in the other side's bias.
    removed = before.label_weights[rows_old][:, _always_true(before.units, kept)].sum(1)
    come = after.label_weights[rows_new][:, _always_true(after.units, kept)].sum(1)
    after.label_bias[rows_new] = before.label_bias[rows_old] + removed - come
    after.label_weights[rows_new[:, None], new] = before.label_weights[rows_old[:, None], old]


def same_form(after: AggregationLayers, before: AggregationLayers, label: str, kept: tuple[str, ...]) -> bool:
    """Whether a label that both have is made of the same clauses, but for those that missing rules decide."""
    new, old = _form(after.units, label, kept), _form(before.units, label, kept)
    distinct = len(set(new[1])) == len(new[1]) and len(set(old[1])) == len(old[1])
    return distinct and new[0] == old[0] and set(new[1]) == set(old[1])


def _form(units: tuple[ClauseUnit, ...], label: str, kept: tuple[str, ...]) -> tuple[Join, list[Clause]]:
    """How a label joins its clauses, and those that the missing rules do not decide; a label without clauses is a
    disjunction of none."""
    own = [unit for unit in units if unit.label == label]
    left = [clause for unit in own if (clause := _left(unit, kept)) is not None]
    return (own[0].joined if own else "or"), left


def _left(unit: ClauseUnit, kept: Collection[str]) -> Clause | None:
    """The clause where rules that are not `kept` never accept; None where that decides it."""
    plain, negated = unit.clause.plain.intersection(kept), unit.clause.negated.intersection(kept)
    decisive = unit.clause.plain - plain if unit.joined == "or" else unit.clause.negated - negated
    return None if decisive else Clause(plain, negated)


def _pairs(
    new: tuple[ClauseUnit, ...], old: tuple[ClauseUnit, ...], labels: Collection[str], kept: tuple[str, ...]
) -> list[tuple[int, int]]:
    """(place in the new layer, place in the old one) of each clause of the labels that both have."""
    places = {(unit.label, _left(unit, kept)): place for place, unit in enumerate(old)}
    return [
        (place, places[unit.label, left])
        for place, unit in enumerate(new)
        if unit.label in labels and (left := _left(unit, kept)) is not None
    ]


def _always_true(units: tuple[ClauseUnit, ...], kept: tuple[str, ...]) -> list[int]:
    return [place for place, unit in enumerate(units) if unit.joined == "and" and _left(unit, kept) is None]
