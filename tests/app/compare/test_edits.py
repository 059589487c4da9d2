"""The table of learned edits on the page Compare."""

from __future__ import annotations

from pages._compare.accepting.edit_table import parts_in_words
from re2nn_core.rules.tree import Word
from re2nn_core.services.rule_review.classification.learned_edits import OfferedEdit


def edit(*words: str, place: int = 1) -> OfferedEdit:
    tree = Word("x")
    return OfferedEdit("go", "travel", "add", place, "flight", words, "x", tree, (), (), 1, 1)


def test_an_edit_that_contains_others_says_so() -> None:
    assert parts_in_words([edit("a"), edit("b")]) == ["", ""]
    assert parts_in_words([edit("a", "b"), edit("a"), edit("b"), edit("a", place=2)]) == [
        "contains 2 edits below",
        "part of first edit",
        "part of first edit",
        "",
    ]
    # The one that contains others may stand behind one of them.
    assert parts_in_words([edit("a"), edit("a", "b"), edit("b")]) == [
        "part of an edit below",
        "contains 2 edits",
        "part of an edit above",
    ]
