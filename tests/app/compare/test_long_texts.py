"""Long sentences on the page Compare: shortened in the middle, and whole behind a click."""

from __future__ import annotations

import pytest

from pages._compare.drawing.long_texts import MOST, NARROW, folded, in_full, shortened, shortened_cells

LONG = " ".join(f"word{number}" for number in range(150))


def test_a_short_sentence_stays() -> None:
    assert shortened("fly to oslo") == "fly to oslo"
    assert folded("a < b") == "a &lt; b"
    assert in_full({"Rule": ["fly"], "Only v1": ["fly to oslo"]}) == ""


def test_both_ends_of_a_long_one_stand_and_the_words_between_are_counted() -> None:
    short = shortened(LONG)
    first, count, last = short.split(" … ")
    assert len(short) < MOST + 20
    assert LONG.startswith(f"{first} ")
    assert LONG.endswith(f" {last}")
    assert len(first.split()) + int(count.removesuffix(" words")) + len(last.split()) == 150


def test_the_one_word_that_a_sentence_is_about_is_not_left_out() -> None:
    sentence = "from your texts: how wide are the chairs in premium ?"
    assert len(sentence) > NARROW
    assert shortened(sentence, NARROW) == sentence
    assert in_full({"Label": ["seat"], "Only reconstructed": [sentence]}, NARROW) == ""
    assert folded(sentence, NARROW) == sentence


@pytest.mark.parametrize("text", ["x" * 400, "the " + "y" * 400])
def test_a_word_without_end_is_cut(text: str) -> None:
    assert len(shortened(text)) < MOST + 20


def test_a_narrow_column_shows_both_ends_too() -> None:
    first, _, last = shortened(LONG, NARROW).split(" … ")
    assert first.startswith("word0 ")
    assert last.endswith(" word149")
    assert len(shortened(LONG, NARROW)) < NARROW + 20


def test_the_whole_sentence_is_below_the_table_with_its_row_and_column_and_escaped() -> None:
    columns = {"Rule": ["a<b", "bag"], "Only v1": [f"{LONG} <i>", "short"], "Texts": [3, 4]}
    short = shortened_cells(columns)
    assert (short["Rule"], short["Texts"], short["Only v1"][1]) == (["a<b", "bag"], [3, 4], "short")
    assert len(short["Only v1"][0]) < MOST + 20
    whole = in_full(columns)
    assert f"<b>a&lt;b, Only v1</b>: {LONG} &lt;i&gt;</li>" in whole
    assert "Full sentence" in whole
    assert "2 long sentences in full" in in_full({"Rule": ["a"], "v1": [LONG], "v2": [f"{LONG} x"]})


def test_one_sentence_is_whole_behind_a_click() -> None:
    assert "word75" in folded(LONG)
    assert "<summary>word0 " in folded(LONG)
