"""The words of a rule for slots that bring errors come first on its card."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pages._compare.review.learned_marks import wrong_first
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization


def test_words_in_spans_that_are_new_and_incorrect_come_first() -> None:
    """“san”, of “San Francisco”, stood among 119 more cities, so that nobody could drop it."""
    texts = "to San Francisco", "to Oslo or Rome"
    records: Any = [SimpleNamespace(text=text) for text in texts]
    rules = "s := [ kiel ]<city>\n", "r := $* to [ ( oslo | rome | san ) ]<city> ( or [ rome ]<city> )? $*\n"
    sets = read_rules(rules[0], lowercase=True).ruleset, read_rules(rules[1], lowercase=True).ruleset
    san, oslo, rome = Span(3, 6, "city"), Span(3, 7, "city"), Span(11, 15, "city")
    effect = ChangeEffect(
        before=SimpleNamespace(predictions=[(), ()]),
        now=SimpleNamespace(predictions=[(san,), (oslo, rome)], gold=[(Span(3, 16, "city"),), (oslo,)]),
        moved=SimpleNamespace(broken=[0, 1]),
        gain=0.0,
    )
    found = wrong_first("stamp", ChangedRule("r", sets), effect, records, Tokenization(), {"oslo": 5.0, "rome": 1.0})
    assert sorted(found, key=lambda word: -found[word]) == ["rome", "san", "oslo"]
