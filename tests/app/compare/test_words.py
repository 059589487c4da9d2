"""Small pieces of the page Compare: the sentence above the figures, and words in a narrow column."""

from __future__ import annotations

import pytest

from pages._compare.drawing.union_list import fitting
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.reconstruction.summary_sentence import summary_sentence
from pages._shared.components.grid import height_of
from re2nn_core.services.rule_systems.rule_pieces import Piece

_NETWORK = "On the test texts the trained network is"
_CHANGED = "with every change accepted, the rules are"


@pytest.mark.parametrize(
    ("shares", "reported"),
    [
        (
            (0.912, 0.953, 0.929),
            f"{_NETWORK} 4.1 points better than the written rules; {_CHANGED} 1.7 points better than written.",
        ),
        (
            (0.9, 0.95, 0.9),
            f"{_NETWORK} 5.0 points better than the written rules; {_CHANGED} as good as written.",
        ),
        (
            (0.9, 0.95, 0.8),
            f"{_NETWORK} 5.0 points better than the written rules; {_CHANGED} 10.0 points worse than written."
            " Accept only changes that gain.",
        ),
        (
            (0.9, 0.91, 0.93),
            f"{_NETWORK} 1.0 points better than the written rules; {_CHANGED} 3.0 points better than written.",
        ),
        ((0.9, 0.9, 0.9), f"{_NETWORK} no better than the written rules."),
        (
            (0.9, 0.8, 0.91),
            f"{_NETWORK} no better than the written rules; {_CHANGED} 1.0 points better than written.",
        ),
        (
            (0.9, 0.8, 0.85),
            f"{_NETWORK} no better than the written rules; {_CHANGED} 5.0 points worse than written.",
        ),
    ],
)
def test_what_training_brought_is_told_in_a_sentence(shares: tuple[float, float, float], reported: str) -> None:
    assert summary_sentence({"dev": (0.0, 1.0, 1.0), "test": shares}, "dev", "points") == f"<span>{reported}</span>"


def test_without_test_texts_it_is_told_of_dev_or_of_all() -> None:
    shares = {"dev": (0.5, 1.0, 1.0)}
    assert "On the dev texts the trained network is 50.0 points better" in summary_sentence(shares, "dev", "points")
    assert "On all labelled texts the trained network is 50.0 F1 points better" in summary_sentence(
        shares, "all labelled texts", "F1 points"
    )
    assert summary_sentence({}, "dev", "points") == ""
    assert summary_sentence({"test": (0.5, None, 1.0)}, "dev", "points") == ""


def test_words_that_do_not_fit_are_counted() -> None:
    assert fitting(()) == ""
    assert fitting(("american", "united")) == "american, united"
    assert fitting(tuple(f"10{number}" for number in range(25))) == "100, 101, 102 and 22 more"
    assert fitting(("an-unusually-long-word-for-a-column", "b")) == "an-unusually-long-word-for-a-column and 1 more"


def test_numbers_come_behind_words() -> None:
    shown = word_list("Words added", ["1020", "american", "%"], "new")
    assert shown.index("american") < shown.index("1020")


def test_a_table_is_no_higher_than_its_rows_and_shows_that_there_are_more() -> None:
    assert height_of(4, 12) < height_of(12, 12) < height_of(13, 12) == height_of(400, 12) < height_of(13, 13)


def test_a_class_that_lost_words_says_which_and_is_not_struck_through() -> None:
    class_of = [Piece(word, "changed" if word in ("b", "d") else "same") for word in "abcde"]
    shown = rule_html([Piece("@city@", "changed", tuple(class_of))], "gone").partition("</summary>")[0]
    assert "<summary>@city@ <i>5 words</i><i>, 2 removed</i>" in shown
    assert shown.count('<del class="re2-gone">') == 2
    assert '<del class="re2-gone">b</del>, <del class="re2-gone">d</del>' in shown
    whole = rule_html([Piece("@city@", "changed", tuple(Piece(word, "changed") for word in "ab"))], "gone")
    assert '<del class="re2-gone">@city@</del> <i>2 words</i><i>, all removed</i>' in whole
