"""Phrases that a single text has are taken together where such phrases hold on other texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from re2nn_core.proposals import rare_phrases
from re2nn_core.proposals.label_order import LabelOrder
from re2nn_core.proposals.label_search import SearchedTexts
from re2nn_core.proposals.rare_phrases import search_rare

FARE, SEAT = 0, 1
FARES = ("price", "cost", "fare", "fee", "charge", "sum", "rate", "bill", "tariff", "cheque")
SEATS = ("window", "aisle", "chair", "row", "place", "bench", "legroom", "recline", "cabin", "berth")


def _texts(sentences: list[list[str]], gold: list[int]) -> SearchedTexts:
    holds = np.zeros((len(gold), 2), dtype=np.bool_)
    folds = np.arange(len(gold), dtype=np.int64) % 10
    return SearchedTexts(LabelOrder(("fare", "seat")), np.asarray(gold, dtype=np.int64), holds, folds)


def _pairs(times: int) -> tuple[list[list[str]], list[int]]:
    """Each word in so many texts of its label."""
    words = [*((word, FARE) for word in FARES), *((word, SEAT) for word in SEATS)]
    rows = [([word, f"x{word}{n}"], label) for word, label in words for n in range(times)]
    return [row for row, _ in rows], [label for _, label in rows]


def test_a_word_of_one_text_counts_where_such_words_hold_on_other_texts() -> None:
    sentences, gold = _pairs(2)
    sentences, gold = [*sentences, ["upgrade", "q"]], [*gold, SEAT]
    texts = _texts(sentences, gold)
    found = search_rare(sentences, texts, texts)
    assert {rule.label for rule in found} == {FARE, SEAT}
    seat = next(rule for rule in found if rule.label == SEAT)
    assert ("upgrade",) in seat.phrases
    assert seat.fixed > 0 == seat.broken


def test_words_that_tell_nothing_on_other_texts_are_left_out() -> None:
    sentences = [[word, f"x{word}"] for word in (*FARES, *SEATS)]
    texts = _texts(sentences, [n % 2 for n in range(len(sentences))])
    assert search_rare(sentences, texts, texts) == []


def test_texts_that_have_their_label_make_none() -> None:
    sentences, gold = _pairs(2)
    texts = _texts(sentences, gold)
    holds = np.eye(2, dtype=np.bool_)[gold]
    assert search_rare(sentences, texts, replace(texts, holds=holds)) == []


def test_many_texts_have_phrases_of_several() -> None:
    sentences, gold = _pairs(2)
    texts = _texts(sentences, gold)
    many = 1 + rare_phrases.MOST_TEXTS // len(sentences)
    assert search_rare(sentences * many, texts, texts) == []


def test_nothing_is_found_where_the_search_is_asked_to_stop_before_all_folds_were_tried() -> None:
    sentences, gold = _pairs(2)
    texts = _texts(sentences, gold)
    asked = iter([False, False, True])
    assert search_rare(sentences, texts, texts, should_stop=lambda: next(asked)) == []
    assert search_rare(sentences, texts, texts, should_stop=lambda: False)
