"""Captures whose borders can be read in two ways are found on the transducer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules import tagging_oracles
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.checks.ambiguous import ambiguous_captures
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


@pytest.mark.parametrize(
    ("rule", "slots"),
    [
        ("$* [ $? b ]<x> $*", ["x"]),
        ("$* [ a+ ]<x> $*", ["x"]),
        ("$* [ a{2,3} ]<x> [ b ]<y> $*", ["x"]),
        ("to [ a ]<x> [ a? b ]<x>", []),
        ("$* [ a b ]<x> $*", []),
        ("to [ $+ ]<x> from [ a b? ]<y>", []),
        ("$* [ $ ]<x> $*", []),
        ("[ a | a b ]<x> $*", []),
    ],
)
def test_which_captures_are_told(rule: str, slots: list[str]) -> None:
    found = ambiguous_captures(read_rules(f"r := {rule}").ruleset.rules, file="r.txt")
    assert [fault.message.split("'")[1] for fault in found] == slots
    assert all((fault.where, fault.column) == ("rule 'r'", 6) for fault in found)


@settings(max_examples=100, deadline=None)
@given(slot_trees(), sentences(4))
def test_no_word_begins_and_continues_a_mark_where_none_is_told(tree: Node, sentence: tuple[str, ...]) -> None:
    rules = read_rules(f"[s]\nr := {print_expression(tree)}").ruleset.rules
    sets = tagging_oracles.tag_sets(rules[0].expanded, sentence) or ()
    reported = {fault.message.split("'")[1] for fault in ambiguous_captures(rules)}
    mixed = {tag[2:] for tags in sets for tag in tags if tag[:2] == "B-" and f"I-{tag[2:]}" in tags}
    assert mixed <= reported
