"""The strongest weight of what was not written, and why a rule stays as it is written at a threshold."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.automata.symbols import ANY, NUMBER, Symbol
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight, learned_weight, why_as_written
from re2nn_core.reconstruction.classification.threshold_choice import KeptMachines
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.text.kinds import is_number
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary

WORDS = ("oslo", "rome", "7", "cost")
VOCABULARY = Vocabulary((*UNKNOWN_KINDS, *WORDS))
STATES = 3
Arcs = list[tuple[int, int, frozenset[Symbol]]]


def machine(seed: int) -> WeightedMachine:
    arcs = np.random.default_rng(seed).random((len(VOCABULARY), STATES, STATES)).astype(np.float32)
    return WeightedMachine("m", VOCABULARY, arcs, np.ones(STATES, np.float32), np.ones(STATES, np.float32))


def slowly(weighted: WeightedMachine, written: Arcs) -> LearnedWeight:
    """Word by word and arc by arc."""
    found = LearnedWeight()
    for place, word in enumerate(VOCABULARY.words[len(UNKNOWN_KINDS) :], start=len(UNKNOWN_KINDS)):
        for source in range(STATES):
            for target in range(STATES):
                symbols = [s for begin, end, some in written if (begin, end) == (source, target) for s in some]
                if word in symbols or ANY in symbols or (NUMBER in symbols and is_number(word)):
                    continue
                weight = float(weighted.arcs[place, source, target])
                if weight > found.weight:
                    found = LearnedWeight(weight, word)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_strongest_is_that_of_the_slow_twin(seed: int) -> None:
    weighted = machine(seed)
    for written in (
        [],
        [(0, 1, frozenset({"oslo", "cost"})), (1, 1, frozenset({ANY}))],
        [(0, 0, frozenset({NUMBER})), (2, 1, frozenset({"rome", "unheard"}))],
        [(source, target, frozenset({ANY})) for source in range(STATES) for target in range(STATES)],
    ):
        assert learned_weight(weighted, written) == slowly(weighted, written)


@pytest.mark.parametrize(
    ("kept", "learned", "said"),
    [
        (
            KeptMachines.SAME,
            LearnedWeight(0.3, "cost"),
            "what it has learned weighs up to 0.30 (cost), below the threshold 0.45",
        ),
        (KeptMachines.SAME, LearnedWeight(0.004, "cost"), "training changed nothing"),
        (KeptMachines.SAME, LearnedWeight(), "training changed nothing"),
        (
            KeptMachines.SAME,
            LearnedWeight(0.6, "cost"),
            "what it has learned, of weight up to 0.60 (cost), does not change what the rule accepts",
        ),
        (KeptMachines.EMPTY, LearnedWeight(0.3, "cost"), "it would accept nothing"),
    ],
)
def test_what_a_threshold_hides_is_not_called_nothing(kept: KeptMachines, learned: LearnedWeight, said: str) -> None:
    assert why_as_written(kept, learned, 0.45) == said
