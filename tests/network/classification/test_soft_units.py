"""All labels at once, against formula by formula."""

from __future__ import annotations

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.rules.logic_strategies import FIRED, RULES, logics

from re2nn_core.network.classification.soft_logic import label_scores
from re2nn_core.network.classification.soft_units import SoftUnits
from re2nn_core.rules.logic.label_logic import And, Fact, LabelLogic, Not, Or

LEAK = 0.1


@settings(max_examples=80, deadline=None)
@given(logics())
def test_units_are_the_formulas_on_truth_values(logic: LabelLogic) -> None:
    scores = torch.from_numpy(FIRED).float()
    assert torch.equal(SoftUnits(logic, RULES)(scores, LEAK), label_scores(logic, RULES, scores, LEAK))


# From one half on this sum is just 1, where the clamp bends: with other scores than shares of 64, rounding alone would
# decide on which side of the bend each of the two ends.
ALONG_THE_BEND = LabelLogic(
    ("x",), (Or((Not(Or((Fact("r"), Fact("r")))), Not(Fact("r")), Not(Fact("r")), And((Fact("r"), Fact("r"))))),)
)


@settings(max_examples=80, deadline=None)
@given(logics(), st.integers(0, 9))
@example(ALONG_THE_BEND, 1)
def test_units_are_the_formulas_between_truth_values(logic: LabelLogic, seed: int) -> None:
    random = torch.Generator().manual_seed(seed)
    scores = torch.randint(65, (12, len(RULES)), generator=random).double().div(64).requires_grad_()
    weights = torch.rand(12, len(logic.labels), generator=random, dtype=torch.float64)
    found, wanted = SoftUnits(logic, RULES).double()(scores, LEAK), label_scores(logic, RULES, scores, LEAK)
    assert torch.allclose(found, wanted, atol=1e-12)
    gradients = []
    for values in (found, wanted):
        number = (values * weights).sum() + 0 * scores.sum()  # logic may not ask for any score
        gradients.append(torch.autograd.grad(number, scores)[0])
    assert torch.allclose(gradients[0], gradients[1], atol=1e-12)


def test_a_rule_that_is_named_twice_counts_twice() -> None:
    twice = Or((Fact("r"), And((Not(Fact("r")), Fact("s"))), Fact("r")))
    logic = LabelLogic(("x", "y"), (twice, Fact("s")), (("x", "y"),), "y")
    scores = torch.tensor([[0.3, 0.0, 0.0, 0.0], [0.2, 1.0, 0.0, 0.0]])
    found = SoftUnits(logic, RULES)(scores, LEAK)
    # x: 0.3 + 0.3; 0.2 + 0.8 + 0.2, clamped. y: the default, halved and raised, less x.
    assert found.tolist() == [pytest.approx([0.6, 0.5 * (0 - 0.6) + 0.5]), pytest.approx([1, 0.5 * (1 - 1) + 0.5])]
