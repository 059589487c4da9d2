"""Labels guessed from few labelled texts, and whether they help."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from re2nn_core.proposals.label_guesses import bayes_guesser, guess_labels
from re2nn_core.proposals.label_order import NONE
from re2nn_core.proposals.linear_guesses import linear_guesser
from re2nn_core.proposals.reached_accuracy import Reached, best_guesser, reached_accuracies

FARE, SEAT = 0, 1
LABELS = ("fare", "seat")


def _numbers(*labels: int) -> NDArray[np.int64]:
    return np.asarray(labels, dtype=np.int64)


def test_labelled_texts_keep_their_label_and_words_carry_it_on() -> None:
    texts = ["ticket price", "aisle row", "price today", "row number", "today cheap", "cheap ticket", "number nine row"]
    found = guess_labels([text.split() for text in texts], _numbers(FARE, SEAT, *[NONE] * 5), LABELS)
    # "today cheap" has no word of a labelled text: "price today" and "cheap ticket" lead to it.
    assert found.labels.tolist() == [FARE, SEAT, FARE, SEAT, FARE, FARE, SEAT]
    assert found.confidence[:2].tolist() == [1.0, 1.0]
    assert ((found.confidence > 0.5) & (found.confidence <= 1)).all()


def test_the_words_of_a_labels_name_count_in_any_inflection() -> None:
    texts = ["two seats", "seats left", "what fares", "fares today"]
    found = guess_labels([text.split() for text in texts], np.full(4, NONE, dtype=np.int64), LABELS)
    assert found.labels.tolist() == [SEAT, SEAT, FARE, FARE]


def test_without_unlabelled_texts_nothing_is_carried_on() -> None:
    texts = ["ticket ticket", "aisle row", "ticket price", "price today", "today row", "row aisle"]
    gold = _numbers(FARE, SEAT, *[NONE] * 4)
    sentences = [text.split() for text in texts]
    alone, carried = (guess_labels(sentences, gold, LABELS, steps=steps) for steps in (0, 6))
    assert alone.confidence[3] < 0.8  # "price today" has no word of a labelled text
    assert carried.confidence[3] > 0.9
    assert carried.labels[2] == FARE


def test_no_word_in_several_texts_and_no_text_at_all() -> None:
    assert guess_labels([["a"], ["b"]], _numbers(FARE, NONE), LABELS).labels.tolist() == [FARE, FARE]
    assert guess_labels([], _numbers(), LABELS).labels.tolist() == []


def test_what_rules_from_labelled_texts_and_from_all_reach() -> None:
    """Some labelled texts have a word that only unlabelled texts tie to the label."""
    cities = ("rome", "oslo", "bonn", "bern", "kyiv", "riga")
    rows = [(f"fares {city}", FARE) for city in cities] + [(f"seats {city}", SEAT) for city in cities]
    rows += [("trip abroad", FARE), ("trip home", FARE), ("desk there", SEAT), ("desk window", SEAT)]
    more = ["fares trip", "seats desk"] * 6 + ["trip", "desk"] * 6
    gold = _numbers(*(label for _, label in rows), *[NONE] * len(more))
    folds = np.arange(len(gold), dtype=np.int64) % 4
    sentences = [text.split() for text in [text for text, _ in rows] + more]
    for make in (bayes_guesser, linear_guesser):
        reached = reached_accuracies(sentences, gold, LABELS, folds, make(sentences))
        assert reached == Reached(0.75, 1.0, fixed=4, broken=0), make
        assert reached.helpful


@pytest.mark.parametrize(
    ("fixed", "broken", "helpful"),
    [(0, 0, False), (1, 0, True), (0, 1, False), (3, 4, True), (2, 8, False), (40, 52, False), (44, 52, True)],
)
def test_guesses_help_unless_they_break_more_than_chance_does(fixed: int, broken: int, helpful: bool) -> None:
    assert Reached(0.5, 0.5, fixed, broken).helpful is helpful


def test_pairs_of_words_and_like_texts_guess_where_single_words_do_not() -> None:
    """Of "to" and "from", the one that stands first decides; no word tells the labels apart."""
    ways = ("from {} to", "to {} from")
    texts = [ways[place % 2].format(f"p{place}") for place in range(40)] * 2
    sentences = [text.split() for text in texts]
    right = np.asarray([place % 2 for place in range(40)] * 2, dtype=np.int64)
    gold = np.where(np.arange(80) % 40 < 12, right, NONE)
    found = linear_guesser(sentences)(gold, LABELS)
    assert found.labels.tolist() == right.tolist()
    assert (found.confidence[gold != NONE] == 1).all()
    assert ((found.confidence > 0.5) & (found.confidence <= 1)).all()
    assert best_guesser(sentences, gold, LABELS, np.arange(80) // 2 % 4) is linear_guesser


def test_the_guesser_that_is_right_more_often_is_taken() -> None:
    """Words of the labels' names are all that there is to go by."""
    texts = [f"{'fares' if place % 2 else 'seats'} n{place}" for place in range(8)]
    gold = np.asarray([FARE if place % 2 else SEAT for place in range(8)], dtype=np.int64)
    folds = (np.arange(8) % 2).astype(np.int64)  # the other fold has no text of the label
    assert best_guesser([text.split() for text in texts], gold, LABELS, folds) is bayes_guesser


def test_a_linear_model_of_one_label_and_of_no_text() -> None:
    found = linear_guesser([["a"], ["b"], ["a"]])(_numbers(SEAT, NONE, NONE), LABELS)
    assert (found.labels.tolist(), found.confidence.tolist()) == ([SEAT] * 3, [1.0] * 3)
    assert linear_guesser([])(_numbers(), LABELS).labels.tolist() == []
