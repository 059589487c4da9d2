"""Phrases evaluated on texts that they were not made from."""

from __future__ import annotations

import numpy as np

from re2nn_core.proposals.grouping import grouped
from re2nn_core.proposals.label_order import LabelOrder, winning_labels
from re2nn_core.proposals.label_search import FoundPhrase, SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import find_phrase_table
from re2nn_core.proposals.phrases import START
from re2nn_core.rules.printer import print_expression

FARE, SEAT = 0, 1
ORDER = LabelOrder(("fare", "seat"))


def _search(
    texts: list[tuple[str, int]], *, folds: int = 3, label: int | None = None, most: int = 10
) -> list[FoundPhrase]:
    sentences = [text.split() for text, _ in texts]
    gold = np.asarray([label for _, label in texts], dtype=np.int64)
    holds = np.zeros((len(texts), len(ORDER.labels)), dtype=np.bool_)
    evaluated = SearchedTexts(ORDER, gold, holds, np.arange(len(texts), dtype=np.int64) % folds)
    return list(search_phrases(find_phrase_table(sentences), evaluated, label=label, most=most))


def _texts() -> list[tuple[str, int]]:
    fares = [(f"price of {city}", FARE) for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")]
    seats = [(f"window in {city}", SEAT) for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")]
    return fares + seats


def test_what_the_other_folds_propose_is_found_and_counted_out_of_fold() -> None:
    found = _search(_texts())
    assert [(one.phrase, one.label, one.fixed, one.broken) for one in found] == [
        (("price",), FARE, 6, 0),
        (("window",), SEAT, 6, 0),
    ]
    assert all((one.of_label, one.held) == (6, 6) for one in found)


def test_a_word_of_one_fold_alone_is_memorised_and_left_out() -> None:
    texts = [("pudding soup", FARE), ("x window", SEAT), ("y window", SEAT), ("pudding stew", FARE), ("z window", SEAT)]
    assert {one.phrase for one in _search(texts, folds=3)} == {("window",)}
    # In two folds, each of which the other speaks for, it is worth something.
    assert ("pudding",) in {one.phrase for one in _search([*texts, ("pudding pie", FARE)], folds=2)}


def test_one_label_alone_and_so_many_at_most() -> None:
    assert {one.label for one in _search(_texts(), label=SEAT)} == {SEAT}
    assert len(_search(_texts(), most=1)) == 1


def test_a_phrase_that_breaks_what_the_rules_get_right_is_weighed_against_it() -> None:
    sentences = [["bag", "lost"]] * 6 + [["bag", "seat"]] * 6
    gold = np.asarray([FARE] * 6 + [SEAT] * 6, dtype=np.int64)
    holds = np.zeros((12, 2), dtype=np.bool_)
    holds[6:, SEAT] = True
    evaluated = SearchedTexts(ORDER, gold, holds, np.arange(12, dtype=np.int64) % 3)
    found = list(search_phrases(find_phrase_table(sentences), evaluated, most=5))
    assert [one.phrase for one in found] == [("lost",)]
    holds[[0, 1, 2, 3, 4, 5], FARE] = True
    assert (winning_labels(ORDER, holds) == gold).all()


def test_phrases_become_rules_of_few_alternatives() -> None:
    def one(number: int, label: int, fixed: int, *phrase: str) -> FoundPhrase:
        return FoundPhrase(number, phrase, label, fixed, 0, fixed, fixed)

    found = [
        one(0, FARE, 3, "price"),
        one(1, SEAT, 9, "window"),
        one(2, FARE, 2, START, "how", "much"),
        one(3, FARE, 1, "fee"),
    ]
    rules = grouped(found, alternatives=2)
    assert [(rule.label, rule.fixed, print_expression(rule.tree)) for rule in rules] == [
        (SEAT, 9, "$* window $*"),
        (FARE, 5, "$* ( price | BOS how much ) $*"),
        (FARE, 1, "$* fee $*"),
    ]


def test_a_search_that_is_asked_to_stop_keeps_what_it_found() -> None:
    sentences = [text.split() for text, _ in _texts()]
    gold = np.asarray([label for _, label in _texts()], dtype=np.int64)
    texts = SearchedTexts(ORDER, gold, np.zeros((12, 2), dtype=np.bool_), np.arange(12, dtype=np.int64) % 3)
    asked = iter([False, True])
    found = search_phrases(find_phrase_table(sentences), texts, most=10, should_stop=lambda: next(asked))
    assert [one.phrase for one in found] == [("price",)]
