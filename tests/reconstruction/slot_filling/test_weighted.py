"""The weights of a tagger's blocks: those of the rules before training, those of the formula after it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, disturbed, system_of, tagger_of, vocabulary_of

from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.reconstruction.slot_filling.machine_changes import rule_machine
from re2nn_core.reconstruction.slot_filling.votes import Members
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules

SYSTEM = system_of(TRIP)
VOCABULARY = vocabulary_of(SYSTEM, TRIP_TEXTS)


@pytest.mark.parametrize("kind", ["positions", "ifst"])
def test_untrained_weights_are_the_arcs_of_the_rules(kind: str) -> None:
    rules = weighted_rules([tagger_of(SYSTEM, VOCABULARY, transducer=kind)], VOCABULARY)
    for (name, tree), weights in zip(SYSTEM.trees, rules, strict=True):
        machine = rule_machine(tree, name, kind)
        states = max(machine.states) + 1
        expected = np.zeros((len(VOCABULARY), states, states))
        for target in machine.reading:
            for source in machine.in_front_of(target):
                read = Members(VOCABULARY).read(machine.symbols[target])
                expected[read, machine.states[source], machine.states[target]] = 1
        found = np.stack([[weights.arcs([i], j) for j in range(states)] for i in range(states)])
        assert np.array_equal(found.transpose(2, 0, 1), expected)
        assert not weights.head.any()


def dense(network: FstRnn, rule: int) -> np.ndarray:
    """[vocabulary, states, states] by the formula, term by term."""
    reader = network.reader
    (begin, end), weights = network.blocks[rule], reader.weights()
    with torch.no_grad():
        words = reader.word_terms(torch.arange(len(VOCABULARY)))
        arcs = torch.einsum("vr,ir,jr->vij", words, weights.sources[begin:end], weights.targets[begin:end])
        return (arcs + weights.wildcard[begin:end, begin:end]).numpy()


def test_trained_weights_are_those_of_the_formula_and_of_several_networks_the_mean() -> None:
    networks = [disturbed(tagger_of(SYSTEM, VOCABULARY), 0.3, seed) for seed in range(2)]
    for rule, weights in enumerate(weighted_rules(networks, VOCABULARY)):
        mean = np.mean([dense(network, rule) for network in networks], axis=0)
        states = mean.shape[1]
        for target in range(states):
            assert weights.arcs([0], target) == pytest.approx(mean[:, 0, target], abs=1e-5)
            assert weights.arcs([0, 1], target) == pytest.approx(mean[:, :2, target].mean(1), abs=1e-5)
        each = [dense(network, rule)[3:, :2].mean(1).max(0) for network in networks]
        assert weights.strongest([0, 1]) == pytest.approx(np.mean(each, axis=0), abs=1e-5)
    begin, end = networks[0].blocks[1]
    heads = np.mean([network.head[begin:end].detach().numpy() for network in networks], axis=0)
    assert weighted_rules(networks, VOCABULARY)[1].head == pytest.approx(heads)
