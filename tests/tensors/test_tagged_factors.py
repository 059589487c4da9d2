"""Factors of transducers give back, word by word, what the transducers do and which output each state has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import VOCABULARY
from support.rules.tagged_rules import ATIS, SNIPS, TagCase, published_rules, slot_trees, tag_cases

from re2nn_core.automata.independent import IndependentTransducer, independent
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import PositionTransducer, minimal_transducer, position_transducer
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node, named_words
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import tensor_of
from re2nn_core.tensors.tagged_factors import TagFactors, TransducerKind, indicator, tag_factors, with_factors
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary, build_vocabulary

KINDS: tuple[TransducerKind, ...] = ("positions", "ifst")
kinds = pytest.mark.parametrize("kind", KINDS)
# What stands for words outside the vocabulary: a plain word, a number, a sign.
UNKNOWN = dict(zip(UNKNOWN_KINDS, ("zzz", "99", "?"), strict=True))


def machine_of(tree: Node, kind: TransducerKind) -> PositionTransducer | IndependentTransducer:
    return position_transducer(tree) if kind == "positions" else independent(minimal_transducer(tree))


def check(trees: Sequence[Node], vocabulary: Vocabulary, kind: TransducerKind) -> None:
    """Every word from every state, rule by rule, and nothing between rules."""
    found = tag_factors([(f"r{number}", tree) for number, tree in enumerate(trees)], vocabulary, kind)
    factors = found.factors
    tensor = np.minimum(tensor_of(factors.words, factors.sources, factors.targets) + factors.wildcard, 1)
    wanted = np.zeros_like(tensor)
    outputs: list[str | None] = []
    for number, tree in enumerate(trees):
        machine, (begin, end) = machine_of(tree, kind), factors.blocks[number]
        assert end - begin == len(machine)
        outputs += machine.outputs
        for word, written in enumerate(vocabulary.words):
            for state in range(len(machine)):
                behind = bits(machine.step(1 << state, UNKNOWN.get(written, written)))
                wanted[word, begin + state, [begin + target for target in behind]] = 1
        assert np.flatnonzero(factors.start[begin:end]).tolist() == list(bits(machine.sentence_start))
        assert np.flatnonzero(factors.final[number]).tolist() == [begin + s for s in bits(machine.sentence_final)]
    assert np.array_equal(tensor, wanted)
    assert found.outputs == tuple(outputs)
    check_emitters(found)


def check_emitters(found: TagFactors) -> None:
    """One emitter for each rule and output, in the order of states."""
    expected = []
    for rule, (begin, end) in enumerate(found.factors.blocks):
        expected += [None if output is None else (rule, output) for output in found.outputs[begin:end]]
    assert list(found.emitter_of) == expected
    assert len(set(found.emitters)) == len(found.emitters)
    assert set(found.emitters) == {pair for pair in expected if pair is not None}
    first = [expected.index(emitter) for emitter in found.emitters]
    assert first == sorted(first)


@kinds
@pytest.mark.parametrize("case", tag_cases(), ids=lambda case: case.name)
def test_table(case: TagCase, kind: TransducerKind) -> None:
    check([tagged(case.tree)], build_vocabulary([case.sentence], always=named_words(case.tree)), kind)


@settings(max_examples=60, deadline=None)
@given(st.lists(slot_trees(3), min_size=1, max_size=3), st.sampled_from(KINDS))
def test_random_rules(trees: list[Node], kind: TransducerKind) -> None:
    check([tagged(tree) for tree in trees], VOCABULARY, kind)


@kinds
@pytest.mark.parametrize("name", [ATIS, SNIPS])
def test_published_rules(name: str, kind: TransducerKind) -> None:
    """So many states that the definition takes long: the smallest of the rules only."""
    trees = sorted((tagged(rule.expanded) for rule in published_rules(name).rules), key=lambda tree: len(str(tree)))[:6]
    check(trees, build_vocabulary([], always=frozenset().union(*map(named_words, trees))), kind)


def test_every_state_that_a_word_leads_to_has_an_output() -> None:
    for kind in KINDS:
        found = tag_factors([("r", tagged(parse_expression("$* [ a b? ]<x> c<:>B-y EOS")))], VOCABULARY, kind)
        arcs = found.factors.sources @ found.factors.targets.T + found.factors.wildcard
        entered = arcs.sum(0) > 0
        assert [output is not None for output in found.outputs] == entered.tolist()


def test_the_smallest_machine_is_no_larger_than_the_positions() -> None:
    tree = tagged(parse_expression("$* from [ ( a | b ) ]<x> $* | $* from [ ( c | d ) ]<x> $*"))
    positions, ifst = (tag_factors([("r", tree)], VOCABULARY, kind) for kind in KINDS)
    assert ifst.factors.states < positions.factors.states
    assert set(ifst.emitters) == set(positions.emitters) == {(0, "B-x"), (0, "OO")}


def test_other_factors_of_the_same_machines() -> None:
    found = tag_factors([("r", tagged(parse_expression("$* [ a b c ]<x> $*")))], VOCABULARY)
    smaller = with_factors(found, low_rank(found.factors, 2, seed=0).factors)
    assert (smaller.factors.rank, smaller.outputs, smaller.emitters) == (2, found.outputs, found.emitters)
    with pytest.raises(ValueError) as caught:
        TagFactors(found.factors, found.outputs[:-1])
    states = found.factors.states
    assert str(caught.value) == f"{states} states need as many outputs (got {states - 1})"


def test_no_rules() -> None:
    found = tag_factors([], VOCABULARY)
    assert (found.factors.states, found.outputs, found.emitters, found.emitter_of) == (0, (), (), ())


def test_indicator() -> None:
    assert indicator(3, [1, None, 0], 2).tolist() == [[0, 1], [0, 0], [1, 0]]
    assert indicator(0, [], 2).shape == (0, 2)
