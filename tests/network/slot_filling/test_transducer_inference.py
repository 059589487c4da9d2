"""Algorithms 1 and 2 against each other, against all accepting paths one by one, and against what rules may tag."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import VOCABULARY, batch_of, tags_named
from support.rules import tagging_oracles
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import TagCase, slot_trees, tag_cases

from re2nn_core.automata.independent import independent
from re2nn_core.automata.output_sets import TagMachine, tag_sets
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import OutputArc, Transducer, minimal_transducer, position_transducer
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.slot_filling.transducer_inference import (
    FstTensors,
    IndependentTensors,
    fst_label_scores,
    fst_tensors,
    independent_label_scores,
    independent_tensors,
)
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Node, named_words
from re2nn_core.tensors.tagged_factors import tag_factors
from re2nn_core.text.vocabulary import build_vocabulary

Text = tuple[str, ...]


def path_counts(machine: TagMachine, text: Text, tags: Sequence[str]) -> list[list[float]]:
    """The slow twin for machines: [words][tags], the number of accepting paths that give each word each tag."""
    counts = np.zeros((len(text), len(tags)))

    def walk(state: int, outputs: list[str]) -> None:
        if len(outputs) == len(text):
            if machine.sentence_final >> state & 1:
                for place, output in enumerate(outputs):
                    counts[place, tags.index(output)] += 1
            return
        word = text[len(outputs)]
        for target in bits(machine.step(1 << state, word)):
            for output in machine.step_back(1 << state, 1 << target, word)[1]:
                walk(target, [*outputs, output])

    for state in bits(machine.sentence_start):
        walk(state, [])
    return counts.tolist()


def path_sums(tensors: FstTensors, words: Sequence[int]) -> np.ndarray:
    """The slow twin for weights: [words, tags], the sum over all paths of the products of their weights."""
    arcs, start, final = (part.numpy() for part in (tensors.transitions, tensors.start, tensors.final))
    scores = np.zeros((len(words), arcs.shape[1]))

    def walk(state: int, weight: float, given: list[int]) -> None:
        if len(given) == len(words):
            for place, tag in enumerate(given):
                scores[place, tag] += weight * final[state]
            return
        for tag in range(arcs.shape[1]):
            for target in range(len(start)):
                walk(target, weight * arcs[words[len(given)], tag, state, target], [*given, tag])

    for state in range(len(start)):
        walk(state, start[state], [])
    return scores


def tags_for(tree: Node) -> tuple[str, ...]:
    return (WILDCARD, *tags_named([tree]))


def shares(scores: torch.Tensor, tags: Sequence[str], length: int) -> tuple[frozenset[str], ...] | None:
    """The tags that have a score, word by word; None where no word has any."""
    assert set(scores.unique().tolist()) <= {0.0, 1.0}
    found = tuple(frozenset(tag for tag, score in zip(tags, row, strict=True) if score) for row in scores.tolist())
    assert not any(found[length:])
    return found[:length] if length == 0 or any(found[:length]) else None


def check_rule(tree: Node, text: Text) -> None:
    """Both algorithms, on the transducers of one rule and one sentence beside others."""
    made = tagged(tree)
    fst, tags = minimal_transducer(made), tags_for(made)
    vocabulary = build_vocabulary([text[::2]], always=named_words(tree))
    batch = batch_of(vocabulary, [text, text[:1], ()])
    exact = fst_tensors(fst, vocabulary, tags)
    ifst, positions = (independent_tensors(tag_factors([("r", made)], vocabulary, kind), tags) for kind in KINDS)
    by_first = fst_label_scores(exact, batch)
    assert by_first[0].tolist() == path_counts(fst, text, tags)
    assert by_first[0].tolist() == path_counts(independent(fst), text, tags)
    assert torch.equal(independent_label_scores(ifst, batch), by_first)
    assert torch.equal(fst_label_scores(ifst.on_arcs(), batch), by_first)
    assert independent_label_scores(positions, batch)[0].tolist() == path_counts(position_transducer(made), text, tags)
    wanted = tag_sets(fst, text)
    assert wanted == tagging_oracles.tag_sets(tree, text)
    if text:
        found = [independent_label_scores(one, batch, "acceptance") for one in (ifst, positions)]
        for scores in (*found, fst_label_scores(exact, batch, "acceptance")):
            assert shares(scores[0], tags, len(text)) == wanted


KINDS = ("ifst", "positions")


@pytest.mark.parametrize("case", tag_cases(), ids=lambda case: case.name)
def test_table(case: TagCase) -> None:
    check_rule(case.tree, case.sentence)


@settings(max_examples=60, deadline=None)
@given(slot_trees(3), sentences(4))
def test_random_rules(tree: Node, text: Text) -> None:
    check_rule(tree, text)


def weights(random: np.random.Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(random.uniform(-1, 1, shape))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31 - 1), st.integers(1, 3), st.integers(1, 3), st.lists(st.integers(0, 3), max_size=3))
def test_random_weights(seed: int, states: int, tags: int, lengths: list[int]) -> None:
    """Two different machines: one whose tags depend on arcs, one whose tags depend on states."""
    random = np.random.default_rng(seed)
    lengths = sorted(lengths, reverse=True)
    words = random.integers(0, 4, (len(lengths), max(lengths, default=0) + 1))  # one column of padding
    batch = Batch(torch.from_numpy(words), lengths)
    start, final = weights(random, states), weights(random, states)
    fst = FstTensors(weights(random, 4, tags, states, states), start, final)
    outputs = torch.eye(tags, dtype=torch.float64)[torch.from_numpy(random.integers(0, tags, states))]
    ifst = IndependentTensors(weights(random, 4, states, states), outputs, start, final)
    for tensors, scores in (
        (fst, fst_label_scores(fst, batch)),
        (ifst.on_arcs(), independent_label_scores(ifst, batch)),
        (ifst.on_arcs(), fst_label_scores(ifst.on_arcs(), batch)),
    ):
        for row, length in enumerate(lengths):
            assert np.allclose(scores[row, :length], path_sums(tensors, words[row, :length]), rtol=1e-10, atol=1e-12)
            assert not scores[row, length:].any()


def test_each_word_has_all_the_weight_of_the_sentence() -> None:
    random = np.random.default_rng(1)
    fst = FstTensors(weights(random, 4, 3, 4, 4), weights(random, 4), weights(random, 4))
    total = fst_label_scores(fst, Batch(torch.tensor([[0, 1, 2, 3, 0]]), [5])).sum(2)[0]
    assert torch.allclose(total, total[0].expand(5))


def test_outputs_of_other_weights_count_twice_in_algorithm_2() -> None:
    """As the module says: one state, one word, output weight 1/2; algorithm 1 gives 1/2, algorithm 2 its square."""
    half = torch.tensor([[0.5]])
    ifst = IndependentTensors(torch.ones(1, 1, 1), half, torch.ones(1), torch.ones(1))
    batch = Batch(torch.tensor([[0]]), [1])
    assert fst_label_scores(ifst.on_arcs(), batch).tolist() == [[[0.5]]]
    assert independent_label_scores(ifst, batch).tolist() == [[[0.25]]]


def test_an_arc_that_reads_a_word_in_two_ways_counts_once() -> None:
    made = tagged(parse_expression("( a | $ )*"))
    vocabulary = build_vocabulary([("a", "b")])
    scores = fst_label_scores(
        fst_tensors(minimal_transducer(made), vocabulary, (WILDCARD,)), batch_of(vocabulary, ["a"])
    )
    assert scores.tolist() == [[[1.0]]]
    for kind in KINDS:
        tensors = independent_tensors(tag_factors([("r", made)], vocabulary, kind), (WILDCARD,))
        assert tensors.transitions.max() == 1
        assert independent_label_scores(tensors, batch_of(vocabulary, ["a"])).tolist() == [[[1.0]]]
    twice = (OutputArc(0, 0, frozenset({"a"}), "O"), OutputArc(0, 0, frozenset({"b"}), "O"))
    tensors = fst_tensors(Transducer(1, twice, 0, frozenset({0})), vocabulary, ("O",))
    assert tensors.transitions[vocabulary.encode(("a", "b", "c")), 0, 0, 0].tolist() == [1, 1, 0]


def test_no_sentences_and_sentences_without_words() -> None:
    made = tagged(parse_expression("$* [ a ]<x> $*"))
    tags = tags_for(made)
    fst = fst_tensors(minimal_transducer(made), VOCABULARY, tags)
    ifst = independent_tensors(tag_factors([("r", made)], VOCABULARY, "ifst"), tags)
    for texts in ([], [()], [(), ()]):
        batch = batch_of(VOCABULARY, texts)
        assert fst_label_scores(fst, batch).shape == (len(texts), 0, 2)
        assert independent_label_scores(ifst, batch).shape == (len(texts), 0, 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: FstTensors(torch.zeros(2, 1, 3, 2), torch.zeros(3), torch.zeros(3)),
            "transitions must have shape (2, 1, 3, 3) (got (2, 1, 3, 2))",
        ),
        (
            lambda: FstTensors(torch.zeros(2, 1, 3, 3), torch.zeros(3), torch.zeros(1)),
            "final must have shape (3,) (got (1,))",
        ),
        (
            lambda: IndependentTensors(torch.zeros(2, 3, 3), torch.zeros(2, 5), torch.zeros(3), torch.zeros(3)),
            "outputs must have shape (3, 5) (got (2, 5))",
        ),
    ],
)
def test_shapes_are_checked(make: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value) == message
