"""Rules that are proposed for what reconstructed rules get wrong, where texts confirm no phrase by themselves."""

from __future__ import annotations

from support.networks.small_system import LOGIC, RULES

from re2nn_core.services.rule_reconstruction.classification.proposed_rules import with_proposed_rules
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

PEOPLE = ("anna", "bert", "carl", "dora", "emil", "fred", "gina", "hugo", "ines", "jack", "kira", "luis")
REFUNDS = tuple(Example(f"{name} wants a refund", "money", "train") for name in PEOPLE)
WALKS = tuple(Example(f"{name} wants a walk", "travel", "train") for name in PEOPLE)


def proposed(*more: Example, most_words: int = 400) -> tuple[str, str]:
    return with_proposed_rules(Corpus((*REFUNDS, *WALKS, *more)), RULES, LOGIC, Tokenization(), most_words)


def test_a_word_of_a_label_becomes_a_rule_that_predicts_it() -> None:
    rules_text, logic_text = proposed(Example("my refund", "money", "dev"))
    assert "refund := $* refund $*" in rules_text
    predict = read_system(rules_text, logic_text, Tokenization())[0].predictions
    assert predict(["a refund please", "the price", "a flight"]) == ["money", "money", "travel"]


def test_a_rule_by_which_dev_loses_is_left_out() -> None:
    assert proposed(Example("a refund of my walk", "travel", "dev")) == (RULES, LOGIC)


def test_test_texts_take_no_part() -> None:
    against = [Example(f"a refund of {name}", "travel", "test") for name in PEOPLE]
    assert "refund := $* refund $*" in proposed(*against)[0]
    only_test = Corpus(tuple(against))
    assert with_proposed_rules(only_test, RULES, LOGIC, Tokenization(), 400) == (RULES, LOGIC)


def test_no_more_words_than_are_left_are_named() -> None:
    assert proposed(most_words=0) == (RULES, LOGIC)
