"""The certificate of transducers: it holds for exact factors of both kinds, and for none with a planted fault."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.tagged_rules import ATIS, SNIPS, published_rules, slot_trees

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node, named_words
from re2nn_core.tensors.factors import Factors
from re2nn_core.tensors.tagged_factors import TagFactors, TransducerKind, tag_factors, with_factors
from re2nn_core.tensors.tagged_state_certificate import TransducerCheck, check_transducers
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

KINDS: tuple[TransducerKind, ...] = get_args(TransducerKind)
RULES = """\
to_city := $* to [ boston | new york ]<city> $*
price := $* [ % dollars? ]<price> &?
"""
WORDS = ("a", "flight", "77", "!")
Trees = list[tuple[str, Node]]


def known(kind: TransducerKind) -> tuple[Trees, TagFactors]:
    rules = read_rules(RULES).ruleset
    trees = [(rule.name, tagged(rule.expanded)) for rule in rules.rules]
    return trees, tag_factors(trees, build_vocabulary([WORDS], rules.words), kind)


def changed(tags: TagFactors, name: str, place: tuple[int, ...], value: float) -> TagFactors:
    """The factors with one entry set."""
    matrix = getattr(tags.factors, name).copy()
    matrix[place] = value
    return with_factors(tags, replace(tags.factors, **{name: matrix}))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(st.lists(slot_trees(), min_size=1, max_size=3))
def test_exact_factors_are_certified(kind: TransducerKind, trees: list[Node]) -> None:
    named = [(f"rule {number}", tagged(tree)) for number, tree in enumerate(trees)]
    vocabulary: Vocabulary = build_vocabulary([("a", "b", "7", "?")])
    tags = tag_factors(named, vocabulary, kind)
    check = check_transducers(named, tags, kind)
    # A word that a rule names outside the vocabulary is read as one of its kind, so that only those may differ.
    outside = {node for _, tree in named for node in named_words(tree)} - set(vocabulary.words)
    assert all(any(f"'{word}'" in fault for word in outside) for fault in check.faults)
    if not outside:
        assert check.equal
        assert check.max_error == 0.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["words", "sources", "targets", "wildcard", "start", "final"])
def test_flipped_entries_are_found(kind: TransducerKind, name: str) -> None:
    """All but those that nothing else meets: a word that `$` reads anyway, a state without the other end of an arc."""
    trees, tags = known(kind)
    matrix = getattr(tags.factors, name)
    found = 0
    for place in np.ndindex(*matrix.shape):
        faulty = changed(tags, name, place, 1 - matrix[place])
        found += not check_transducers(trees, faulty, kind).equal
    assert found > 0.6 * matrix.size


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_output_of_a_state_is_found(kind: TransducerKind) -> None:
    trees, tags = known(kind)
    for state, output in enumerate(tags.outputs):
        if output is not None:
            outputs = [*tags.outputs]
            outputs[state] = "B-price" if output != "B-price" else "O"
            check = check_transducers(trees, replace(tags, outputs=tuple(outputs)), kind)
            assert not check.equal
            assert f"gives {outputs[state]}, but a transition into it gives {output}" in check.faults[0]


def test_faults_say_where() -> None:
    trees, tags = known("positions")
    index = tags.factors.vocabulary.index
    term = int(np.argwhere(tags.factors.words[index["boston"]])[0, 0])
    missing = check_transducers(trees, changed(tags, "words", (index["boston"], term), 0.0), "positions")
    assert missing.faults == ("rule to_city: the word 'boston' moves otherwise (difference 1)",)
    begin = tags.factors.blocks[1][0]
    stray = check_transducers(trees, changed(tags, "wildcard", (0, begin), 1.0), "positions")
    assert stray.faults == ("rule to_city leads to states of another rule",)
    joined = changed(tags, "targets", (begin, term), 1.0)
    assert "rule to_city leads to states of another rule" in check_transducers(trees, joined, "positions").faults
    start = check_transducers(trees, changed(tags, "start", (begin,), 0.0), "positions")
    assert start.faults == ("rule price starts in other states",)
    final = check_transducers(trees, changed(tags, "final", (0, begin), 1.0), "positions")
    assert final.faults == ("rule to_city ends in other states",)


def test_an_entry_below_zero_is_a_fault_even_where_no_arc_is() -> None:
    trees, tags = known("positions")
    free = np.argwhere(tags.factors.wildcard == 0)[0]
    check = check_transducers(trees, changed(tags, "wildcard", tuple(free), -1.0), "positions")
    assert (check.equal, check.max_error) == (False, 1.0)


def test_factors_of_other_machines() -> None:
    trees, tags = known("positions")
    with pytest.raises(ValueError, match="rule to_city has 6 states, its factors have 7"):
        check_transducers(trees, tags, "ifst")
    with pytest.raises(ValueError, match="2 blocks need as many rules"):
        check_transducers(trees[:1], tags, "positions")


def test_at_most_twenty_faults_are_named() -> None:
    trees, tags = known("positions")
    factors: Factors = replace(tags.factors, wildcard=1 - tags.factors.wildcard, words=1 - tags.factors.words)
    check = check_transducers(trees, with_factors(tags, factors), "positions")
    assert len(check.faults) == 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [ATIS, SNIPS])
def test_published_rules_are_certified(name: str, kind: TransducerKind) -> None:
    rules = published_rules(name)
    trees = [(rule.name, tagged(rule.expanded)) for rule in rules.rules]
    vocabulary = build_vocabulary((), rules.words)
    check = check_transducers(trees, tag_factors(trees, vocabulary, kind), kind)
    assert isinstance(check, TransducerCheck)
    assert (check.equal, check.max_error, check.words) == (True, 0.0, len(vocabulary))
    assert check.outputs > 1000
