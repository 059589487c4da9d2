"""Best paths against all paths of small machines, and their place in the exact network."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import RULE_WORDS, sentences, trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.explain import Reading
from re2nn_core.explain.rule_paths import rule_path
from re2nn_core.network.classification.best_paths import Trellis, WeightedPath, best_paths, trellis
from re2nn_core.network.classification.bundle import build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.factors import factors_of
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

VOCABULARY = build_vocabulary([("d",)], always=RULE_WORDS)


def all_paths(machine: Trellis) -> list[float]:
    """The weight of every path above zero, in falling order, by walking all of them."""
    states, words = len(machine.start), len(machine.edges)
    weights = []
    for way in product(range(states), repeat=words + 1):
        parts = [float(machine.start[way[0]]), float(machine.end[way[-1]])]
        parts += [float(machine.edges[place, a, b]) for place, (a, b) in enumerate(zip(way, way[1:], strict=False))]
        weight = 1.0
        for part in parts:
            weight *= max(0.0, part)
        if weight > 0:
            weights.append(weight)
    return sorted(weights, reverse=True)


def random_trellis(seed: int, words: int, states: int) -> Trellis:
    random = torch.Generator().manual_seed(seed)

    def some(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=random, dtype=torch.double).round(decimals=2)

    edges = some(words, states, states)
    return Trellis(edges, edges > 1, some(states), some(states))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 4), st.integers(1, 3), st.integers(1, 5))
def test_paths_are_the_best_of_all(seed: int, words: int, states: int, most: int) -> None:
    machine = random_trellis(seed, words, states)
    found = best_paths(machine, most)
    expected = all_paths(machine)[:most]
    assert [path.weight for path in found] == pytest.approx(expected, rel=1e-4)
    for path in found:
        assert path.weight == pytest.approx(weight_of(machine, path))
    assert len({path.states for path in found}) == len(found)


def weight_of(machine: Trellis, path: WeightedPath) -> float:
    weight = float(machine.start[path.states[0]] * machine.end[path.states[-1]])
    for place, (a, b) in enumerate(zip(path.states, path.states[1:], strict=False)):
        weight *= float(machine.edges[place, a, b])
    return weight


@settings(max_examples=60, deadline=None)
@given(trees(5), sentences(4), st.booleans())
def test_exact_network_has_the_paths_of_the_rule(tree: Node, sentence: tuple[str, ...], decomposed: bool) -> None:
    """A path of weight one where the machine accepts, none where it does not; the one that names most words first."""
    machine = pseudo_dfa(tree)
    config = NetworkConfig(vectors="none", dropout=0.0, decomposed=decomposed)
    reader = RecurrentLayer(factors_of([("r", machine)], VOCABULARY), None, config)
    terms = reader.word_terms(torch.tensor(VOCABULARY.encode(sentence), dtype=torch.long))
    found = best_paths(trellis(reader, terms, 0))
    way = rule_path(machine, sentence)
    assert bool(found) == (way is not None)
    if way is None:
        return
    # An arc that reads a word by its name and by `$` at once weighs 2.
    assert found[0].weight >= 1
    assert len(found[0].states) == len(sentence) + 1
    # A word that `[^ a ]` reads is carried by the word in a network, and named by nobody in a rule.
    if found[0].weight == 1 and decomposed and not machine.complements:
        named = sum(move.reading is Reading.NAMED for move in way)
        arcs = trellis(reader, terms, 0).named
        pairs = zip(found[0].states, found[0].states[1:], strict=False)
        assert sum(bool(arcs[place, a, b]) for place, (a, b) in enumerate(pairs)) == named


def test_a_sentence_without_words_has_the_path_of_one_state() -> None:
    bundle = build_bundle("[x]\nr := a?\n", "", Tokenization(), VOCABULARY, NetworkConfig(vectors="none"))
    terms = bundle.network.reader.word_terms(torch.zeros(0, dtype=torch.long))
    (path,) = best_paths(trellis(bundle.network.reader, terms, 0))
    assert (path.weight, path.edges, len(path.states)) == (1.0, (), 1)
