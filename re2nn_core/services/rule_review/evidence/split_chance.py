"""Whether texts that chose a change gain more by it than texts that were kept apart, or whether that is chance.

The exact permutation test: were the two splits drawn from the same texts, each way to share these texts out would be as
likely as any other (Fisher, The Design of Experiments, 1935).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erfc, exp, lgamma, sqrt

from scipy.special import bdtrc

RARE = 0.05  # what happens less often than this by chance alone is taken for more than chance
_MOST_PAIRS = 250_000  # ways to share out fixed and broken texts that are added up one by one


@dataclass(frozen=True)
class SplitMoves:
    """Of how many texts of a split the prediction became better (`fixed`), and worse (`broken`)."""

    texts: int
    fixed: int
    broken: int


def chance_of(chosen: SplitMoves, apart: SplitMoves) -> float:
    """How likely it is that the first split gains as much more than the second, or more still, by chance alone.

    Both have the texts that were measured, and at least one.
    """
    fixed, broken = chosen.fixed + apart.fixed, chosen.broken + apart.broken
    gain = chosen.fixed - chosen.broken
    if (fixed + 1) * (broken + 1) > _MOST_PAIRS:
        return _nearly(chosen.texts, chosen.texts + apart.texts, fixed, broken, gain)
    shares = _shares(chosen.texts, chosen.texts + apart.texts, fixed, broken)
    return min(1.0, sum(share for better, worse, share in shares if better - worse >= gain))


def more_than_chance(chosen: SplitMoves, apart: SplitMoves) -> bool:
    """Whether chance alone hardly explains that the first split gains more than the second."""
    return chance_of(chosen, apart) < RARE


def loses(moves: SplitMoves) -> bool:
    """Whether more texts became worse than better, and chance alone hardly explains that (the sign test)."""
    return moves.broken > moves.fixed and bdtrc(moves.broken - 1, moves.fixed + moves.broken, 0.5) < RARE


def _shares(drawn: int, texts: int, fixed: int, broken: int) -> Iterator[tuple[int, int, float]]:
    """How likely each number of fixed and broken texts is among so many drawn ones."""
    every, kept = _log_ways(texts, drawn), texts - fixed - broken
    for better in range(min(fixed, drawn) + 1):
        for worse in range(max(0, drawn - better - kept), min(broken, drawn - better) + 1):
            ways = _log_ways(fixed, better) + _log_ways(broken, worse) + _log_ways(kept, drawn - better - worse)
            yield better, worse, exp(ways - every)


def _log_ways(texts: int, drawn: int) -> float:
    """The logarithm of the number of ways to draw so many texts."""
    return lgamma(texts + 1) - lgamma(drawn + 1) - lgamma(texts - drawn + 1)


def _nearly(drawn: int, texts: int, fixed: int, broken: int, gain: int) -> float:
    """The same by the normal distribution, which is as good where so many texts moved."""
    mean = (fixed - broken) / texts
    spread = (fixed + broken) / texts - mean**2  # of one text
    deviation = sqrt(spread * drawn * (texts - drawn) / (texts - 1))
    return erfc((gain - 0.5 - drawn * mean) / (deviation * sqrt(2))) / 2 if deviation else 1.0
