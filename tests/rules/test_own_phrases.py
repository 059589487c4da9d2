"""Short phrases of the words that a rule names."""

from __future__ import annotations

import pytest

from re2nn_core.rules.own_phrases import LONGEST, own_phrases
from re2nn_core.rules.read import read_rules


def _of(expression: str, most: int = 50, classes: str = "") -> list[str]:
    (rule,) = read_rules(f"{classes}[x]\nr := {expression}\n").ruleset.rules
    return [" ".join(phrase) for phrase in own_phrases(rule.expanded, most)]


@pytest.mark.parametrize(
    ("expression", "phrases"),
    [
        ("$* lost $* card $*", ["lost card"]),
        ("$* ( lost | stolen ) $* ( visa | card | amex ) $*", ["lost visa", "stolen card", "lost amex"]),
        ("$* ( how much | price of ) a? flight", ["how much flight", "price of a flight"]),
        ("$* very{2,} good", ["very very good"]),
        ("$* [ oslo | new york ]<city> $*", ["oslo", "new york"]),
        ("$* fee $* but not ( $* late $* )", ["fee"]),
        ("BOS % & $ hello EOS", ["hello"]),
        ("$*", []),
    ],
)
def test_each_alternative_is_in_a_phrase(expression: str, phrases: list[str]) -> None:
    assert _of(expression) == phrases


def test_classes_are_put_in() -> None:
    assert _of("$* my @card@", classes="@card@=( visa | amex )\n") == ["my visa", "my amex"]


def test_of_many_alternatives_some_are_taken_from_all_parts() -> None:
    words = [f"word{letter}{other}" for letter in "abcdefghij" for other in "abcdefghij"]
    found = _of(f"$* ( {' | '.join(words)} ) $*", most=10)
    assert found == words[::10]


def test_a_phrase_of_more_words_than_a_text_has_is_left_out() -> None:
    assert _of(f"a{{{LONGEST}}}") == [" ".join("a" * LONGEST)]
    assert _of(f"a{{{LONGEST + 1}}}") == []
