"""The patterns of a new rule: how they are read, and the rule without one of them."""

from __future__ import annotations

import pytest

from re2nn_core.errors import InputError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.services.rule_review.dropped_words import expression_without_pattern
from re2nn_core.services.rule_review.patterns import patterns_of, without_pattern
from re2nn_core.text.tokenization import Tokenization

CLASSES = {"two": parse_expression("( a | b )")}
# The rule, its patterns as they are read, and what is left of the rule without each of them.
CASES = {
    "a union with gaps": (
        '$* ( hi $* "?" | i $+ and ) $*',
        {"“hi … ?”": "$* i $+ and $*", "“i … and”": '$* hi $* "?" $*'},
    ),
    "one pattern": ("$* on the $*", {"“on the”": None}),
    "words of a class": ("$* on @two@ $*", {"“on a”": "$* on b $*", "“on b”": "$* on a $*"}),
    "a class alone": ("$* @two@ $*", {"“a”": "$* b $*", "“b”": "$* a $*"}),
    "words with a beginning in common": (
        "$* ( x ( y | $* z ) | w ) $*",
        {"“x y”": "$* ( x $* z | w ) $*", "“x … z”": "$* ( x y | w ) $*", "“w”": "$* x ( y | $* z ) $*"},
    ),
    "alternatives in two places are one": ("$* ( a | b ) c @two@ $*", {"“(a, b) c (a, b)”": None}),
    "signs have names": (
        "BOS % & $ x? EOS",
        {"start of the text: a number a sign any word “(x)?” end of the text": None},
    ),
}


@pytest.mark.parametrize(("rule", "expected"), CASES.values(), ids=list(CASES))
def test_patterns_are_read_with_their_gaps_and_dropped_one_by_one(rule: str, expected: dict[str, str | None]) -> None:
    """“i … and” was read as “i and”."""
    tree, left = parse_expression(rule), {}
    for pattern in patterns_of(tree, CLASSES, Tokenization()):
        rest = without_pattern(tree, pattern.text, CLASSES, lowercase=True)
        left[pattern.shown] = None if rest is None else print_expression(rest)
    assert left == expected


def test_a_pattern_is_dropped_from_the_rule_as_it_was_edited() -> None:
    """A drop of “i … and” by its words took every other pattern with “i” along."""
    before, after = ("[spam]\nold := $* z $*\n", "[spam]\nold := $* z $*\nnew := $* ( i $* and | i win | x ) $*\n")
    dropped = expression_without_pattern(after, before, "new", "$* i $* and $*", lowercase=True)
    assert dropped == ("$* ( i win | x ) $*", "“i … and”")
    edited = "$* ( i $* and | i win ) $*"
    dropped = expression_without_pattern(after, before, "new", "$* i $* and $*", edited=edited, lowercase=True)
    assert dropped == ("$* i win $*", "“i … and”")
    with pytest.raises(InputError, match="The rule has no such pattern any more, so nothing can be dropped"):
        expression_without_pattern(after, before, "new", "$* q $*", lowercase=True)
