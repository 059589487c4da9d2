"""DOT of transducers: tags behind a stroke or in states, colours of slots, what is too large."""

from __future__ import annotations

import pytest

from re2nn_core.automata.independent import independent
from re2nn_core.automata.transducer import OutputArc, Transducer, minimal_transducer
from re2nn_core.errors import InputError
from re2nn_core.plots.automaton import Highlight
from re2nn_core.plots.transducer import drawn_arcs, tag_machine_dot, tag_machine_refusal
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged

COLOURS = {"city": "#112233", "day": "#445566"}


def machine(rule: str = "$* to [ new york | oslo ]<city> $*") -> Transducer:
    return minimal_transducer(tagged(parse_expression(rule)))


def test_arcs_carry_the_tag_and_the_wildcard_is_not_shown() -> None:
    dot = tag_machine_dot(machine(), COLOURS, Highlight(frozenset((0,)), frozenset(((0, 0),))))
    assert '" new / B-city "' in dot
    assert '" york / I-city "' in dot
    assert '" $ "' in dot
    assert "OO" not in dot
    assert 'class="arc slot0"' in dot
    assert "#112233" in dot
    assert 'class="state alive"' in dot
    assert dot.count('walked"') == 1


def test_without_colours_and_with_anchors() -> None:
    transducer = machine("BOS? [ a b | c ]<x> $*")
    dot = tag_machine_dot(transducer)
    assert 'begin -> s0 [class="begin"];' in dot
    assert 'label=" BOS "' in dot
    assert 'label=" a / B-x "' in dot
    assert dot.count('class="arc"') == len(transducer.arcs)


def test_states_of_the_independent_one_carry_the_tag() -> None:
    split = independent(machine())
    dot = tag_machine_dot(split, COLOURS)
    assert "\\nB-city" in dot
    assert '" york "' in dot
    assert {arc.tag for arc in drawn_arcs(split)} == {"", "B-city", "I-city"}


def test_a_start_that_is_not_the_first_state() -> None:
    arc = OutputArc(1, 0, frozenset({"a"}), "O")
    dot = tag_machine_dot(Transducer(2, (arc,), 1, frozenset({0})))
    assert 'begin -> s1 [class="begin"];' in dot
    assert '" a / O "' in dot


def test_words_from_people_cannot_leave_their_label() -> None:
    transducer = machine('$* [ "</script>" \\" ]<x> $*')
    for drawn in (transducer, independent(transducer)):
        assert "</script>" not in tag_machine_dot(drawn)


def test_what_nobody_could_read_is_not_drawn() -> None:
    large = machine(" ".join(f"w{number}" for number in range(120)))
    assert "The automaton has 121 states and 120 transitions" in (tag_machine_refusal(large) or "")
    with pytest.raises(InputError, match="Choose a single rule instead of a whole slot"):
        tag_machine_dot(large)
