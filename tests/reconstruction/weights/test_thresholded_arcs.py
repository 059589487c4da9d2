"""From weights to arcs."""

from __future__ import annotations

import numpy as np
import pytest
from support.networks.small_system import small_corpus, small_system

from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Complement
from re2nn_core.reconstruction.weights.thresholded_arcs import thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine, weighted_machines
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.text.vocabulary import build_vocabulary

VOCABULARY = build_vocabulary([("a", "b", "c", "7", "8", ",")])


def machine(weights: dict[str, float], unknown: tuple[float, float, float]) -> WeightedMachine:
    """Two states, one arc from 0 to 1; weights by word, then of unknown words, numbers, punctuation."""
    arcs = np.zeros((len(VOCABULARY), 2, 2), dtype=np.float32)
    for word, weight in weights.items():
        arcs[VOCABULARY.index[word], 0, 1] = weight
    arcs[:3, 0, 1] = unknown
    return WeightedMachine("m", VOCABULARY, arcs, np.asarray([1, 0]), np.asarray([0, 1]))


def symbols(weighted: WeightedMachine, threshold: float) -> frozenset[object]:
    (arc,) = thresholded(weighted, threshold).arcs
    return arc.symbols


def test_words_at_or_above_the_threshold_are_on_the_arc():
    weighted = machine({"a": 0.9, "b": 0.5, "c": 0.4}, (0, 0, 0))
    assert symbols(weighted, 0.5) == {"a", "b"}
    assert symbols(weighted, 0.6) == {"a"}


def test_what_unknown_words_do_decides_the_wildcard():
    everywhere = dict.fromkeys(("a", "b", "c", "7", "8", ","), 1.0)
    assert symbols(machine(everywhere, (1, 1, 1)), 0.5) == {ANY}


def test_a_wildcard_leaves_out_the_words_below_the_threshold():
    assert symbols(machine({"a": 1.0}, (1, 1, 1)), 0.5) == {Complement({"b", "c", "7", "8", ","})}
    assert symbols(machine({"a": 1.0, "7": 1.0}, (1, 0, 0)), 0.5) == {Complement({"b", "c", NUMBER, PUNCTUATION}), "7"}


def test_unknown_numbers_make_a_number_arc():
    assert symbols(machine({"7": 1.0, "8": 1.0, "a": 1.0}, (0, 1, 0)), 0.5) == {NUMBER, "a"}


def test_nothing_above_the_threshold_leaves_no_arc():
    assert thresholded(machine({"a": 0.2}, (0, 0, 0)), 0.5).arcs == ()


@pytest.mark.parametrize("threshold", [0.1, 0.5, 1.0])
def test_the_untrained_network_reads_back_as_its_rules(threshold: float):
    bundle = untrained(small_system(), small_corpus().texts)
    for weighted, written in zip(
        weighted_machines(bundle.network, bundle.vocabulary), bundle.machines.machines, strict=True
    ):
        before, after = build_positions(written.tree), thresholded(weighted, threshold).positions()
        assert shortest_escape(before, after) is None
        assert shortest_escape(after, before) is None


def test_numbers_but_few_stay_numbers_on_the_arc():
    found = symbols(machine({"7": 1.0, "8": 0.0}, (0, 1, 0)), 0.5)
    assert found == {Complement({"8"}, NUMBER)}
