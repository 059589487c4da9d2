"""Exact factors: they give the transition tensor back without any error, and score as the machines accept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.machine_samples import (
    VOCABULARY,
    machines_of,
    machines_of_trees,
    published_machines,
    random_machines,
    vocabulary_for,
)
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, sentences, trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.symbols import ANY, END, START
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.factors import Factors, exact_factors, exact_rank, normalise, rank_one_blocks, scores, tensor_of
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary


def tensor_by_arcs(machines: Machines, vocabulary: Vocabulary) -> np.ndarray:
    """[vocabulary, states, states]: the machines' own tensors along the diagonal."""
    tensor = np.zeros((len(vocabulary), machines.states, machines.states))
    begin = 0
    for machine in machines.machines:
        end = begin + len(machine.dfa)
        tensor[:, begin:end, begin:end] = oracles.arc_tensor(machine.dfa, vocabulary.words, vocabulary.kinds)
        begin = end
    return tensor


def path_counts(factors: Factors, sentence: oracles.Sentence) -> list[float]:
    """The recurrence with nothing clamped: sums over paths."""
    state = factors.start.astype(float)
    for word in factors.vocabulary.encode(sentence):
        state = ((state @ factors.sources) * factors.words[word]) @ factors.targets.T + state @ factors.wildcard
    return [float(score) for score in factors.final @ state]


@settings(max_examples=100, deadline=None)
@given(trees())
def test_blocks_cover_every_arc_once(tree: Node) -> None:
    machine = pseudo_dfa(tree)
    covered = Counter(
        (symbol, source, target)
        for symbols, sources, targets in rank_one_blocks(machine)
        for symbol in symbols
        for source in sources
        for target in targets
    )
    arcs = {(s, a, b) for a, b, symbols in machine.arcs() for s in symbols if s not in (ANY, START, END)}
    assert covered == dict.fromkeys(arcs, 1)


@settings(max_examples=100, deadline=None)
@given(random_machines())
def test_tensor_comes_back_without_error(machines: Machines) -> None:
    factors = exact_factors(machines, VOCABULARY)
    made = tensor_of(factors.words, factors.sources, factors.targets)
    assert np.array_equal(made, tensor_by_arcs(machines, VOCABULARY))
    assert set(np.unique(made)) <= {0.0, 1.0}


@settings(max_examples=100, deadline=None)
@given(random_machines())
def test_terms_and_wildcard_stay_inside_their_machines(machines: Machines) -> None:
    factors = exact_factors(machines, VOCABULARY)
    assert factors.names == machines.names
    owner = np.concatenate([np.full(end - begin, number) for number, (begin, end) in enumerate(factors.blocks)])
    for matrix in (factors.sources, factors.targets):
        states, terms = np.nonzero(matrix)
        assert (owner[states] == factors.term_machine[terms]).all()
    sources, targets = np.nonzero(factors.wildcard)
    assert (owner[sources] == owner[targets]).all()
    machine, states = np.nonzero(factors.final)
    assert (owner[states] == machine).all()


@settings(max_examples=80, deadline=None)
@given(random_machines(), st.lists(sentences(5), min_size=1, max_size=20))
def test_scores_are_acceptance(machines: Machines, texts: list[oracles.Sentence]) -> None:
    factors = exact_factors(machines, VOCABULARY)
    for sentence in texts:
        wanted = [float(oracles.accepts(machine.tree, sentence)) for machine in machines.machines]
        assert scores(factors, sentence).tolist() == wanted


@settings(max_examples=15, deadline=None)
@given(random_machines(most=2, size=4), st.lists(sentences(4), min_size=1, max_size=5))
def test_plain_loops_give_the_same_scores(machines: Machines, texts: list[oracles.Sentence]) -> None:
    factors = exact_factors(machines, VOCABULARY)
    tensor = oracles.dense_tensor(factors)
    assert np.array_equal(tensor, tensor_by_arcs(machines, VOCABULARY) + factors.wildcard)
    for sentence in texts:
        assert oracles.dense_scores(factors, tensor, sentence) == scores(factors, sentence).tolist()


