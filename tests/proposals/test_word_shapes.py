"""Shapes of words that proposed and mined rules may ask for: numbers, codes and addresses that no list would hold."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.proposals.phrases import find_phrases, words_of_phrase
from re2nn_core.proposals.word_shapes import SHAPE, every_shape, pattern_of, shapes_of
from re2nn_core.rules.printer import print_expression
from re2nn_core.text.word_patterns.classes import holds_for

SHAPES = {
    "82277.": ["long_number"],
    "08717111821": ["long_number"],
    "1234": [],
    "150p": ["number_with_letters"],
    "x9": ["number_with_letters"],
    "www.prize.example/win": ["web_address"],
    "gigadeal.example": ["web_address"],
    "https://win.example": ["web_address"],
    "me@post.example": ["mail_address"],
    "$5.00": ["amount"],
    "20€": ["amount"],
    "e.g.": [],
    "10.30.bring": [],  # a blank is missing
    "end.": [],
    "well-known": [],
    "3.5": [],
}


@pytest.mark.parametrize(("word", "shapes"), SHAPES.items())
def test_a_word_has_the_shapes_that_its_pattern_in_the_rule_language_reads(word: str, shapes: list[str]) -> None:
    assert [shape.removeprefix(SHAPE) for shape in shapes_of(word)] == shapes
    every = every_shape(SHAPES)
    assert [shape for shape in sorted(every) if holds_for(pattern_of(shape), word)] == sorted(shapes_of(word))


SENTENCES = (("call", "0911223344"), ("ring", "0955667788", "now"), ("call", "mum"), ("see", "a1", "and", "b2"))


def test_both_tables_of_phrases_hold_shapes_with_their_texts() -> None:
    shape = (f"{SHAPE}long_number",)
    table = find_phrase_table(SENTENCES, least=2)
    assert table.texts_of(table.phrases.index(shape)).tolist() == [0, 1]
    assert (f"{SHAPE}number_with_letters",) not in table.phrases  # one text alone has such words
    phrases = find_phrases(SENTENCES, least=2)
    assert phrases.texts_of(phrases.all.index(shape)).tolist() == [0, 1]
    alone = find_phrase_table(SENTENCES, least=2, words_alone=True)
    assert shape in alone.phrases
    assert np.all(np.diff(table.begins) >= 1)


def test_a_shape_is_a_word_pattern_in_a_rule_and_gives_it_its_name() -> None:
    shape = (f"{SHAPE}long_number",)
    assert words_of_phrase(shape) == ("long_number",)
    assert print_expression(anywhere([("call", "me"), shape])) == '$* ( call me | re".*[0-9]{5,}.*" ) $*'
