"""Forms of words in rules: read, printed, put in, and refused with what to do."""

from __future__ import annotations

import sys

import pytest

from re2nn_core.errors import RuleError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.text import lemmas


@pytest.mark.parametrize("text", ['lemma:"go"', '$* lemma:"book"+ [^ lemma.de:"gehen" a ]', '[ lemma:"go" ]<x>'])
def test_printed_expressions_read_as_the_same(text: str) -> None:
    tree = parse_expression(text)
    assert print_expression(tree) == text
    assert parse_expression(print_expression(tree)) == tree


def test_forms_are_put_in_where_rules_are_read() -> None:
    rule = read_rules('[x]\n$* lemma:"go" $*\n').ruleset.rules[0]
    assert print_expression(rule.tree) == '$* lemma:"go" $*'
    assert {"go", "goes", "going", "went"} <= read_rules('[x]\nlemma:"go"\n').ruleset.words
    assert "( go | goes |" in print_expression(rule.expanded)


def test_a_base_form_is_a_form_of_its_own_even_where_the_dictionary_has_it_for_another_word() -> None:
    assert lemmas.forms_of('lemma:"aching"') == {"aching", "achings"}
    assert "aching" in lemmas.forms_of('lemma:"ache"')


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ('lemma:"went"', "'went' is no base form, it is a form of 'go'", 'Write lemma:"go".'),
        ('lemma:"xyzzy"', "the dictionary of the language 'en' does not have 'xyzzy'", "Write the forms"),
        ('lemma.xx:"go"', "there is no dictionary of the language 'xx'", "Write one of ar, ast,"),
        ('lemma:""', "the quotes are empty", "Write the base form"),
        ('lemma:"go on"', "a base form is one word", "Write the base form"),
    ],
)
def test_what_no_dictionary_has_is_refused(text: str, message: str, advice: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_rules(f"[x]\n$* {text} $*\n")
    [fault] = raised.value.faults
    assert message in fault.message
    assert advice in fault.advice
    assert (fault.line, fault.column) == (2, 4)


def test_without_the_package_rules_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma.strategies.dictionaries", None)
    lemmas.forms_of.cache_clear()
    lemmas._dictionary.cache_clear()
    with pytest.raises(RuleError) as raised:
        read_rules('[x]\n$* lemma:"drive" $*\n$* lemma:"take" $*\n')
    assert [fault.line for fault in raised.value.faults] == [2, 3]
    assert "need the package simplemma, which is not installed" in raised.value.faults[0].message
    assert lemmas.INSTALL in raised.value.faults[0].advice
    lemmas._dictionary.cache_clear()
