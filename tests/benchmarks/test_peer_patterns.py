"""The patterns that peers are measured with stand for the same sentences as the rules."""

import pytest
from benchmarks.peer_token_patterns import FIRST, LAST, token_patterns

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


def _tree(rule: str) -> Node:
    return read_rules(f"[label]\n{rule}\n").ruleset.rules[0].expanded


def test_words_are_one_token_and_alternatives_of_several_words_patterns_of_their_own() -> None:
    assert token_patterns(_tree("$* ( fare | cost | how much ) $*")) == [
        [{"ORTH": {"IN": ["fare", "cost"]}}],
        [{"ORTH": "how"}, {"ORTH": "much"}],
    ]


def test_a_rule_that_begins_with_a_word_is_bound_to_the_start() -> None:
    assert token_patterns(_tree("list flights+ $*")) == [
        [{"ORTH": FIRST}, {"ORTH": "list"}, {"ORTH": "flights", "OP": "+"}]
    ]
    anything = {"ORTH": {"NOT_IN": [FIRST, LAST]}}
    assert token_patterns(_tree("$* list $?")) == [[{"ORTH": "list"}, {**anything, "OP": "?"}, {"ORTH": LAST}]]


def test_what_has_no_list_of_patterns_is_refused() -> None:
    with pytest.raises(ValueError, match="no list of patterns for Repeat"):
        token_patterns(_tree("( one two )+"))


def test_pynini_builds_automata_as_large() -> None:
    pytest.importorskip("pynini", reason="pynini is not installed (tests/benchmarks/peers.txt)")
    from benchmarks.measures import compiled
    from benchmarks.peer_automata import states_by_pynini

    text = "[label]\n$* ( fare | cost of ) % $*\nlist ( all flights ){1,3} &?\n$? late+ $*\n"
    trees = [rule.expanded for rule in read_rules(text).ruleset.rules]
    assert states_by_pynini(trees) == list(map(len, compiled(text)))
