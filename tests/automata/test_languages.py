"""Every machine made from a random rule accepts exactly the sentences that the rule's definition gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, trees

from re2nn_core.automata import determinize
from re2nn_core.automata.algebra import canonical
from re2nn_core.automata.determinize import exact_dfa, exact_from_positions, pseudo_dfa, pseudo_from_positions
from re2nn_core.automata.explain import Reading, explain
from re2nn_core.automata.matcher import Matcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.automata.reverse import reverse_tree
from re2nn_core.automata.simulate import simulate
from re2nn_core.rules.tree import Empty, Node, Repeat, Tagged, Word, choice, concat

LONGEST = 3
SENTENCES = list(oracles.all_sentences(TEXT_WORDS, LONGEST))
# One word of each kind that rules name, and one of each that they do not.
FEW_WORDS = ("a", "b", "d", "7", "9", ",")
LONG_SENTENCES = list(oracles.all_sentences(FEW_WORDS, 4))


def accepted_by(predicate: Callable[[oracles.Sentence], bool], sentences: list[oracles.Sentence]) -> frozenset:
    return frozenset(sentence for sentence in sentences if predicate(sentence))


@settings(max_examples=30, deadline=None)
@given(trees())
def test_the_two_oracles_agree(tree: Node) -> None:
    """One walks the tree along each sentence, the other builds up all sentences of the tree."""
    short = list(oracles.all_sentences(TEXT_WORDS, 2))
    walked = accepted_by(lambda sentence: oracles.accepts(tree, sentence), short)
    assert walked == oracles.language(tree, TEXT_WORDS, 2)


@settings(max_examples=75, deadline=None)
@given(trees())
def test_machines_accept_the_language(tree: Node) -> None:
    language = oracles.language(tree, TEXT_WORDS, LONGEST)
    positions, pseudo, exact = build_positions(tree), pseudo_dfa(tree), exact_dfa(tree)
    assert accepted_by(lambda sentence: accepts(positions, sentence), SENTENCES) == language
    assert accepted_by(pseudo.accepts, SENTENCES) == language
    assert accepted_by(exact.accepts, SENTENCES) == language


@settings(max_examples=25, deadline=None)
@given(trees(9))
def test_machines_accept_the_language_of_longer_sentences(tree: Node) -> None:
    language = oracles.language(tree, FEW_WORDS, 4)
    pseudo, exact = pseudo_dfa(tree), exact_dfa(tree)
    assert accepted_by(pseudo.accepts, LONG_SENTENCES) == language
    assert accepted_by(exact.accepts, LONG_SENTENCES) == language


@settings(max_examples=100, deadline=None)
@given(trees(12))
def test_pruning_changes_no_machine(tree: Node) -> None:
    positions = build_positions(tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(determinize, "PRUNE_FROM", 10**9)
        plain = exact_from_positions(positions)
        patch.setattr(determinize, "PRUNE_FROM", 1)
        patch.setattr(determinize, "PRUNE_FACTOR", 0)
        pruned = exact_from_positions(positions)
    assert plain == pruned


@settings(max_examples=60, deadline=None)
@given(trees())
def test_reversed_tree_accepts_the_reversed_sentences(tree: Node) -> None:
    language = oracles.language(tree, TEXT_WORDS, LONGEST)
    machine = exact_dfa(reverse_tree(tree))
    assert accepted_by(machine.accepts, SENTENCES) == {sentence[::-1] for sentence in language}


@given(trees())
def test_reversing_twice_changes_nothing(tree: Node) -> None:
    assert reverse_tree(reverse_tree(tree)) == tree


@settings(max_examples=15, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=5))
def test_matcher_predicts_for_many_rules_at_once(rules: list[Node]) -> None:
    matched = Matcher([exact_dfa(tree) for tree in rules]).matched(SENTENCES)
    for number, tree in enumerate(rules):
        language = oracles.language(tree, TEXT_WORDS, LONGEST)
        assert frozenset(s for s, hit in zip(SENTENCES, matched[:, number], strict=True) if hit) == language


@settings(max_examples=60, deadline=None)
@given(trees())
def test_simulation_accepts_the_language_and_dies_only_where_nothing_can_follow(tree: Node) -> None:
    language = oracles.language(tree, TEXT_WORDS, LONGEST)
    machine = pseudo_dfa(tree)
    for sentence in SENTENCES[:100]:
        trace = simulate(machine, sentence)
        assert trace.accepted == (sentence in language)
        if trace.died_at is not None:
            begun = sentence[: trace.died_at + 1]
            assert not any(longer[: len(begun)] == begun for longer in language)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_an_explanation_reads_every_word_of_an_accepted_sentence(tree: Node) -> None:
    language = oracles.language(tree, TEXT_WORDS, LONGEST)
    positions = build_positions(tree)
    for sentence in SENTENCES[:150]:
        readings = explain(positions, sentence)
        assert (readings is not None) == (sentence in language)
        if readings is not None:
            assert len(readings) == len(sentence)
            named = {"a", "b", "c", "7", "9", ",", "!"}
            assert all(word in named for word, how in zip(sentence, readings, strict=True) if how is Reading.NAMED)


@settings(max_examples=60, deadline=None)
@given(trees(5), trees(5))
def test_laws_of_the_rule_language(left: Node, right: Node) -> None:
    """Rules that are written differently and mean the same have the same canonical machine."""
    star = Repeat(left, 0, None)
    laws = [
        (choice([left, right]), choice([right, left])),
        (choice([left, left, right]), choice([left, right])),
        (Repeat(left, 2, 2), concat([left, left])),
        (Repeat(left, 0, 1), choice([left, Empty()])),
        (Repeat(star, 0, None), star),
        (concat([left, star]), Repeat(left, 1, None)),
        (Repeat(left, 1, 3), concat([left, Repeat(left, 0, 2)])),
        (Repeat(left, 2, None), concat([left, left, star])),
        (concat([choice([left, right]), left]), choice([concat([left, left]), concat([right, left])])),
        (Tagged(left, "slot"), left),
        (concat([left, Empty(), right]), concat([left, right])),
    ]
    for one, other in laws:
        assert canonical(exact_dfa(one)) == canonical(exact_dfa(other)), f"{one} and {other}"


def test_positions_of_a_tree_are_the_places_where_a_word_is_read() -> None:
    tree = Repeat(choice([Empty(), Word("a"), Word("b")]), 0, None)
    automaton = build_positions(tree)
    assert automaton.symbols == (frozenset(), frozenset({"a", "b"}))
    assert automaton.follow == (0b10, 0b10)
    assert automaton.final == 0b11


def test_machine_from_positions_is_the_machine_from_the_tree() -> None:
    tree = concat([Repeat(Word("a"), 0, None), Word("b")])
    assert pseudo_from_positions(build_positions(tree)) == pseudo_dfa(tree)
    assert exact_from_positions(build_positions(tree)) == exact_dfa(tree)
