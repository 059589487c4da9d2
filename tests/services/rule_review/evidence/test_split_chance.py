"""A gain on dev that test does not show: more than chance, or not."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from re2nn_core.services.rule_review.evidence import split_chance
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves, chance_of, loses, more_than_chance


def counted_out(chosen: SplitMoves, apart: SplitMoves) -> float:
    """The slow twin: every way to share the texts out."""
    moves = [*moves_of(chosen), *moves_of(apart)]
    gains = [sum(part) for part in combinations(moves, chosen.texts)]
    return sum(gain >= chosen.fixed - chosen.broken for gain in gains) / len(gains)


def moves_of(split: SplitMoves) -> list[int]:
    return [1] * split.fixed + [-1] * split.broken + [0] * (split.texts - split.fixed - split.broken)


@some.composite
def splits(draw: some.DrawFn) -> SplitMoves:
    fixed, broken, same = (draw(some.integers(0, 3)) for _ in range(3))
    return SplitMoves(max(1, fixed + broken + same), fixed, broken)


@given(splits(), splits())
def test_as_if_counted_out(chosen: SplitMoves, apart: SplitMoves) -> None:
    assert chance_of(chosen, apart) == pytest.approx(counted_out(chosen, apart))


def test_many_texts_are_told_nearly(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = SplitMoves(900, 120, 60), SplitMoves(800, 90, 70)
    exact = chance_of(*sides)
    monkeypatch.setattr(split_chance, "_MOST_PAIRS", 0)
    assert chance_of(*sides) == pytest.approx(exact, abs=2e-3)
    assert chance_of(SplitMoves(10, 0, 0), SplitMoves(10, 0, 0)) == 1.0


@pytest.mark.parametrize(
    ("dev", "test", "telling"),
    [
        (SplitMoves(84, 3, 0), SplitMoves(84, 0, 0), False),  # three texts say nothing yet
        (SplitMoves(84, 20, 2), SplitMoves(84, 4, 4), True),
        (SplitMoves(84, 20, 2), SplitMoves(84, 18, 2), False),
        (SplitMoves(500, 12, 0), SplitMoves(500, 0, 1), True),
    ],
)
def test_few_texts_are_no_proof(dev: SplitMoves, test: SplitMoves, telling: bool) -> None:
    assert more_than_chance(dev, test) == telling


@pytest.mark.parametrize(
    ("fixed", "broken", "telling"),
    [
        (0, 0, False),
        (0, 4, False),
        (0, 5, True),
        (5, 0, False),
        (4, 4, False),
        (3, 12, True),
        (2, 387, True),
        (520, 530, False),
        (500, 600, True),
    ],
)
def test_more_texts_lost_than_chance_would_lose(fixed: int, broken: int, telling: bool) -> None:
    assert loses(SplitMoves(500, fixed, broken)) == telling
