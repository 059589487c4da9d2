"""Phrases of many texts at once: the fast table finds what a search of each text finds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.proposals import phrase_table
from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.proposals.phrases import END, ONE, SOME, START
from re2nn_core.reconstruction.classification.mined_phrases import holds

WORDS = ("refund", "cheap", "flight", "the", "to", "how", "much", "3", ".", "late")


def _sentences(seed: int, count: int = 40) -> list[list[str]]:
    random_ = random.Random(seed)
    return [[random_.choice(WORDS) for _ in range(random_.randint(0, 9))] for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_every_phrase_stands_with_exactly_the_texts_that_hold_it(seed: int) -> None:
    sentences = _sentences(seed)
    table = find_phrase_table(sentences)
    assert len(table) > 50
    for number, phrase in enumerate(table.phrases):
        if END in phrase:
            matched = RuleMatcher([anywhere([phrase])], ["rule"]).matched(sentences)[:, 0]
            wanted = np.flatnonzero(matched).tolist()
        else:
            wanted = [place for place, sentence in enumerate(sentences) if holds(sentence, phrase)]
        assert table.texts_of(number).tolist() == wanted, phrase
        assert len(wanted) >= 2


def test_all_shapes_are_found_and_each_phrase_once() -> None:
    table = find_phrase_table([["where", "is", "my", "late", "bag"], ["where", "was", "my", "late", "old", "bag"]])
    assert {("late",), ("my", "late"), (START, "where"), ("late", SOME, "bag")} <= set(table.phrases)
    assert ("where", ONE, "my") not in table.phrases  # neither word says anything alone
    assert ("late", ONE, "found") in find_phrase_table([["late", "x", "found"], ["late", "y", "found"]]).phrases
    assert len(set(table.phrases)) == len(table)
    assert find_phrase_table([["a", "red", "the"], ["an", "blue", "this"]]).phrases == ()


def test_how_a_short_text_begins_is_a_phrase_and_the_end_may_have_punctuation() -> None:
    table = find_phrase_table(
        [["what", "is", "ethology", "?"], ["what", "is", "gravity"], ["what", "is", "new", "in", "it"]]
    )
    assert table.texts_of(table.phrases.index((START, "what", "is", ONE, END))).tolist() == [0, 1]
    assert (START, "what", "is") in table.phrases


def test_numbers_punctuation_and_words_that_say_nothing_alone_are_left_out() -> None:
    table = find_phrase_table([["the", "5", ".", "bag"], ["the", "5", ".", "bag"]])
    assert set(table.phrases) == {("bag",), (START, "the"), ("the", SOME, "bag")}


def test_a_phrase_of_too_few_texts_is_left_out() -> None:
    assert ("bag",) not in find_phrase_table([["bag", "bag"], ["case"]]).phrases
    assert ("bag",) in find_phrase_table([["bag"], ["case"]], least=1).phrases


def test_pairs_far_apart_are_left_out_where_texts_are_very_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrase_table, "MOST_PAIRS", 20)
    sentence = ["bag", *("x", "y", "z", "v"), "lost"]
    assert ("bag", SOME, "lost") not in find_phrase_table([sentence, sentence]).phrases
    monkeypatch.undo()
    assert ("bag", SOME, "lost") in find_phrase_table([sentence, sentence]).phrases


def test_no_text_has_no_phrase() -> None:
    assert len(find_phrase_table([])) == len(find_phrase_table([[], []])) == 0
