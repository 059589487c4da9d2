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
_MOST_PAIRS = 250_000  # ways to share out won and lost texts that are added up one by one


@dataclass(frozen=True)
class SplitMoves:
    """Of how many texts of a split the answer became better (`won`), and worse (`lost`)."""

    texts: int
    won: int
    lost: int


def chance_of(chosen: SplitMoves, apart: SplitMoves) -> float:
    """How likely it is that the first split gains as much more than the second, or more still, by chance alone.

    Both have the texts that were measured, and at least one.
    """
    won, lost = chosen.won + apart.won, chosen.lost + apart.lost
    gain = chosen.won - chosen.lost
    if (won + 1) * (lost + 1) > _MOST_PAIRS:
        return _nearly(chosen.texts, chosen.texts + apart.texts, won, lost, gain)
    shares = _shares(chosen.texts, chosen.texts + apart.texts, won, lost)
    return min(1.0, sum(share for better, worse, share in shares if better - worse >= gain))


def more_than_chance(chosen: SplitMoves, apart: SplitMoves) -> bool:
    """Whether chance alone hardly explains that the first split gains more than the second."""
    return chance_of(chosen, apart) < RARE


def loses(moves: SplitMoves) -> bool:
    """Whether more texts became worse than better, and chance alone hardly explains that (the sign test)."""
    return moves.lost > moves.won and bdtrc(moves.lost - 1, moves.won + moves.lost, 0.5) < RARE


def _shares(drawn: int, texts: int, won: int, lost: int) -> Iterator[tuple[int, int, float]]:
    """How likely each number of won and lost texts is among so many drawn ones."""
    every, kept = _log_ways(texts, drawn), texts - won - lost
    for better in range(min(won, drawn) + 1):
        for worse in range(max(0, drawn - better - kept), min(lost, drawn - better) + 1):
            ways = _log_ways(won, better) + _log_ways(lost, worse) + _log_ways(kept, drawn - better - worse)
            yield better, worse, exp(ways - every)


def _log_ways(texts: int, drawn: int) -> float:
    """The logarithm of the number of ways to draw so many texts."""
    return lgamma(texts + 1) - lgamma(drawn + 1) - lgamma(texts - drawn + 1)


def _nearly(drawn: int, texts: int, won: int, lost: int, gain: int) -> float:
    """The same by the normal distribution, which is as good where so many texts moved."""
    mean = (won - lost) / texts
    spread = (won + lost) / texts - mean**2  # of one text
    deviation = sqrt(spread * drawn * (texts - drawn) / (texts - 1))
    return erfc((gain - 0.5 - drawn * mean) / (deviation * sqrt(2))) / 2 if deviation else 1.0
