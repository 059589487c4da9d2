"""Which words of a place are named: those that hold on texts that they were not chosen by."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.reconstruction.slot_filling.proposed_changes import holding
from re2nn_core.reconstruction.slot_filling.vote_table import PARTS
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

FIRST = len(UNKNOWN_KINDS)  # numbers below stand for unknown words
ONE_EACH = [[1] * PARTS] * 2  # two words that save an error in every part


def chosen(gains: list[list[float]]) -> list[int]:
    """Of words of equal weight those that are taken, counted from 0. `gains`: of each the errors fewer in each part."""
    table = np.zeros((PARTS, FIRST + len(gains)))
    table[:, FIRST:] = np.asarray(gains, dtype=float).reshape(-1, PARTS).T
    every = np.concatenate([np.zeros(FIRST), np.full(len(gains), 0.5)])
    return [int(word) - FIRST for word in holding(every, table, np.ones(len(every), dtype=bool))]


@pytest.mark.parametrize(
    ("gains", "named"),
    [
        pytest.param(ONE_EACH, [0, 1], id="what every part shows"),
        pytest.param([[4, 0, 0, 0, 0]], [], id="what one part shows, however much it saves there"),
        pytest.param([[1, 1, 0, 0, 0]], [0], id="what two parts show"),
        pytest.param([*ONE_EACH, [1, -1, 0, 0, 0], [0, 1, -1, 0, 0]], [0, 1], id="what saves as much as it costs"),
        pytest.param(
            [*ONE_EACH, [2, -1, -1, 2, -1], [-1, 2, 2, -1, -1]], [0, 1], id="what saves little, and costs held out"
        ),
        pytest.param([[-1, -1, 0, 0, 0]], [], id="what does harm"),
        pytest.param([], [], id="no word"),
    ],
)
def test_words_are_named_that_hold(gains: list[list[float]], named: list[int]) -> None:
    assert chosen(gains) == named


def test_words_that_no_text_shows_come_in_where_such_words_hold() -> None:
    """Each is shown by one part alone: where words are chosen by the others, it is one that no text shows."""
    spread = [[3, 0, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 3, 0, 0]]
    assert chosen(spread) == [0, 1, 2, 3]
    assert chosen(spread[:1]) == []
