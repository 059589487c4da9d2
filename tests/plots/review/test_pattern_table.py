"""The table of the patterns of a new rule."""

from __future__ import annotations

import re

from re2nn_core.plots.review.pattern_table import better_as_html, left_out_as_html, patterns_as_html
from re2nn_core.services.rule_review.patterns import BetterWithout, ReviewedPattern

BASE = "74 held-out test texts"


def row(number: int, **more: str) -> ReviewedPattern:
    return ReviewedPattern(f"$* p{number} $*", f"p{number}", 10 + number, (number, 0), (1, 2), **more)


def text(shown: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", shown).split())


def test_each_row_has_what_dropping_it_does() -> None:
    shown = patterns_as_html([row(1, example="a.example"), row(2)], BASE, droppable=True)
    assert text(shown) == (
        "Matches Alone (74 held-out test texts) Rule without it (same) Your texts (all) "
        "p1 × e.g. “a.example” 1 fixed, 0 broken 1 fixed, 2 broken 11 p2 × 2 fixed, 0 broken 1 fixed, 2 broken 12"
    )
    assert 'title="Drop p1, accept the rest; the rule then fixes 1 and breaks 2 of 74 held-out test texts"' in shown
    assert 'data-pattern="$* p1 $*"' in shown


def test_the_only_pattern_has_no_button_and_the_figures_of_the_rule() -> None:
    shown = patterns_as_html([row(1)], BASE, droppable=True)
    assert text(shown) == "Matches Your texts p1 11"
    assert "<button" not in shown


def test_many_rows_stand_behind_a_click() -> None:
    rows = [row(number) for number in range(9)]
    shown = patterns_as_html(rows, BASE)
    assert text(shown.partition("<details>")[0]).count("fixed") == 12  # two figures of six rows
    assert "<summary>3 more</summary>" in shown
    assert "<details>" not in patterns_as_html(rows[:7], BASE)


def test_patterns_without_which_the_rule_is_better_are_named_with_what_they_would_do() -> None:
    better = BetterWithout(["“your … call”", "“hi … ?”"], '$* "a" $*', (10, 1), gains=True, lost=4)
    assert text(better_as_html(better)) == (
        "Better without “your … call” and “hi … ?”: fixes 10 and breaks 1 ; elsewhere 4 fewer fixed ."
    )
    assert text(left_out_as_html(better, (11, 3), BASE)) == (
        "“your … call” and “hi … ?” learned too, left out: they would fix 1 more and break 2 more of "
        "74 held-out test texts."
    )
    same = BetterWithout(["“hi … ?”"], "$* a $*", (11, 3), gains=False)
    assert text(better_as_html(same)) == "As good without “hi … ?”: fixes 11 and breaks 3 ."
    assert text(left_out_as_html(same, (11, 3), BASE)) == "“hi … ?” learned too, left out: it would fix nothing."


def test_a_pattern_that_does_nothing_to_the_texts_that_decide_says_what_it_fixes_elsewhere() -> None:
    """It looked harmless to drop, and four other texts were no longer fixed."""
    one = ReviewedPattern("$* hi $*", "“hi”", 4, (0, 0), (10, 1), lost=4, other=1)
    shown = patterns_as_html([one, row(2)], BASE, droppable=True)
    assert "“hi” × 0 fixed, 0 broken 10 fixed, 1 broken and 4 fewer fixed elsewhere 4 (1 of another label) " in text(
        shown
    )
    assert "of 74 held-out test texts, and 4 fewer of the others" in shown
