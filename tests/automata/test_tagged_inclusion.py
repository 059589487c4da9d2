"""Rules that tag words: what one says and the other does not, and words that both claim."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import TEXT_WORDS, word_trees

from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.automata.tagged_inclusion import TaggedSentence, shortest_dispute, shortest_tagged_escape
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Capture, Node, concat

LONGEST = 2


def rule(text: str) -> PositionTransducer:
    return position_transducer(tagged(parse_expression(text)))


def captured(before: Node, inside: Node) -> PositionTransducer:
    return position_transducer(tagged(concat([before, Capture(inside, "x")])))


def says(machine: PositionTransducer, sentence: TaggedSentence) -> bool:
    """A slow twin: walks sets of states that were entered with the given tags."""
    states = machine.sentence_start
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        states = machine.step(states, word)
        states = sum(
            1 << state for state in range(len(machine)) if states >> state & 1 and machine.outputs[state] == tag
        )
    return bool(states & machine.sentence_final)


CASES = [
    ("to [ oslo ]<city>", "to [ oslo ]<city>", None),
    ("to [ oslo ]<city>", "to [ oslo ]<town>", (("to", "oslo"), ("OO", "B-city"))),
    ("to [ oslo ]<city>", "to [ $ ]<city>", None),
    ("to [ $ ]<city>", "to [ oslo ]<city>", (("to", "something"), ("OO", "B-city"))),
    ("[ new york ]<city>", "[ new ]<city> york", (("new", "york"), ("B-city", "I-city"))),
    ("[ a ]<x> | b", "[ a ]<x> | b | c", None),
]


@pytest.mark.parametrize(("left", "right", "wanted"), CASES)
def test_what_only_one_rule_says(left: str, right: str, wanted: tuple[tuple[str, ...], tuple[str, ...]] | None) -> None:
    found = shortest_tagged_escape(rule(left), rule(right))
    assert (None if found is None else (found.words, found.tags)) == wanted


@settings(max_examples=100, deadline=None)
@given(word_trees(4), word_trees(4), word_trees(4), word_trees(4))
def test_an_escape_is_a_shortest_one_and_true(a: Node, b: Node, c: Node, d: Node) -> None:
    left, right = captured(a, b), captured(c, d)
    found = shortest_tagged_escape(left, right)
    if found is not None:
        assert says(left, found)
        assert not says(right, found)
    tags = sorted({output for output in left.outputs if output is not None})
    for length in range(LONGEST if found is None else min(LONGEST, len(found.words))):
        for words in product(TEXT_WORDS, repeat=length):
            for given_tags in product(tags, repeat=length):
                sentence = TaggedSentence(words, given_tags)
                assert not says(left, sentence) or says(right, sentence)


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("to [ $ ]<city>", "[ $ $ ]<day>", ("to", "something")),
        ("to [ $ ]<city>", "[ to ]<day> $", None),
        ("$* to [ $ ]<city> $*", "$* [ monday ]<day> $*", ("to", "monday")),
        ("[ a ]<x>", "[ a ]<x>", None),
        ("[ a ]<x>", "[ b ]<y>", None),
    ],
)
def test_words_that_two_rules_claim(left: str, right: str, wanted: tuple[str, ...] | None) -> None:
    found = shortest_dispute(rule(left), rule(right))
    assert found == wanted
    assert (shortest_dispute(rule(right), rule(left)) is None) == (wanted is None)
    if found is not None:
        one, other = tag_sets(rule(left), found), tag_sets(rule(right), found)
        assert one is not None
        assert other is not None
        assert any(a != b for a, b in zip(one, other, strict=True))


def test_a_search_past_its_budget_is_refused() -> None:
    with pytest.raises(StateBudgetError, match="stopped at its budget of 3 steps"):
        shortest_tagged_escape(rule("$* a $* b $* [ c ]<x> $*"), rule("$* a $* b $* [ c | d ]<x>"), budget=3)
    with pytest.raises(StateBudgetError, match="the two rule sets taken together"):
        shortest_dispute(rule("$* a $* b $* [ c ]<x> $*"), rule("$* [ d ]<y> a $*"), budget=3)


def test_a_tag_for_each_word() -> None:
    with pytest.raises(ValueError, match="2 words need as many tags"):
        TaggedSentence(("a", "b"), ("O",))