@settings(max_examples=80, deadline=None)
@given(trees(), sentences(4))
def test_unclamped_score_is_the_number_of_paths(tree: Node, sentence: oracles.Sentence) -> None:
    """With every weight 1 the sum over all paths counts them."""
    factors = exact_factors(machines_of_trees(tree), VOCABULARY)
    assert path_counts(factors, sentence) == [oracles.count_paths(pseudo_dfa(tree), sentence)]


def test_path_counts_of_a_known_rule() -> None:
    """Two places for one word: as many paths as it stands there; and an arc that names what `$` reads counts twice."""
    text = "[x]\n$* a $*"
    factors = exact_factors(machines_of(text), vocabulary_for(text))
    assert path_counts(factors, ("a", "b", "a", "a")) == [3.0]
    text = "[x]\n( $ | a ) ( $ | a )"
    factors = exact_factors(machines_of(text), vocabulary_for(text))
    assert path_counts(factors, ("a", "b")) == [2.0]
    assert path_counts(factors, ("a", "a")) == [4.0]


def test_unknown_words_have_the_rows_of_their_kinds() -> None:
    text = "[x]\n$* % &\n"
    factors = exact_factors(machines_of(text), vocabulary_for(text, ("d", "17", "?")))
    rows = factors.words
    index = factors.vocabulary.index
    assert rows[0].tolist() == rows[index["d"]].tolist() == [0.0] * factors.rank
    assert rows[1].tolist() == rows[index["17"]].tolist() != rows[0].tolist()
    assert rows[2].tolist() == rows[index["?"]].tolist() != rows[0].tolist()


@pytest.mark.parametrize(
    ("name", "most"), [("atis.rules.v0.config", 100), ("trec.rules.old.config", 140), ("sms.rules.config", 72)]
)
def test_published_rules_are_exact_at_a_small_rank(name: str, most: int) -> None:
    machines, vocabulary = published_machines(name)
    factors = exact_factors(machines, vocabulary)
    assert exact_rank(machines) == factors.rank <= most
    made = tensor_of(factors.words, factors.sources, factors.targets)
    assert np.array_equal(made, tensor_by_arcs(machines, vocabulary))


@settings(max_examples=60, deadline=None)
@given(random_machines(), st.lists(sentences(6), min_size=1, max_size=10))
def test_normalised_factors_are_the_same_tensor(machines: Machines, texts: list[oracles.Sentence]) -> None:
    factors = exact_factors(machines, VOCABULARY)
    scaled = normalise(factors)
    made, wanted = (tensor_of(f.words, f.sources, f.targets) for f in (scaled, factors))
    assert np.abs(made - wanted).max(initial=0.0) < 1e-6
    for sentence in texts:
        assert np.abs(scores(scaled, sentence) - scores(factors, sentence)).max() < 1e-4
    if factors.rank:
        norms = [np.linalg.norm(matrix) / matrix.size for matrix in (scaled.words, scaled.sources, scaled.targets)]
        assert max(norms) == pytest.approx(min(norms), rel=1e-4)


def test_factors_without_terms_are_left_alone_by_scaling() -> None:
    factors = exact_factors(machines_of("[x]\n$* BOS? $"), build_vocabulary([]))
    assert factors.rank == 0
    assert normalise(factors) is factors
    assert scores(factors, ("any",)).tolist() == [1.0]
    assert scores(factors, ()).tolist() == [0.0]


def test_shapes_are_checked() -> None:
    factors = exact_factors(machines_of("[x]\na b"), vocabulary_for("[x]\na b"))
    with pytest.raises(ValueError, match=r"^start must have shape \(3,\), got \(4,\)$"):
        replace(factors, start=np.zeros(4, dtype=np.float32))
    with pytest.raises(ValueError, match=r"^words must have shape \(5, 2\), got \(5, 3\)$"):
        replace(factors, words=np.zeros((5, 3), dtype=np.float32))


def test_words_of_random_texts_are_partly_unknown() -> None:
    """Otherwise the tests above would say nothing of unknown words."""
    assert {word for word in TEXT_WORDS if word not in VOCABULARY.index} == {"9", "!"}
    assert VOCABULARY.encode(("zz", "123", "?")) == [0, 1, 2]
