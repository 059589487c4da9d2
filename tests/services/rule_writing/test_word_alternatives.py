"""Alternatives of words in rules are found where they stand, and get a word more."""

from __future__ import annotations

from re2nn_core.services.rule_writing.word_alternatives import alternatives_of_words, with_alternative

RULES = """@city@=( rome | oslo )
// either ( a | b )
[x]
cost := $* ( price | how much | fare ) \\
    to ( @city@ | home ) $*    // ( not | these )
$* ( $* | c ) ( d | e f | "g" | h )? $*
$* ( @city@ | bus | car | $ % ) $*
"""


def test_alternatives_of_rules_are_listed_with_their_single_words() -> None:
    assert [(one.rule, one.number, one.words) for one in alternatives_of_words(RULES)] == [
        ("cost", 0, ("price", "fare")),
        ("", 1, ("d", "g", "h")),
        ("", 2, ("bus", "car")),
    ]


def test_a_word_more_changes_nothing_else() -> None:
    first, second, third = alternatives_of_words(RULES)
    longer = with_alternative(RULES, first, "c++")
    assert longer == RULES.replace("fare ) \\", 'fare | "c++" ) \\')
    assert with_alternative(longer, first, "cost") == longer.replace('"c++" )', '"c++" | cost )')
    assert with_alternative(RULES, second, "i") == RULES.replace("h )?", "h | i )?")
    assert with_alternative(RULES, third, "cab") == RULES.replace("$ % )", "$ % | cab )")


def test_alternatives_that_are_gone_change_nothing() -> None:
    first, *_ = alternatives_of_words(RULES)
    assert with_alternative("[x]\ncost := $* ( other | words ) $*\n", first, "cost") == (
        "[x]\ncost := $* ( other | words ) $*\n"
    )
