"""The choice of thresholds never makes the rules worse on the texts it is made on."""

from __future__ import annotations

import numpy as np

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.reconstruction.choose import Candidate, choose
from re2nn_core.rules.logic import Fact, LabelLogic

LOGIC = LabelLogic(("x", "y"), (Fact("one"), Fact("two")))
DFA = PseudoDfa((frozenset({"a"}),), ((0,),), frozenset({0}))


def candidate(fired: list[int], size: int = 1) -> Candidate:
    return Candidate(0.5, DFA, np.asarray(fired, dtype=bool), size)


def run(candidates: list[list[Candidate]], by_network: list[int] | None = None):
    written = np.asarray([[1, 0], [0, 0], [0, 1]], dtype=bool)
    gold = np.asarray([0, 0, 1])
    return choose(LOGIC, ("one", "two"), written, candidates, gold, np.asarray(by_network or [0, 0, 1], dtype=np.int64))


def test_a_candidate_that_helps_is_taken():
    better = candidate([1, 1, 0])
    assert run([[better], []]).chosen == (better, None)


def test_a_candidate_that_harms_is_left():
    assert run([[candidate([0, 0, 0])], [candidate([1, 1, 1])]]).chosen == (None, None)


def test_among_equals_the_smaller_wins():
    large, small = candidate([1, 1, 0], size=9), candidate([1, 1, 0], size=2)
    assert run([[large, small], []]).chosen[0] is small


def test_agreement_with_the_network_breaks_ties():
    # Both texts are without gold label here, so that only agreement can tell.
    agreeing = candidate([1, 1, 0])
    found = choose(
        LOGIC,
        ("one", "two"),
        np.asarray([[1, 0], [0, 0], [0, 1]], dtype=bool),
        [[agreeing], []],
        np.asarray([-2, -2, -2]),
        np.asarray([0, 0, 1]),
    )
    assert found.chosen[0] is agreeing
    assert (found.right, found.agree) == (0, 3)
