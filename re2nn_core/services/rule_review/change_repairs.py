"""A change that repairs what another one breaks, and what that is worth: beside the other one, since alone it may gain
nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from re2nn_core.services.rule_review.change_effects import weakness_of

Errors = frozenset[object]


@dataclass(frozen=True)
class Repair:
    """In how many of the `texts` that the other change breaks none of its errors is left with both. `harmless`: no
    split loses by that; `clear`: there are so many that it is hardly chance."""

    texts: int
    harmless: bool = False
    clear: bool = False


Repairs = Mapping[str, Mapping[str, Repair]]  # by the rule whose change breaks, then by the one that repairs


def repair_of(texts: int, moved: Any, gains: Sequence[float]) -> Repair:
    """`moved`: the texts that come out better and worse when the change joins the other one; `gains`: what the figures
    of the splits gain by that."""
    broken = len(moved.broken)
    harmless = all(gain >= 0 for gain in gains) and texts > broken
    return Repair(texts, harmless, harmless and not weakness_of(texts, broken))


def repaired_texts(before: Sequence[Errors], alone: Sequence[Errors], both: Sequence[Errors]) -> int:
    """In how many texts the errors that the one change brings are gone with both; each with its errors."""
    brought = [now - was for was, now in zip(before, alone, strict=True)]
    return sum(bool(new) and new.isdisjoint(left) for new, left in zip(brought, both, strict=True))


def repaired_by_rule(repairs: Repairs, rule: str) -> dict[str, Repair]:
    """What a change repairs, by the rule whose change breaks it."""
    return {name: found[rule] for name, found in repairs.items() if rule in found}
