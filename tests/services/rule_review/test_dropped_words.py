"""A reconstructed rule without words that it has learned."""

from __future__ import annotations

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.dropped_words import (
    expression_matching_again,
    expression_without,
    leaves_something,
)
from re2nn_core.services.values.rules import read_rules

CASES = {
    "one of several": ("$* a $*", "$* ( a | b | c ) $*", ["b"], "$* ( a | c ) $*"),
    "the last one": ("$* a $*", "$* ( a | b ) $*", ["b"], None),
    "with what needs it": ("$* a $*", "$* ( a | b | c d ) $*", ["c"], "$* ( a | b ) $*"),
    "one that may be missing": ("a b", "a c? b | d", ["c"], "a b | d"),
    "one that every text needs": ("a b", "a b | a c b", ["c"], None),
    "in a slot": ("[ a ]<to> $*", "[ a | b | c ]<to> $*", ["c"], "[ a | b ]<to> $*"),
    "of a class": ("$* @own@ $*", "$* ( @own@ | x ) $*", ["x"], None),
    "inside a learned class": ("$* @own@ $*", "$* @new_4@ $*", ["x"], "$* ( @own@ | y ) $*"),
    "beside a class": ("$* @own@ $*", "$* ( @own@ | @new_4@ | z ) $*", ["z"], "$* ( @own@ | @new_4@ ) $*"),
    "where the rule has it elsewhere": ("a more | c", "( a | b ) more | c ( d | a )", ["a"], "( a | b ) more | c d"),
    "in a class that it has elsewhere": ("x | c", "x | c @new_4@", ["x"], "x | c ( @own@ | y )"),
    "in another slot": ("[ a c ]<to> $*", "( [ a c ]<to> | a<:>I-to ) $*", ["a"], None),
    "one of several with a tag": (
        "[ x ]<to>",
        "[ x ]<to> | ( a | b | c )<:>I-to",
        ["b"],
        "[ x ]<to> | ( a | c )<:>I-to",
    ),
    "of a class with a tag": ("[ z ]<to>", "[ z ]<to> | @new_4@<:>I-to", ["x"], "[ z ]<to> | ( @own@ | y )<:>I-to"),
    "all of a learned class": ("$* z $*", "$* ( z | w | @new_4@ ) $*", ["o", "p", "x", "y"], "$* ( z | w ) $*"),
    "all of a class with a tag": ("[ z ]<to> q?", "( [ z ]<to> | @new_4@<:>I-to ) q?", ["o", "p", "x", "y"], None),
    "of two words one that it has": ("a b | c", "a b | c | c ( a | d )", ["a", "d"], None),
    "an alternative of several words, and no other one with a word of it": (
        "[ z ]<to>",
        "[ z | friday | first friday of may ]<to>",
        ["first friday of may"],
        "[ z | friday ]<to>",
    ),
    "an alternative with others inside": (
        "[ z ]<to>",
        "[ z | ( 11 | late )? march | march 11 ]<to>",
        ["( 11 | late )? march"],
        "[ z | march 11 ]<to>",
    ),
    "the start of a text": ("z", "( from | BOS ) z | BOS a", ["BOS"], "from z | BOS a"),
    "words that are no alternative": ("z", "z | $* money back $*", ["money back"], None),
    "an alternative that the rule has elsewhere": (
        "( a b | c ) x",
        "( a b | c ) x | ( a b | d ) y",
        ["a b"],
        "( a b | c ) x | d y",
    ),
    "a sign": ("$* a $*", '$* ( a | "?" | b ) $*', ["?"], "$* ( a | b ) $*"),
}


def rules(expression: str) -> str:
    return f"@own@=( o | p )\n@new_4@=( o | p | x | y )\n[label]\nrule := {expression}\n"


@pytest.mark.parametrize(("before", "after", "words", "expected"), CASES.values(), ids=list(CASES))
def test_a_word_goes_with_all_that_needs_it(before: str, after: str, words: list[str], expected: str | None) -> None:
    found = expression_without(rules(after), rules(before), "rule", words, lowercase=True)
    assert found == expected


def test_a_word_that_is_not_there_is_reported() -> None:
    with pytest.raises(InputError, match="rule has no “q”, so nothing can be dropped. Load the page again"):
        expression_without(rules("$* ( a | b ) $*"), rules("$* a $*"), "rule", ["q"], lowercase=True)


def test_an_edit_is_what_a_word_is_dropped_from() -> None:
    after, edited = rules("$* ( a | b | c ) $*"), "$* ( a | b | d ) $*"
    found = expression_without(after, rules("$* a $*"), "rule", ["b"], edited=edited, lowercase=True)
    assert found == "$* ( a | d ) $*"


def test_a_new_rule_keeps_what_it_has_else() -> None:
    after, before = rules("$* ( a | b ) $*"), "@own@=( o | p )\n[label]\nother := $* z $*\n"
    assert expression_without(after, before, "rule", ["b"], lowercase=True) == "$* a $*"
    assert expression_without(after, before, "rule", ["a", "b"], lowercase=True) is None
    with pytest.raises(LookupError):
        expression_without(after, before, "gone", ["b"], lowercase=True)


def test_a_word_that_the_written_rule_needs_everywhere_stays() -> None:
    with pytest.raises(InputError, match=r"needs “a” wherever rule has it, so nothing can be dropped. Edit the rule"):
        expression_without(rules("$* ( a | b ) $*"), rules("$* a $*"), "rule", ["a"], lowercase=True)


@pytest.mark.parametrize(
    ("before", "after", "words", "expected"),
    [
        ("$* a $*", "$* ( a | b | c ) $*", ["b"], True),
        ("$* a $*", "$* ( a | b | c ) $*", ["b", "c"], False),
        (None, "$* ( a | b ) [ c | d ]<to>", ["a"], True),
        (None, "$* ( a | b ) [ c | d ]<to>", ["a", "b"], False),
    ],
)
def test_whether_something_is_left_is_known_before(
    before: str | None, after: str, words: list[str], expected: bool
) -> None:
    written = "[label]\nother := z\n" if before is None else rules(before)
    sets = read_rules(written).ruleset, read_rules(rules(after)).ruleset
    assert leaves_something(ChangedRule("rule", sets), words) is expected


AGAIN = {
    "one of several": ("a $ $*", "a [^ b c ] $*", ["b"], "a [^ c ] $*"),
    "the last one": ("a $ x | y", "a [^ b ] x | y | z", ["b"], "a $ x | y | z"),
    "all that changed": ("a $*", "a [^ b ]*", ["b"], None),
    "of a class": ("a $ $*", "a [^ @own@ ] $*", ["o"], "a [^ p ] $*"),
    "not what the author refuses": ("[^ b ] a | $ c", "[^ b ] a | [^ b d ] c", ["b"], "[^ b ] a | [^ d ] c"),
}


@pytest.mark.parametrize(("written", "learned", "words", "expected"), AGAIN.values(), ids=list(AGAIN))
def test_refused_words_are_matched_again(written: str, learned: str, words: list[str], expected: str | None) -> None:
    found = expression_matching_again(rules(learned), rules(written), "rule", words, lowercase=True)
    assert found == expected


def test_words_that_are_not_refused_cannot_be_matched_again() -> None:
    with pytest.raises(InputError, match="rule does not refuse “x”, so nothing can be dropped"):
        expression_matching_again(rules("a [^ b ] $*"), rules("a $ $*"), "rule", ["x"], lowercase=True)
