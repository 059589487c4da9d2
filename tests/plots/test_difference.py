"""Two machines in the same places: matched states, one skeleton, marks, escaped words."""

from __future__ import annotations

import re

import pytest

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.plots.difference import draw_difference, matched_states
from re2nn_core.rules.parser import parse_expression


def machine(expression: str) -> PseudoDfa:
    return pseudo_dfa(parse_expression(expression))


def skeleton(dot: str) -> list[str]:
    """Nodes and arcs, and the boxes of their labels: all that a layout is made from."""
    arcs = re.findall(r"^\s*(n\d+ -> n\d+).*?WIDTH=\"(\d+)\" HEIGHT=\"(\d+)\"", dot, re.MULTILINE)
    return [*re.findall(r"^\s*(n\d+) \[", dot, re.MULTILINE), *map(str, arcs)]


PAIRS = [
    ("a b c", "a b c"),
    ("$* ( a | b ) $*", "$* ( a | c d ) $*"),
    ("a b", "c"),
    ("( a | b ) c", "( a | b | d ) ( c | e )"),
    ("a", "a+ ( b | % )? EOS"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_both_sides_have_the_same_skeleton(left, right):
    drawing = draw_difference(machine(left), machine(right))
    assert skeleton(drawing.left) == skeleton(drawing.right)


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_each_side_shows_all_of_its_own_states(left, right):
    drawing = draw_difference(machine(left), machine(right))
    for dot, own in ((drawing.left, machine(left)), (drawing.right, machine(right))):
        assert len(re.findall(r'n\d+ \[label="\d+"', dot)) == len(own)
        shown = [line for line in dot.splitlines() if re.match(r"\s*n\d+ -> ", line) and "invis" not in line]
        assert len(shown) == len(list(own.arcs()))


def test_a_machine_matches_itself():
    same = machine("$* ( a b | c ) d?")
    assert matched_states(same, same) == {state: state for state in range(len(same))}


def test_words_that_came_and_went_are_signed():
    drawing = draw_difference(machine("( a | b ) c"), machine("( a | d ) c"))
    assert "− b" in drawing.left
    assert "− b" not in drawing.right
    assert "+ d" in drawing.right
    assert "+ d" not in drawing.left


def test_states_of_one_side_alone_are_marked():
    drawing = draw_difference(machine("a"), machine("a b"))
    assert 'class="state new"' in drawing.right
    assert "style=invis" in drawing.left


def test_words_are_escaped():
    drawing = draw_difference(machine('"<b>" "&"'), machine('"a\\"b" "&"'))
    for dot in (drawing.left, drawing.right):
        assert "<b>" not in dot
    assert "&lt;b&gt;" in drawing.left
    assert "a&quot;b" in drawing.right


def test_too_large_machines_are_refused_with_a_reason():
    words = " ".join(f"w{number}" for number in range(150))
    drawing = draw_difference(machine("a"), machine(words))
    assert drawing.left is None
    assert drawing.right is None
    assert "151 states" in drawing.refusal
