"""Where the words of rules for slots stand."""

from __future__ import annotations

import pytest

from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_review.slot_places import words_around

CASES = {
    "before and after": ("$* ( to | in ) [ oslo ]<to> now $*", {"to": "before", "in": "before", "now": "after"}),
    "between two slots": ("[ a ]<x> and [ b ]<y>", {"and": "around"}),
    "the start of a text": ("( from | BOS ) [ oslo ]<to> EOS", {"from": "before", "BOS": "before", "EOS": "after"}),
    "tags": ("to oslo<:>B-to york<:>I-to now<:>O", {"to": "before", "now": "after"}),
    "on both sides": ("( to [ a ]<x> | [ b ]<x> to )", {"to": "around"}),
    "in a slot too": ("to [ ( to | oslo ) ]<x>", {}),
    "refused": ("( to | from ) [ oslo ]<to> [^ to now ]*", {"to": "before", "from": "before"}),
    "beside an alternative without a slot": ("( to [ a ]<x> | never )", {"to": "before", "never": "around"}),
}


@pytest.mark.parametrize(("rule", "expected"), CASES.values(), ids=list(CASES))
def test_words_around_slots_are_told_from_those_in_them(rule: str, expected: dict[str, str]) -> None:
    assert words_around(parse_expression(rule)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("to [ oslo ]<x>", "( to | now ) [ oslo ]<x> to", {"to": "after", "now": "before"}),
        ("on [ oslo ]<x>", "on [ ( oslo | on ) ]<x>", {}),
    ],
)
def test_of_a_word_that_the_rule_had_the_new_side_counts(before: str, after: str, expected: dict[str, str]) -> None:
    """“Around the slot” was said of words that came behind the slot and had stood in front of it."""
    assert words_around(parse_expression(after), parse_expression(before)) == expected
