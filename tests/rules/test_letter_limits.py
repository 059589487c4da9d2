"""Expressions for letters of words: what is said of a file with more than fit, and of one with nearly as many."""

from __future__ import annotations

import re

import pytest

from re2nn_core.errors import RuleError
from re2nn_core.rules.read import read_rules

PARTS = ("book", "reserv", "cancel", "refund", "luggage", "ticket", "a.m", "hotel", "train", "meal")


def _file(count: int, form: str = 'glob"*{}*"') -> str:
    return f"[x]\nr := $* ( {' | '.join(form.format(part) for part in PARTS[:count])} ) $*\n"


def test_the_seventh_is_warned_of_with_what_to_write() -> None:
    """The ninth was an error, and nothing was said before."""
    assert read_rules(_file(6)).warnings == ()
    (warning,) = read_rules(_file(7)).warnings
    assert "the file has 7 expressions for letters anywhere in a word" in warning.message
    assert warning.advice.startswith(
        'Write re".*(book|reserv|cancel|refund|luggage|ticket|a\\.m).*" in place of glob"*book*" | glob"*reserv*" | '
    )


@pytest.mark.parametrize("form", ['glob"*{}*"', 're".*{}.*"'])
def test_too_many_name_the_one_expression_that_fits(form: str) -> None:
    with pytest.raises(RuleError, match="the file has 10 expressions for letters of words") as caught:
        read_rules(_file(10, form))
    (written,) = re.findall(r'Write (re".*?") in place of', str(caught.value))
    assert read_rules(f"[x]\nr := $* {written} $*\n").warnings == (), "as the advice says"


def test_expressions_for_beginnings_fit() -> None:
    assert read_rules(_file(10, 'glob"{}*"')).warnings == ()


@pytest.mark.parametrize(("written", "joined"), [('re".*(meal|food).*"', True), ('re".*meal|food.*"', False)])
def test_alternatives_without_brackets_are_not_joined(written: str, joined: bool) -> None:
    """`re".*meal|food.*"` matches what ends in meal, or begins with food."""
    with pytest.raises(RuleError, match="expressions for letters of words") as caught:
        read_rules(_file(9).replace("(", f"( {written} |", 1))
    assert (f"in place of {written} | " in str(caught.value)) is joined
