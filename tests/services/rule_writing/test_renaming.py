"""Rules and classes under other names: what changes and what stays."""

from __future__ import annotations

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.renaming import (
    RuleTexts,
    names_in,
    rename_class,
    rename_rule,
)

RULES = """// @city@ is a class
@city@=( oslo | rome )
@far@=( @city@ | paris )
[fare]
fare := $* @city@ "@city@" \\
  $*
[flight]
$* to [^ @city@ ] @far@
//- fare-old := $* @city<:>x@ fare
"""
LOGIC = 'priorities = ["fare > flight"]\nlogic = ["fare & !flight.1 -> fare"]\nfirst = ["fare-old -> flight"]\n'
SENTENCES = '[fare]\nmust = ["to oslo"]\n'
TEXTS = RuleTexts(RULES, LOGIC, SENTENCES)


def test_a_class_is_renamed_where_it_is_used_and_not_in_quotes() -> None:
    found = rename_class(TEXTS, "city", "town", lowercase=True)
    assert found.rules == RULES.replace("@city", "@town").replace('"@town@"', '"@city@"')
    assert (found.logic, found.sentences) == (LOGIC, SENTENCES)
    assert names_in(found.rules, lowercase=True).classes == ("town", "far")


def test_a_rule_is_renamed_in_rules_logic_and_sentences_and_its_label_stays() -> None:
    found = rename_rule(TEXTS, "fare", "price", lowercase=True)
    assert found.rules == RULES.replace("fare := ", "price := ")
    assert found.logic == LOGIC.replace('"fare & ', '"price & ')
    assert found.sentences.startswith("[price]")
    assert "to oslo" in found.sentences


def test_a_numbered_rule_gets_a_name_in_front() -> None:
    found = rename_rule(TEXTS, "flight.1", "to.far", lowercase=True)
    assert "\nto.far := $* to [^ @city@ ] @far@\n" in found.rules
    assert '"fare & !to.far -> fare"' in found.logic
    assert names_in(found.rules, lowercase=True).rules == ("fare", "to.far")


@pytest.mark.parametrize(
    ("rename", "new", "message"),
    [
        (rename_rule, "flight.1", "The name 'flight.1' is taken."),
        (rename_rule, "a b", "'a b' cannot be a name. A name holds letters, digits and _ . + - /."),
        (rename_class, "far", "The name '@far@' is taken."),
        (rename_class, "a/b", "'a/b' cannot be a name."),
    ],
)
def test_names_that_are_taken_or_none_are_refused(rename, new: str, message: str) -> None:  # type: ignore[no-untyped-def]
    old = "fare" if rename is rename_rule else "city"
    with pytest.raises(InputError) as raised:
        rename(TEXTS, old, new, lowercase=True)
    assert message in str(raised.value)
