"""The aggregation layer: label logic over soft truth values (Jiang et al., EMNLP 2020, section 3.5 and table 2).

    not a        1 - a
    a or b       min(1, a + b)
    a and b      max(0, a + b - 1)

On truth values 0 and 1 these are the Boolean operations. A label's score is the truth of its formula, less the
truth of every label that has priority over it; the default label's score is halved and raised by one half. A true
label that no true label beats then scores 1, the default 1/2 or less unless it is one of these, every other label
0 or less, so that the first of the best scores is the prediction of the symbolic rule system.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from re2nn_core.network.recurrence.clamp import clamp_with_slope
from re2nn_core.rules.logic.label_logic import Fact, Formula, LabelLogic, Not, Or

DEFAULT_SCORE = 0.5


def truth(formula: Formula, facts: Mapping[str, Tensor], like: Tensor, slope: float) -> Tensor:
    """[batch]: soft truth of a formula. `facts` maps names to [batch]; `like` [batch, ...] gives size and device."""
    if isinstance(formula, Fact):
        return facts[formula.rule]
    if isinstance(formula, Not):
        return 1 - truth(formula.inner, facts, like, slope)
    parts = [truth(part, facts, like, slope) for part in formula.parts]
    if isinstance(formula, Or):
        total = torch.stack(parts).sum(0) if parts else like.new_zeros(like.shape[0])
        return clamp_with_slope(total, slope)
    total = torch.stack(parts).sum(0) if parts else like.new_ones(like.shape[0])
    return clamp_with_slope(total - max(len(parts) - 1, 0), slope)


def label_scores(logic: LabelLogic, names: tuple[str, ...], scores: Tensor, slope: float) -> Tensor:
    """[batch, labels] from machine scores [batch, machines]; see the module."""
    facts = {name: scores[:, number] for number, name in enumerate(names)}
    truths = torch.stack([truth(formula, facts, scores, slope) for formula in logic.formulas], dim=1)
    return with_priorities(logic, truths)


def with_priorities(logic: LabelLogic, truths: Tensor) -> Tensor:
    """[batch, labels]: the labels' scores from the truths of their formulas [batch, labels]."""
    beaten = penalty_matrix(logic).to(truths)
    plain = truths - truths @ beaten
    if logic.default is None:
        return plain
    raised = torch.zeros(len(logic.labels)).to(truths)
    raised[logic.labels.index(logic.default)] = DEFAULT_SCORE
    return plain * (1 - raised) + raised


def after_earlier(scores: Tensor, margin: float) -> Tensor:
    """[batch, labels]: what label scores [batch, labels] lose because earlier labels hold: so much of the largest of
    theirs. The rules decide between equal labels by order, and any step of training would decide anew. Scores of exact
    networks are 1, one half for the default label, or 0 and less: with a margin below one half the first of the best
    ones stays the best, and by itself."""
    held = scores.clamp(0, 1).cummax(1).values
    return torch.cat([torch.zeros_like(held[:, :1]), -margin * held[:, :-1]], 1)


def penalty_matrix(logic: LabelLogic) -> Tensor:
    """[labels, labels]: 1 at (stronger, weaker)."""
    matrix = torch.zeros(len(logic.labels), len(logic.labels))
    for stronger, weaker in logic.priorities:
        matrix[logic.labels.index(stronger), logic.labels.index(weaker)] = 1
    return matrix
