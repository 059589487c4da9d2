"""What each change of a rule does by itself, and the order in which changes are reviewed: by what they gain on held-out
texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Literal

Weakness = Literal["", "few", "common", "test"]
# How likely chance alone may explain a gain that is believed: 3 texts fixed and none broken, 5 and 1, 7 and 2; and
# where a change only adds words as "the": 5 and none, 8 and 1.
_LIKELY, _LIKELY_COMMON = 0.125, 0.05


@dataclass(frozen=True)
class ChangeEffect:
    """One change alone: what the rules predict with it (an analysis) and without, which predictions move, and the
    change of the figure on held-out texts as a share of 1; None where no text is held out. `on_test`: that on test
    texts where these do not decide."""

    before: Any
    now: Any
    moved: Any
    gain: float | None
    on_test: float | None = None


def best_first(
    effects: Mapping[str, ChangeEffect], order: Iterable[str], held: Collection[int] = frozenset()
) -> tuple[str, ...]:
    """The rules with an effect: those whose figure gains in front, those where it falls behind; among them those that
    fix most of the texts at the places `held`, less those that they break, then by the figure, then by all texts, else
    in this order. So the list is in order by what it shows: fixed and broken texts."""

    def place(name: str) -> tuple[int, int, float, int]:
        effect = effects[name]
        gain, (fixed, broken) = effect.gain or 0.0, held_count(effect, held)
        return (gain < 0) - (gain > 0), broken - fixed, -gain, len(effect.moved.broken) - len(effect.moved.fixed)

    return tuple(sorted((name for name in order if name in effects), key=place))


def gaining(effects: Mapping[str, ChangeEffect], order: Iterable[str]) -> tuple[str, ...]:
    """The rules whose change gains by itself on held-out texts, in this order."""
    return tuple(name for name in order if name in effects and (effects[name].gain or 0.0) > 0)


def weakness_of(fixed: int, broken: int, *, only_common: bool = False, on_test: tuple[int, int] = (0, 0)) -> Weakness:
    """Why held-out texts that a change fixes and breaks are thin evidence for a gain: too few for a change that adds
    only `common` words, or `few` for any; empty where they are enough. The sign test. `test`: they are dev texts, which
    chose the changes, and of the texts `on_test` no more are fixed than broken."""
    moved = fixed + broken
    chance = sum(comb(moved, more) for more in range(fixed, moved + 1)) / 2**moved
    if only_common and fixed > broken and chance > _LIKELY_COMMON:
        return "common"
    if fixed <= broken or chance > _LIKELY:
        return "few"
    return "test" if any(on_test) and on_test[0] <= on_test[1] else ""


def held_count(effect: ChangeEffect, places: Iterable[int]) -> tuple[int, int]:
    """How many of the texts at these places a change fixes, and breaks."""
    held = frozenset(places)
    fixed, broken = (len(held.intersection(map(int, side))) for side in _sides(effect))
    return fixed, broken


def _sides(effect: ChangeEffect) -> tuple[Sequence[int], Sequence[int]]:
    return effect.moved.fixed, effect.moved.broken
