"""Rules switched off and on again, everything else as it was written."""

from __future__ import annotations

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_systems.rule_switches import (
    OffRule,
    line_named,
    rule_start,
    switch_off,
    switch_on,
    switched_off,
)

TEXT = """\
// head
[a]
one := $* x $*   // note
$* ( y \\
  | z ) $*
[b]
two := w
"""


@pytest.mark.parametrize("line", [3, 4, 7])
def test_off_and_on_gives_the_same_text(line: int) -> None:
    off = switch_off(TEXT, line)
    assert off != TEXT
    assert len(read_rules(off).ruleset.rules) == 2
    [rule] = switched_off(off)
    assert switch_on(off, rule.line) == TEXT


def test_every_line_of_a_long_rule_is_off() -> None:
    off = switch_off(TEXT, 5)
    assert off.splitlines()[3:5] == ["//- $* ( y \\", "//-   | z ) $*"]
    assert switched_off(off) == (OffRule("line 4", "a", 4),)


def test_names_and_labels_of_rules_that_are_off() -> None:
    off = switch_off(switch_off(TEXT, 3), 7)
    assert switched_off(off) == (OffRule("one", "a", 3), OffRule("two", "b", 7))


def test_comments_and_blank_lines_stay() -> None:
    assert switch_off(TEXT, 1) == TEXT
    assert switch_off(TEXT, 99) == TEXT
    assert switch_on(TEXT, 3) == TEXT


def test_a_continued_line_belongs_to_its_first() -> None:
    assert [rule_start(TEXT, line) for line in (1, 3, 4, 5, 8)] == [1, 3, 4, 4, 8]


def test_the_line_of_a_name_is_found_in_rules_that_cannot_be_read() -> None:
    assert line_named("[x]\nfly := $* (\n  go := $* @none@", "go") == 3
    assert line_named("[x]\nfly := $* (\n// go := a", "go") is None
