"""A long row of alternatives becomes a word list, and the rules match the same texts."""

from __future__ import annotations

import pytest

from re2nn_core.automata.algebra import equivalent
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.word_lists.definition import as_shown
from re2nn_core.services.rule_writing.long_alternatives import MANY, as_word_list, long_alternatives
from re2nn_core.services.rule_writing.word_lists import stored_lists

LETTERS = "abcdefghijklmnopqrst"
NAMES = [f"city{first}{second}" for first in LETTERS for second in LETTERS][:MANY]
PASTED = "( " + " | ".join(["New York", '"BOS"', *NAMES[2:]]) + " )"


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        (
            f"@city@ = {PASTED}    // all\n[x]\nr := $* @city@ $*\n",
            '@city@ = file("city.txt")    // all\n[x]\nr := $* @city@ $*\n',
        ),
        (f"[x]\nr := to {PASTED} $* // note", '@r@ = file("r.txt")\n[x]\nr := to @r@ $* // note'),
        (f"[x]\n$* [ {PASTED}+ ]<city>\n$* ho $*", '@list@ = file("list.txt")\n[x]\n$* [ @list@+ ]<city>\n$* ho $*'),
        (
            f"@r@=( q )\n[x]\nr := a \\\n  {PASTED} \\\n  b @r@ // c",
            '@r_2@ = file("r.txt")\n@r@=( q )\n[x]\nr := a \\\n  @r_2@ \\\n  b @r@ // c',
        ),
        (f"@c@=( {PASTED} | ho )\n[x]\na @c@", '@c_2@ = file("c.txt")\n@c@=( @c_2@ | ho )\n[x]\na @c@'),
    ],
    ids=["class", "rule", "capture without a name", "several lines and a name that is taken", "part of a class"],
)
def test_rules_match_the_same_with_the_list(rules: str, shown: str) -> None:
    found = long_alternatives(rules, lowercase=True)
    assert found is not None
    assert found.entries[:2] == ("New York", "BOS")
    made = as_word_list(rules, lowercase=True)
    assert as_shown(made) == shown
    assert stored_lists(made)[0].entries == found.entries
    before, after = read_rules(rules).ruleset, read_rules(made).ruleset
    for was, now in zip(before.rules, after.rules, strict=True):
        assert equivalent(exact_dfa(was.expanded), exact_dfa(now.expanded))
    assert long_alternatives(made, lowercase=True) is None


def test_a_second_list_has_a_file_of_its_own() -> None:
    made = as_word_list(
        as_word_list(f"[x]\nr := {PASTED}\nr.b := a\nr2 := {PASTED[:-1]}| more )", lowercase=True), lowercase=True
    )
    assert [str(one.name) for one in stored_lists(made)] == ['file("r2.txt")', 'file("r.txt")']


@pytest.mark.parametrize(
    "rules",
    [
        "[x]\nr := ( a | b )",
        f"[x]\nr := ( {' | '.join(NAMES[1:])} )",
        f"[x]\nr := {PASTED.replace('New York', '$')}",
        f"[x]\nr := {PASTED.replace('New York', 'New York*')}",
        f"[x]\nr := {PASTED.replace('New York', 'St. Louis')}",
        f"[x]\nr := {PASTED.replace('New York', '')}",
        f"[x]\nr := a // {PASTED}",
        f"[x]\nr := {PASTED[:-1]}",
    ],
    ids=["short", "one too few", "wildcard", "repeat", "cut in two ways", "empty", "comment", "not closed"],
)
def test_other_alternatives_stay(rules: str) -> None:
    assert long_alternatives(rules, lowercase=True) is None
    assert as_word_list(rules, lowercase=True) == rules
