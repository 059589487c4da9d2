"""Soft label logic on truth values 0 and 1 decides as the label logic does, one sentence at a time and all at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from support.rules.logic_strategies import FIRED, RULES, logics
from support.rules.strategies import formulas

from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE, after_earlier, label_scores, truth
from re2nn_core.rules.logic.label_logic import And, Fact, Formula, LabelLogic, Not, Or, decide_all, decide_labels


def soft_predictions(logic: LabelLogic, matched: np.ndarray, margin: float = 0.0) -> list[int]:
    """The first of the best scores; none where no score reaches one half and there is no default label."""
    scores = label_scores(logic, RULES, torch.from_numpy(matched.astype(np.float32)), 0.1)
    values = (scores + after_earlier(scores, margin)).numpy()
    best = values.argmax(1)
    if logic.default is None:
        best[values.max(1) < DEFAULT_SCORE] = -1
    return best.tolist()


@settings(max_examples=150, deadline=None)
@given(logics())
def test_three_ways_to_decide_agree(logic: LabelLogic) -> None:
    at_once = decide_all(logic, RULES, FIRED).tolist()
    one_by_one = []
    for row in FIRED:
        prediction = decide_labels(logic, [rule for rule, hit in zip(RULES, row, strict=True) if hit]).label
        one_by_one.append(-1 if prediction is None else logic.labels.index(prediction))
    assert at_once == one_by_one
    assert soft_predictions(logic, FIRED) == one_by_one
    assert soft_predictions(logic, FIRED, margin=0.25) == one_by_one


@settings(max_examples=100, deadline=None)
@given(logics())
def test_a_margin_leaves_one_best_label(logic: LabelLogic) -> None:
    """So that a small step of training does not decide anew between labels that all hold."""
    scores = label_scores(logic, RULES, torch.from_numpy(FIRED.astype(np.float32)), 0.1)
    best = (scores + after_earlier(scores, 0.25)).sort(1, descending=True).values
    held = scores.amax(1) == 1
    if best.shape[1] > 1:
        assert bool((best[held, 0] - best[held, 1] >= 0.125).all())


@settings(max_examples=40, deadline=None)
@given(logics())
def test_a_prediction_is_never_a_beaten_label(logic: LabelLogic) -> None:
    for row in FIRED:
        decision = decide_labels(logic, [rule for rule, hit in zip(RULES, row, strict=True) if hit])
        assert not set(decision.active) & set(decision.beaten)
        assert decision.label == (decision.active[0] if decision.active else logic.default)
        stronger = {strong for strong, weak in logic.priorities if weak in decision.active}
        assert not stronger & {*decision.active, *decision.beaten}


@settings(max_examples=100, deadline=None)
@given(formulas(RULES))
def test_truth_of_sharp_values_is_boolean(formula: Formula) -> None:
    values = torch.from_numpy(FIRED.astype(np.float32))
    facts = {rule: values[:, number] for number, rule in enumerate(RULES)}
    logic = LabelLogic(("label",), (formula,))
    wanted = (decide_all(logic, RULES, FIRED) == 0).astype(float).tolist()
    assert truth(formula, facts, values, 0.1).tolist() == wanted


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        (Not(Fact("r")), 0.7),
        (Or((Fact("r"), Fact("s"))), 0.8),
        (Or((Fact("r"), Fact("s"), Fact("s"))), 1.0),
        (And((Fact("s"), Fact("t"))), 0.3),
        (And((Fact("r"), Fact("s"))), 0.0),
        (And((Fact("t"), Fact("t"), Fact("s"))), 0.1),
        (Or(()), 0.0),
    ],
    ids=str,
)
def test_truth_of_soft_values(formula: Formula, wanted: float) -> None:
    """Table 2 of the paper."""
    values = {"r": torch.tensor([0.3]), "s": torch.tensor([0.5]), "t": torch.tensor([0.8])}
    assert truth(formula, values, torch.zeros(1, 3), 0.1).tolist() == pytest.approx([wanted], abs=1e-6)


def test_scores_of_true_beaten_and_default_labels() -> None:
    logic = LabelLogic(("a", "b", "c"), (Fact("r"), Fact("s"), Fact("t")), (("a", "b"), ("b", "c")), "c")
    facts = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    scores = label_scores(logic, ("r", "s", "t"), facts, 0.1)
    assert scores.tolist() == [[1.0, 0.0, 0.5], [0.0, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
