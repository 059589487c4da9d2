"""The text of a changed rule, to begin an edit with."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.edited_rules import with_edited_rules
from re2nn_core.services.values.rules import read_rules

MANY = " | ".join(f"w{number}" for number in range(30))
CASES = {
    "a class of the author": ("$* @own@ $*", "$* @own@ b $*", "$* @own@ b $*"),
    "a learned class": ("$* o $*", "$* @rule.x_2@ $*", "$* ( x | y ) $*"),
    "a learned class around one of the author": ("$* @own@ $*", "$* @rule.o_4@ $*", "$* ( @own@ | x | y ) $*"),
    "a large class": ("$* o $*", "$* @rule.w0_30@ $*", "$* @rule.w0_30@ $*"),
    "in a slot": ("[ @own@ ]<to> $*", "[ @rule.o_4@ ]<to> $*", "[ @own@ | x | y ]<to> $*"),
    "with a tag": ("[ @own@ ]<to> $*", "@rule.x_2@<:>B-to $*", "( x | y )<:>B-to $*"),
}


@pytest.mark.parametrize(("before", "after", "text"), CASES.values(), ids=list(CASES))
def test_the_words_of_a_small_learned_class_can_be_edited(before: str, after: str, text: str) -> None:
    """An edit began with the names of learned classes, of which nobody can take out a word."""
    own = "@own@=( o | p )\n[label]\n"
    learned = f"@own@=( o | p )\n@rule.x_2@=( x | y )\n@rule.o_4@=( o | p | x | y )\n@rule.w0_30@=( {MANY} )\n[label]\n"
    texts = f"{own}rule := {before}\n", f"{learned}rule := {after}\n"
    rule = ChangedRule("rule", (read_rules(texts[0]).ruleset, read_rules(texts[1]).ruleset))
    assert rule.text == text
    edited = read_rules(with_edited_rules(texts[1], {"rule": rule.text}, lowercase=True)).ruleset.rules[0]
    assert language_verdict("rule", rule.newest.expanded, edited.expanded).verdict is Verdict.SAME
