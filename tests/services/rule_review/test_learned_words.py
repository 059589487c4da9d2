"""Which words of a text a rule matches by what it learned: none that the author's rule reads there."""

from __future__ import annotations

import pytest

from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_review.learned_words import learned_in_texts
from re2nn_core.text.tokenization import Tokenization

_MONEY = "$* ( $+ from home | paid daily | % a day | guaranteed ) $*"
_MORE = (
    "$* ( $+ from ( home | a ) | ( paid | hours ) ( daily | in ) | % ( a | people ) ( day | with ) | guaranteed ) $*"
)
_CALL = "$* ( call | dial ) ( us | our $ )? on? % $*"
CASES = {
    "a word that came": ("$* late $*", "$* ( late | delayed ) $*", "it is Delayed now", ["Delayed"]),
    "a word of the author": (_MONEY, _MORE, "it is guaranteed", []),
    "a word of the author in front of a new one": (_MONEY, _MORE, "million from a relative", ["a"]),
    "a word of the author behind a new one": (_MONEY, _MORE, "45 hours daily", ["hours"]),
    "a number of the author": (_MONEY, _MORE, "10 people with a phone", ["people", "with"]),
    "both are new": (_MONEY, _MORE, "2 hours in a row", ["hours", "in"]),
    "a condition less, and no new word": (
        _CALL,
        "$* ( call | dial ) ( us | our $ )? on $*",
        "call our helpdesk on x-132",
        [],
    ),
    "a word in the place of the author's before a number": (
        _CALL,
        "$* ( call | for ) % $*",
        "can we talk for 5 minutes",
        ["for"],
    ),
    "a word in the place of any word": ("$* from $ to $*", "$* from city to $*", "from city to", []),
    "a word that the author's any word could read": (
        "$* rent $? car $*",
        "$* ( rent | the ) $? ( car | arrivals ) $*",
        "near the arrivals hall",
        ["the", "arrivals"],
    ),
    "a word between": ("$* paid daily $*", "$* paid not daily $*", "paid not daily", ["not"]),
    "a new alternative of several words": (
        "$* late $*",
        "$* ( late | lost my bag ) $*",
        "I lost my bag",
        ["lost", "my", "bag"],
    ),
    "words of a span": (
        "$* back [ monday ]<day> $*",
        "$* ( back | home ) [ monday ]<day> $*",
        "At home: fly Home Monday",
        ["Home"],
    ),
    "a rule that came": (None, "$* ( a | b ) % $*", "x b 7 y", ["b", "7"]),
    "a text that it does not match": ("$* late $*", "$* delayed $*", "nothing", []),
}


@pytest.mark.parametrize(("before", "after", "text", "expected"), CASES.values(), ids=list(CASES))
def test_learned_are_words_that_the_original_does_not_read_there(
    before: str | None, after: str, text: str, expected: list[str]
) -> None:
    trees = None if before is None else parse_expression(before), parse_expression(after)
    [found] = learned_in_texts(*trees, [text], Tokenization())
    assert [text[start:end] for start, end in found] == expected
