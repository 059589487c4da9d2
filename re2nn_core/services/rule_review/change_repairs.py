"""A change that repairs what another one breaks, and what that is worth: beside the other one, since alone it may gain
nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.services.rule_review.change_effects import ChangeEffect, weakness_of
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis

Errors = frozenset[object]
Analysed = TypeVar("Analysed")
# What is looked at: changes that break texts, those of each that may repair them, their texts, pairs that are measured
# on all texts. The first ones break and read most.
_BREAKING, _REPAIRING, _TEXTS, _MEASURED = 12, 12, 60, 12
_LEAST = 2  # texts that are repaired
_NAMED = 2  # changes that are named beside another one


@dataclass(frozen=True)
class Repair:
    """In how many of the `texts` that the other change breaks none of its errors is left with both. `harmless`: no
    split loses by that; `clear`: there are so many that it is hardly chance."""

    texts: int
    harmless: bool = False
    clear: bool = False


Repairs = Mapping[str, Mapping[str, Repair]]  # by the rule whose change breaks, then by the one that repairs
NO_REPAIRS: Repairs = {}


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


@dataclass(frozen=True)
class Beside:
    """What a change does with other ones: how many texts it repairs that another one breaks, and whether that is
    accepted; how many of the texts that it breaks another one repairs. `safely`: what it repairs recommends it (`up`),
    or hardly (`thin`)."""

    repairs: Sequence[tuple[str, int, bool]] = ()
    repaired: Sequence[tuple[str, int]] = ()
    safely: Literal["", "up", "thin"] = ""


NOTHING_BESIDE = Beside()


@dataclass(frozen=True)
class CountedRepairs:
    """Repairs, as far as they count in a review: of changes that were not rejected (`counts`), for those that were
    accepted or are recommended for what they gain (`stands`), by those that lose nothing themselves (`loses`)."""

    found: Repairs
    counts: Callable[[str], bool]
    stands: Callable[[str], bool]
    loses: Callable[[str], bool]

    def repaired_by(self, name: str) -> dict[str, Repair]:
        """The changes that repair what the change of a rule breaks."""
        return {rule: repair for rule, repair in self.found.get(name, {}).items() if self.counts(rule)}

    def repaired(self, name: str) -> dict[str, Repair]:
        """By the rules whose changes break texts, what the change of a rule repairs."""
        return {rule: repair for rule, repair in repaired_by_rule(self.found, name).items() if self.counts(rule)}

    def safely(self, name: str) -> list[Repair]:
        """What the change of a rule repairs, without harm, of changes that are recommended or accepted."""
        found = self.repaired(name).items()
        return [repair for rule, repair in found if repair.harmless and self.stands(rule)]

    def clearly(self, name: str) -> bool:
        """Whether some of that is hardly chance."""
        return any(repair.clear for repair in self.safely(name)) and not self.loses(name)

    def beside(self, name: str, taken: Collection[str]) -> Beside:
        """What is to be said of a change; `taken` are those that were accepted."""
        return Beside(
            [(rule, repair.texts, rule in taken) for rule, repair in _most_first(self.repaired(name))],
            [(rule, repair.texts) for rule, repair in _most_first(self.repaired_by(name))],
            "up" if self.clearly(name) else "thin" if self.safely(name) else "",
        )


def _most_first(repairs: Mapping[str, Repair]) -> list[tuple[str, Repair]]:
    return sorted(repairs.items(), key=lambda one: (-one[1].texts, one[0]))[:_NAMED]


@dataclass(frozen=True)
class RepairMeasures(Generic[Analysed]):
    """How changes are measured together.

    alone   rules with the change of one rule, and without it: both as `few` and `whole` take them
    both    rules with the changes of two rules, beside the first of them
    few     analyses rules on the texts at some places alone
    whole   analyses rules on all texts
    errors  those of each text of an analysis, in the same words for the same
    reads   what a rule says of each of the texts at some places, in the same words for the same
    effect  which predictions move, of the analysis now and the one before
    gains   what the figures of the splits gain, of the analysis before and the one now
    """

    alone: Callable[[str], tuple[Any, Any]]
    both: Callable[[str, str], Any]
    few: Callable[[Sequence[int]], Callable[[Any], Analysed]]
    whole: Callable[[Any], Analysed]
    errors: Callable[[Analysed], Sequence[Errors]]
    reads: Callable[[Analysed, str, Sequence[int]], Sequence[object]]
    effect: Callable[[Analysed, Analysed], Any]
    gains: Callable[[Analysed, Analysed], Sequence[float]]


def find_repairs(
    effects: Mapping[str, ChangeEffect],
    measures: RepairMeasures[Analysed],
    on_progress: OnProgress = lambda *_: None,
) -> Repairs:
    """By the rule whose change breaks texts those that repair some of them; `effects` are those of each change alone.
    Errors as of the measures."""
    breaking = sorted(
        (name for name, effect in effects.items() if len(effect.moved.broken)),
        key=lambda name: (-len(effects[name].moved.broken), name),
    )
    search, found, looked_at = _Search(effects, measures), {}, breaking[:_BREAKING]
    for number, name in enumerate(looked_at, 1):
        if repairs := search.of(name):
            found[name] = repairs
        on_progress(number, len(looked_at))
    return found


@dataclass
class _Search(Generic[Analysed]):
    """`left`: pairs that are still measured on all texts."""

    effects: Mapping[str, ChangeEffect]
    measures: RepairMeasures[Analysed]
    left: int = _MEASURED

    def of(self, name: str) -> Mapping[str, Repair]:
        """The changes that repair what this one breaks."""
        broken = list(map(int, self.effects[name].moved.broken))[:_TEXTS]
        others = {other: self._read_otherwise(other, broken) for other in self.effects if other != name}
        ordered = sorted((other for other in others if others[other]), key=lambda other: (-others[other], other))
        if not ordered:
            return {}
        analyse, errors = self.measures.few(broken), self.measures.errors
        alone, before = (errors(analyse(rules)) for rules in self.measures.alone(name))
        found: dict[str, Repair] = {}
        for other in ordered[:_REPAIRING]:
            both = self.measures.both(name, other)
            count = repaired_texts(before, alone, errors(analyse(both)))
            if count >= _LEAST:
                found[other] = self._measured(name, both, count)
        return found

    def _read_otherwise(self, name: str, places: Sequence[int]) -> int:
        """Of how many texts the change of a rule makes it say something else."""
        effect, reads = self.effects[name], self.measures.reads
        pairs = zip(reads(effect.now, name, places), reads(effect.before, name, places), strict=True)
        return sum(now != before for now, before in pairs)

    def _measured(self, name: str, both: Any, count: int) -> Repair:
        """The repair, with what it does to all other texts where there is time for that."""
        if not self.left:
            return Repair(count)
        self.left -= 1
        alone, now = self.effects[name].now, self.measures.whole(both)
        return repair_of(count, self.measures.effect(now, alone), self.measures.gains(alone, now))


def label_readings(side: Analysis, rule: str, places: Sequence[int]) -> Sequence[object]:
    """Whether a rule matches each of the texts at these places."""
    at = side.rule_index.get(rule)
    return [False] * len(places) if at is None else side.matched[list(places), at].tolist()


def slot_readings(side: SlotAnalysis, rule: str, places: Sequence[int]) -> Sequence[object]:
    """What a rule captures in each of the texts at these places."""
    at = side.rule_index.get(rule)
    return [None if at is None else side.readings[at].sets.get(place) for place in places]


def label_errors(side: Analysis) -> Sequence[frozenset[object]]:
    """Of each text whether its label is predicted."""
    return [frozenset() if correct else frozenset({"label"}) for correct in side.correct.tolist()]


def span_errors(side: SlotAnalysis) -> Sequence[frozenset[object]]:
    """Of each text the spans that are missing and those that are wrong."""
    pairs = zip(side.gold, side.predictions, strict=True)
    return [frozenset() if gold is None else frozenset(set(gold) ^ set(found)) for gold, found in pairs]
