"""Priorities and default label evaluated on labelled texts."""

from __future__ import annotations

import numpy as np

from re2nn_core.proposals.label_order import LabelOrder
from re2nn_core.proposals.label_search import SearchedTexts
from re2nn_core.proposals.priority_search import FoundPriority, best_default, search_priorities


def _texts(rows: list[tuple[int, tuple[int, ...]]], order: LabelOrder) -> SearchedTexts:
    holds = np.zeros((len(rows), len(order.labels)), dtype=np.bool_)
    for place, (_, held) in enumerate(rows):
        holds[place, list(held)] = True
    gold = np.asarray([gold for gold, _ in rows], dtype=np.int64)
    return SearchedTexts(order, gold, holds, np.arange(len(rows), dtype=np.int64) % 3)


def test_the_label_that_loses_most_of_its_own_texts_wins() -> None:
    order = LabelOrder(("a", "b", "c"))
    texts = _texts([*[(1, (0, 1))] * 6, *[(0, (0, 1))] * 2, *[(2, (0, 2))], *[(0, (0,))] * 3], order)
    assert list(search_priorities(texts, most=5)) == [FoundPriority(1, 0, 6, 2)]


def test_no_priority_goes_round_in_a_circle() -> None:
    order = LabelOrder(("a", "b"), priorities=((0, 1),))
    assert list(search_priorities(_texts([(1, (0, 1))] * 6, order), most=5)) == []


def test_what_one_fold_alone_says_is_chance() -> None:
    order = LabelOrder(("a", "b"))
    rows = [(0, (0,))] * 9
    rows[0] = rows[3] = (1, (0, 1))  # both in fold 0
    assert list(search_priorities(_texts(rows, order), most=5)) == []
    rows[4] = (1, (0, 1))
    assert list(search_priorities(_texts(rows, order), most=5)) == [FoundPriority(1, 0, 3, 0)]


def test_the_default_label_is_the_one_of_most_texts_without_a_label() -> None:
    rows = [(0, ()), (1, ()), (1, ()), (0, (0,)), (0, (0,)), (-1, ())]
    assert best_default(_texts(rows, LabelOrder(("a", "b")))) == (1, 2, 3)
    assert best_default(_texts(rows, LabelOrder(("a", "b"), default=0))) is None
    assert best_default(_texts([(0, (0,))], LabelOrder(("a", "b")))) is None
