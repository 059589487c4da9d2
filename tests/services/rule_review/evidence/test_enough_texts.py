"""What labelled texts say of a gain on new ones, and how many more would do."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor
from statistics import stdev

import pytest

from re2nn_core.services.prediction.precision import MOST_TEXTS
from re2nn_core.services.rule_review.evidence.enough_texts import (
    f1_gain_interval,
    gain_interval,
    interval_in_points,
    is_a_gain,
    is_not_thin,
    more_texts,
    more_texts_in_words,
)
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts


def test_the_interval_is_that_of_agresti_and_min() -> None:
    """By hand: 3.5 and 0.5 of 104 texts, gain 3/104 = .02885, deviation sqrt(4 - 3 * .02885) / 104 = .01902."""
    low, high = gain_interval(SplitMoves(102, 3, 0))
    assert (low, high) == pytest.approx((0.02885 - 1.96 * 0.01902, 0.02885 + 1.96 * 0.01902), abs=2e-5)
    assert gain_interval(SplitMoves(1, 1, 0))[1] == 1.0


def test_as_many_more_texts_as_the_proof_takes_at_this_rate() -> None:
    """By hand: one of 10 texts fixed, none broken; the sign test believes 3 of 3 (1/8), which 30 texts have."""
    assert more_texts(SplitMoves(10, 1, 0), is_not_thin) == 20
    assert more_texts(SplitMoves(102, 2, 0), is_not_thin) == 51
    assert more_texts(SplitMoves(102, 3, 0), is_not_thin) == 0


def test_so_many_texts_are_enough_and_one_fewer_are_not() -> None:
    for moves in (SplitMoves(50, 1, 0), SplitMoves(102, 3, 0), SplitMoves(84, 7, 2), SplitMoves(30, 4, 2)):
        more = more_texts(moves)
        assert more is not None
        assert 0 < more <= MOST_TEXTS
        rates = Fraction(moves.fixed, moves.texts), Fraction(moves.broken, moves.texts)
        enough = [
            is_a_gain(SplitMoves(texts, floor(rates[0] * texts), ceil(rates[1] * texts)))
            for texts in range(moves.texts, moves.texts + more + 1)
        ]
        assert enough == [False] * more + [True]


def test_where_nothing_gains_no_number_is_given() -> None:
    for moves in (SplitMoves(9, 0, 0), SplitMoves(9, 1, 1), SplitMoves(9, 0, 4)):
        assert more_texts(moves) is None
        assert more_texts_in_words(moves) == ""
    assert interval_in_points(gain_interval(SplitMoves(9, 1, 1))) == "95% interval -30.9 to +30.9 points"


def test_the_number_is_rounded_and_ends_at_a_thousand() -> None:
    assert more_texts_in_words(SplitMoves(102, 2, 0), is_not_thin).startswith("At this rate, about 60 more ")
    assert more_texts_in_words(SplitMoves(600, 2, 0), is_not_thin).startswith("At this rate, about 300 more ")
    assert more_texts_in_words(SplitMoves(102, 20, 19)).startswith(
        "At this rate, more than 1,000 more annotated texts "
    )
    assert more_texts_in_words(SplitMoves(102, 20, 1)) == ""


def counts(*rows: tuple[int, int, int]) -> list[SpanCounts]:
    return [SpanCounts(*row) for row in rows]


def test_the_interval_of_f1_by_hand() -> None:
    """Before, F1 is 2/4: the texts move it by 1/4 and -1/4, by (2 * right - F1 * spans) / 4. Now all is right. Of two
    texts the deviation is sqrt(2 * (1/16 + 1/16)) = 1/2."""
    found = f1_gain_interval(counts((1, 1, 1), (1, 1, 0)), counts((1, 1, 1), (1, 1, 1)))
    assert found == pytest.approx((0.5 - 0.5 * 1.96, 0.5 + 0.5 * 1.96), abs=1e-4)
    assert f1_gain_interval(counts((1, 1, 1)), counts((1, 1, 1))) is None
    assert f1_gain_interval(counts((0, 0, 0), (0, 0, 0)), counts((0, 1, 0), (0, 0, 0))) is None


def test_the_interval_of_f1_is_that_of_drawing_the_texts_again() -> None:
    """Against the bootstrap, which knows nothing of ratios."""
    draw = random.Random(3)
    before, now = [], []
    for _ in range(120):
        marked, given = draw.randint(1, 4), draw.randint(0, 4)
        right = draw.randint(0, min(marked, given))
        more = draw.random() < 0.3 and right < min(marked, given)
        before.append(SpanCounts(marked, given, right))
        now.append(SpanCounts(marked, given, right + more))
    gains = []
    for _ in range(2_000):
        drawn = [draw.randrange(120) for _ in range(120)]
        shares = [
            2 * sum(side[text].right for text in drawn) / sum(side[text].marked + side[text].given for text in drawn)
            for side in (before, now)
        ]
        gains.append(shares[1] - shares[0])
    found = f1_gain_interval(before, now)
    assert found is not None
    assert (found[1] - found[0]) / 2 / 1.96 == pytest.approx(stdev(gains), rel=0.08)
    assert sum(found) / 2 == pytest.approx(sum(gains) / len(gains), abs=0.003)
