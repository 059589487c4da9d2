"""Conditions of a rule that changed, in lines above it."""

from __future__ import annotations

import re

import pytest

from re2nn_core.plots.review.condition_lines import conditions_as_html
from re2nn_core.services.rule_review.conditions import Condition

NUMBER = Condition("No longer required: a number after “call”", "call on", False)
CASES = {
    "none changed": ((), ""),
    "a sentence that was made up": (
        (NUMBER,),
        "No longer required: a number after “call”. Made-up example: “call on” matches now.",
    ),
    "a text of the project": (
        (Condition("Any words may now come between “a” and “b”", "a < b", True),),
        "Any words may now come between “a” and “b”. Your text “a &lt; b” matches now.",
    ),
    "what is refused now": (
        (Condition("Now required: a sign after “off” …", "off now", False, refused=True),),
        "Now required: a sign after “off” … Made-up example: “off now” no longer matches.",
    ),
}


@pytest.mark.parametrize(("conditions", "expected"), CASES.values(), ids=list(CASES))
def test_each_condition_has_its_example(conditions: tuple[Condition, ...], expected: str) -> None:
    assert re.sub(r"<[^>]*>", "", conditions_as_html(conditions)) == expected


def test_one_is_shown_and_the_others_are_behind_a_click() -> None:
    shown = conditions_as_html([NUMBER] * 5)
    assert shown.partition("<details>")[0].count("call on") == 1
    assert "<summary>4 more changed conditions</summary>" in shown


def test_each_refused_word_can_be_matched_again() -> None:
    words = frozenset({"all", "class"})
    refused = Condition("Now refused after “to”: “all” or “class”", "to all", False, True, without=words)
    shown = conditions_as_html([refused], again={"all", "other"})
    assert "“all”<button" in shown
    assert 'data-refused="[&quot;all&quot;]" title="Match all again, accept the rest"' in shown
    assert "“class”<button" not in shown
    assert "<button" not in conditions_as_html([refused])
