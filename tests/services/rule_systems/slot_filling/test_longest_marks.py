"""longest = true takes the longer of two marks, and never makes one mark of two that overlap."""

from __future__ import annotations

import pytest

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import longest_marks, within_limits
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization


@pytest.mark.parametrize(
    ("rule", "text", "marked"),
    [
        ("$* [ $? b ]<x> $*", "a b", ["a b"]),
        ("$* [ $? b ]<x> $*", "q b b", ["q b", "b"]),
        ("$* [ a{1,2} ]<x> $*", "a a a a a", ["a a", "a a", "a"]),
        ("$* [ a+ ]<x> $*", "b a a a", ["a a a"]),
        ("$* [ a b? ]<x> $*", "a b a b", ["a b", "a b"]),
    ],
)
def test_rules_and_untrained_network_mark_the_same(rule: str, text: str, marked: list[str]) -> None:
    system, _ = read_slot_system(f"r := {rule}", "longest = true", Tokenization())
    spans = system.spans([text])[0]
    assert [text[span.start : span.end] for span in spans] == marked
    assert predict_tags(untrained_tagger(system, [text]), [text])[0].spans == spans


def test_how_many_words_a_capture_reads_at_most() -> None:
    rules = "[ a{2,3} ( b | c d )? ]<x> [ $* ]<y> [ BOS a? ]<z> a<:>w b<:>I-v [ ( ) ]<u> [ ( a* ){0} b ]<t>"
    tree = parse_expression(rules.replace("[ ( ) ]<u> ", ""))
    assert longest_marks([tree]) == {"x": 5, "z": 1, "w": 1, "t": 1}
    assert longest_marks([tree, parse_expression("[ a{7} ]<x>")])["x"] == 7


def test_marks_are_cut_where_they_grow_too_long() -> None:
    tags = ("B-x", "I-x", "I-x", "O", "I-x", "I-x", "I-x", "B-y", "I-y", "I-x")
    assert within_limits(tags, {"x": 2}) == ("B-x", "I-x", "B-x", "O", "I-x", "I-x", "B-x", "B-y", "I-y", "I-x")
    assert within_limits(tags, {}) == tags
