"""The words of texts that the editors know."""

from __future__ import annotations

from pages._shared.components.completion import _lines


def test_short_words_are_known_so_that_they_are_left_as_they_were_typed() -> None:
    """`in` is a word; else Enter behind it would take the first one that begins so."""
    assert _lines({"in": 9, "infant": 2, "a": 40, "(": 3}) == "in\t9\ninfant\t2"
