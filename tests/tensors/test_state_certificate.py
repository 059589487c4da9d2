"""The state-by-state certificate: it holds for exact factors, and for no factors with a fault that could matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.machine_samples import (
    VOCABULARY,
    machines_of,
    published_machines,
    random_machines,
    vocabulary_for,
)
from support.rules import oracles
from support.rules.automata_strategies import sentences

from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Factors, exact_factors, normalise, scores, tensor_of
from re2nn_core.tensors.machines import Machines
from re2nn_core.tensors.state_certificate import StateCheck, check_states

MATRICES = ("words", "sources", "targets", "wildcard", "start", "final")
TEXT = "[x]\nto_city := $* to ( boston | new york ) $*\n[y]\nprice := $* % dollars &?\nopen := hello ${1,2}\n"


def known(text: str = TEXT) -> tuple[Machines, Factors]:
    machines = machines_of(text)
    return machines, exact_factors(machines, vocabulary_for(text, ("a", "flight", "77", "!")))


def changed(factors: Factors, name: str, place: tuple[int, ...], value: float) -> Factors:
    """The factors with one entry set."""
    matrix = getattr(factors, name).copy()
    matrix[place] = value
    return replace(factors, **{name: matrix})


def moves(factors: Factors) -> np.ndarray:
    """[vocabulary, states, states] with the wildcard put in; more than 1 counts as 1, as states are clamped."""
    return np.minimum(tensor_of(factors.words, factors.sources, factors.targets) + factors.wildcard, 1)


def behaves_alike(one: Factors, other: Factors) -> bool:
    same_ends = np.array_equal(one.start, other.start) and np.array_equal(one.final, other.final)
    return bool(same_ends and np.array_equal(moves(one), moves(other)))


@settings(max_examples=80, deadline=None)
@given(random_machines())
def test_exact_factors_are_certified(machines: Machines) -> None:
    check = check_states(machines, exact_factors(machines, VOCABULARY))
    assert check == StateCheck(len(VOCABULARY), machines.states, len(VOCABULARY) * machines.states, 0.0, ())
    assert check.equal


@settings(max_examples=150, deadline=None)
@given(random_machines(), st.sampled_from(MATRICES), st.data())
def test_one_flipped_entry_is_found_wherever_it_matters(machines: Machines, name: str, data: st.DataObject) -> None:
    """An entry is of no matter only where a wildcard arc reads the same words already, or no other factor meets it."""
    factors = exact_factors(machines, VOCABULARY)
    matrix = getattr(factors, name)
    if matrix.size == 0:
        return
    place = tuple(data.draw(st.integers(0, size - 1)) for size in matrix.shape)
    faulty = changed(factors, name, place, 1 - matrix[place])
    assert check_states(machines, faulty).equal == behaves_alike(factors, faulty)


@pytest.mark.parametrize("name", MATRICES)
def test_every_flipped_entry_of_a_known_rule_set(name: str) -> None:
    machines, factors = known()
    matrix = getattr(factors, name)
    found = 0
    for place in np.ndindex(*matrix.shape):
        faulty = changed(factors, name, place, 1 - matrix[place])
        equal = check_states(machines, faulty).equal
        assert equal == behaves_alike(factors, faulty), place
        found += not equal
    assert found > 0.8 * matrix.size


@settings(max_examples=100, deadline=None)
@given(random_machines(size=4), st.sampled_from(MATRICES), st.data(), st.lists(sentences(4), min_size=5, max_size=20))
def test_what_is_certified_scores_as_the_machines_accept(
    machines: Machines, name: str, data: st.DataObject, texts: list[oracles.Sentence]
) -> None:
    factors = exact_factors(machines, VOCABULARY)
    matrix = getattr(factors, name)
    if matrix.size:
        place = tuple(data.draw(st.integers(0, size - 1)) for size in matrix.shape)
        factors = changed(factors, name, place, data.draw(st.sampled_from([-1.0, 0.0, 1.0, 2.0])))
    if check_states(machines, factors).equal:
        for sentence in texts:
            assert scores(factors, sentence).tolist() == [m.dfa.accepts(sentence) for m in machines.machines]


def test_an_entry_below_zero_is_a_fault_even_where_no_arc_is() -> None:
    """It would take away what another state adds: here `b` after two ways of reading `a`."""
    machines = machines_of("[x]\n( a | $ a ) b | c b")
    factors = exact_factors(machines, vocabulary_for("[x]\n( a | $ a ) b | c b"))
    free = np.argwhere(factors.wildcard == 0)[0]
    check = check_states(machines, changed(factors, "wildcard", tuple(free), -1.0))
    assert not check.equal
    assert check.max_error == 1.0


def test_a_word_that_a_machine_names_outside_the_vocabulary_is_checked_too() -> None:
    machines = machines_of("[x]\n$* boston $*")
    without = exact_factors(machines, vocabulary_for("[x]\nother"))
    assert scores(without, ("boston",)).tolist() == [0.0]
    check = check_states(machines, without)
    assert not check.equal
    assert check.faults == ("the word 'boston' moves otherwise (difference 1)",)


def test_a_word_outside_the_vocabulary_that_changes_nothing_is_no_fault() -> None:
    machines = machines_of("[x]\n( boston | $ ) now")
    assert check_states(machines, exact_factors(machines, vocabulary_for("[x]\nnow"))).equal


def test_faults_say_what_moves_otherwise() -> None:
    machines, factors = known()
    index = factors.vocabulary.index
    term = int(np.argwhere(factors.words[index["boston"]])[0, 0])
    assert check_states(machines, changed(factors, "words", (index["boston"], term), 0.0)).faults == (
        "the word 'boston' moves otherwise (difference 1)",
    )
    assert check_states(machines, changed(factors, "words", (1, term), 1.0)).faults == (
        "the word 'any other number' moves otherwise (difference 1)",
    )
    begin = factors.blocks[1][0]
    assert check_states(machines, changed(factors, "start", (begin,), 0.0)).faults == (
        "automaton price starts in other states",
    )
    assert check_states(machines, changed(factors, "final", (2, begin), 1.0)).faults == (
        "automaton open ends in other states",
    )


def test_at_most_twenty_faults_are_named() -> None:
    machines = machines_of(TEXT)
    factors = exact_factors(machines, vocabulary_for(TEXT, [f"{number} dollars" for number in range(40)]))
    check = check_states(machines, replace(factors, wildcard=1 - factors.wildcard))
    assert len(check.faults) == 20
    assert not check.equal


def test_scaled_factors_are_equal_and_what_is_off_by_more_than_the_tolerance_is_not() -> None:
    machines, factors = known()
    assert check_states(machines, normalise(factors)).equal
    weaker = replace(factors, words=factors.words * np.float32(0.999))
    assert check_states(machines, weaker).max_error == pytest.approx(1e-3, rel=1e-3)
    assert not check_states(machines, weaker).equal
    assert check_states(machines, weaker, tolerance=2e-3).equal
    assert not check_states(machines, low_rank(factors, 2, seed=0).factors).equal


@pytest.mark.parametrize("name", ["atis.rules.v0.config", "trec.rules.old.config", "sms.rules.config"])
@pytest.mark.parametrize("mode", ["label", "rule"])
def test_published_rules_are_certified(name: str, mode: str) -> None:
    machines, vocabulary = published_machines(name, "label" if mode == "label" else "rule")
    check = check_states(machines, exact_factors(machines, vocabulary))
    assert check.equal
    assert check.max_error == 0.0
    assert check.words == len(vocabulary)
