"""Which words of a sentence a rule names."""

from __future__ import annotations

import itertools

import pytest

from re2nn_core.automata.explain import Reading, explain
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.rules.parser import parse_expression

CASES = (
    ("$* flight $*", "a flight to rome", ".N.."),
    ("$* from $ to $+", "go from rome to new york", ".NANL L".replace(" ", "").replace("L", ".")),
    ("$* a $*", "a b a", "N.."),
    ("a? $*", "a a", "N."),
    ("$ $ b", "a b b", "AAN"),
    ("( $ a )*", "x a y a", "ANAN"),
    ("$* % &", "costs 5 !", ".NN"),
    ("BOS $* a EOS", "b a", ".N"),
    ("( $ | a )", "a", "N"),
    ("( )", "", ""),
)
_SIGN = {Reading.NAMED: "N", Reading.ANY: "A", Reading.LOOP: "."}


@pytest.mark.parametrize(("rule", "sentence", "expected"), CASES)
def test_named_words_are_found(rule: str, sentence: str, expected: str) -> None:
    readings = explain(build_positions(parse_expression(rule)), sentence.split())
    assert readings is not None
    assert "".join(_SIGN[reading] for reading in readings) == expected


@pytest.mark.parametrize("rule", sorted({rule for rule, _, _ in CASES}))
def test_it_explains_exactly_what_the_rule_accepts(rule: str) -> None:
    automaton = build_positions(parse_expression(rule))
    for length in range(4):
        for sentence in itertools.product(("a", "b", "5", "!"), repeat=length):
            readings = explain(automaton, sentence)
            assert (readings is not None) == accepts(automaton, sentence)
            assert readings is None or len(readings) == length
