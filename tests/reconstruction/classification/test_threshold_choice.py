"""The choice of thresholds never makes the rules worse on the texts it is made on."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.reconstruction.classification.threshold_choice import (
    Candidate,
    KeptMachines,
    Labels,
    Options,
    ThresholdChoice,
    choose,
    why_unread,
)
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine
from re2nn_core.rules.logic.label_logic import Fact, LabelLogic

LOGIC = LabelLogic(("x", "y"), (Fact("one"), Fact("two")))
DFA = PseudoDfa((frozenset({"a"}),), (((0, 0),),), frozenset({0}))
WRITTEN = np.asarray([[1, 0], [0, 0], [0, 0], [0, 0], [0, 1]], dtype=bool)
GOLD = np.asarray([0, 0, 0, 0, 1])


def candidate(matched: list[int], size: int = 1) -> Candidate:
    machine = ThresholdedMachine((), frozenset(), frozenset())
    return Candidate(0.5, machine, DFA, np.asarray(matched, dtype=bool), size)


def run(candidates: list[list[Candidate]], *, by_network: list[int] | None = None, dev: int = 5) -> ThresholdChoice:
    """Five texts, the first `dev` of them dev; the written rules get the first and the last right."""
    network = GOLD if by_network is None else np.asarray(by_network, dtype=np.int64)
    return choose(LOGIC, ("one", "two"), WRITTEN, options(candidates), Labels(GOLD, network, np.arange(5) < dev))


def options(candidates: list[list[Candidate]]) -> list[Options]:
    """The same ones whatever the texts would gain."""
    return [lambda _, found=found: found for found in candidates]


def test_a_candidate_that_helps_is_taken():
    better = candidate([1, 1, 1, 0, 0])
    found = run([[better], []])
    assert found.chosen == (better, None)
    assert found.right == 4


def test_no_rule_is_bent_for_a_single_text():
    assert run([[candidate([1, 1, 0, 0, 0])], []]).chosen == (None, None)


def test_a_candidate_that_harms_is_left():
    assert run([[candidate([0, 0, 0, 0, 0])], [candidate([1, 1, 1, 1, 1])]]).chosen == (None, None)


def test_a_gain_on_train_that_costs_dev_is_left():
    # Loses the first text, which is dev, and wins three that are not.
    assert run([[candidate([0, 1, 1, 1, 0])], []], dev=1).chosen == (None, None)
    assert run([[candidate([1, 1, 1, 1, 0])], []], dev=1).chosen[0] is not None


def test_among_equals_the_smaller_wins():
    large, small = candidate([1, 1, 1, 0, 0], size=9), candidate([1, 1, 1, 0, 0], size=2)
    assert run([[large, small], []]).chosen[0] is small
    assert run([[small, large], []]).chosen[0] is small


def test_agreement_with_the_network_breaks_ties():
    apart, agreeing = candidate([1, 1, 1, 0, 0], size=1), candidate([1, 1, 0, 1, 0], size=9)
    assert run([[apart, agreeing], []], by_network=[0, 0, 1, 0, 1]).chosen[0] is agreeing
    assert run([[apart, agreeing], []], by_network=[0, 0, 0, 1, 1]).chosen[0] is apart


def test_a_rule_that_takes_too_much_is_left():
    """It wins five texts and loses three, which are right by the other rule."""
    gold = np.asarray([0, 0, 0, 0, 0, 1, 1, 1])
    written = np.asarray([[0, 0]] * 5 + [[0, 1]] * 3, dtype=bool)

    def chosen(matched: list[int]) -> Candidate | None:
        option = candidate(matched)
        labels = Labels(gold, gold, np.zeros(8, dtype=bool))
        found = choose(LOGIC, ("one", "two"), written, options([[option], []]), labels)
        assert found.chosen[0] in (None, option)
        return found.chosen[0]

    assert chosen([1, 1, 1, 1, 1, 1, 1, 1]) is None
    assert chosen([1, 1, 1, 1, 1, 1, 0, 0]) is not None


def test_words_have_a_price():
    """The large one wins a text more, which is worth four words, and not five."""
    large, small = candidate([1, 1, 1, 1, 0], size=9), candidate([1, 1, 1, 0, 0], size=5)

    def chosen(price: float) -> Candidate | None:
        labels = Labels(GOLD, GOLD, np.ones(5, dtype=bool))
        return choose(LOGIC, ("one", "two"), WRITTEN, options([[large, small], []]), labels, price=price).chosen[0]

    assert [chosen(price) for price in (0.0, 0.24, 0.26)] == [large, large, small]


def test_options_are_asked_for_by_what_texts_would_gain():
    asked: list[list[int]] = []
    labels = Labels(np.asarray([0, 0, 0, 0, -9]), GOLD, np.ones(5, dtype=bool))
    nothing: Options = lambda _: ()  # noqa: E731
    choose(LOGIC, ("one", "two"), WRITTEN, [lambda gains: asked.append(gains.tolist()) or (), nothing], labels)
    # The first is right by the first rule alone; the last is not looked at.
    assert asked == [[-1, 1, 1, 1, 0]]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({0.2: KeptMachines.LARGE, 0.3: KeptMachines.LARGE}, "at every threshold it would be too long to read"),
        (
            {0.2: KeptMachines.LARGE, 0.3: KeptMachines.EMPTY},
            "at every threshold it would be too long to read or accept nothing",
        ),
        ({0.2: KeptMachines.EMPTY}, "at every threshold it would accept nothing"),
        ({0.2: KeptMachines.SAME}, ""),
    ],
)
def test_why_nothing_of_a_machine_can_be_read_back_is_told(
    found: dict[float, Candidate | KeptMachines], why: str
) -> None:
    assert why_unread(found) == why
