"""Proposed rules for slots use the word classes of the rules again, where nearly all of their words are meant."""

from __future__ import annotations

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Word
from re2nn_core.services.rule_writing.slot_filling.named_classes import named_classes

CITIES = ("rome", "oslo", "bonn", "bern", "riga")
RULES = f"""@city@=( {" | ".join(CITIES)} | unheard )
@day@=( monday | tuesday | friday | sunday )
[slots]
r := $* [ @city@ ]<city> @day@ $*
"""
HAD = {*CITIES, "kyiv", "lima", "baku", "doha", "monday", "tuesday", "friday", "sunday"}


def named(options: tuple[str, ...], *, whole: bool = False) -> tuple[str, list[str]]:
    tree, new = named_classes(read_rules(RULES).ruleset, HAD).name("town", [*map(Word, options)], whole)
    return print_expression(tree), [f"{name}: {print_expression(one)}" for name, one in new.items()]


def test_a_class_with_a_word_that_no_text_has_is_used_again() -> None:
    assert named((*CITIES, "kyiv")) == ("@city@ | kyiv", [])
    assert named(CITIES) == ("@city@", [])


def test_many_further_words_become_a_class_beside_it() -> None:
    assert named((*CITIES, "kyiv", "lima", "baku", "doha")) == (
        "@city@ | @town@",
        ["town: kyiv | lima | baku | doha"],
    )


def test_a_class_with_a_word_of_the_texts_that_is_not_meant_is_not_used() -> None:
    assert named((*CITIES[:4], "kyiv")) == ("@town@", ["town: rome | oslo | bonn | bern | kyiv"])


def test_where_exactly_these_words_are_meant_only_an_equal_class_is_used() -> None:
    assert named((*CITIES, "kyiv"), whole=True)[0] == "@town@"
    assert named(("sunday", "monday", "friday", "tuesday"), whole=True) == ("@day@", [])
