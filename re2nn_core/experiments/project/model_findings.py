"""What a comparison of systems comes to: rows of a table, and in sentences where rules help and where they stop.

All figures in per cent; a point is one of these. Two systems are called level where they are no more than one point
apart, or where the difference is within chance (chance.py): nothing is said to be ahead by less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from re2nn_core.experiments.project.chance import error_of_difference, less_than_two_texts, within_chance
from re2nn_core.experiments.project.models import OURS, RULES, Trained, system_name
from re2nn_core.experiments.result_tables.table import Spread, spread
from re2nn_core.text.counting import counted

LITTLE = 1.0  # points; a smaller lead matters to nobody
Place = Literal["ahead", "level", "behind"]


@dataclass(frozen=True)
class MeasuredBy:
    """What the figures are: `name` is accuracy or F1, on so many `texts`."""

    name: str
    texts: int

    @property
    def one_text(self) -> float:
        """How many points a text comes to; of F1 about so many, since texts have more and fewer spans."""
        return 100 / max(1, self.texts)

    @property
    def about(self) -> str:
        """What stands before a figure in texts."""
        return "about " if self.name == "F1" else ""


@dataclass(frozen=True)
class LearningCurve:
    """A system: how many texts it learned from, and what it reached, in the order of the amounts."""

    system: str
    texts: tuple[int, ...]
    reached: tuple[Spread, ...]
    seeds: tuple[int, ...]

    @property
    def name(self) -> str:
        return system_name(self.system)

    def at(self, texts: int) -> tuple[Spread, int]:
        """What it reached with one of its amounts, and by how many seeds."""
        place = self.texts.index(texts)
        return self.reached[place], self.seeds[place]


def curves_of(trained: Iterable[Trained]) -> tuple[LearningCurve, ...]:
    """One for each system that was trained, in the order in which they came; the rules alone are none."""
    found: dict[str, dict[int, list[float]]] = {}
    for one in trained:
        if one.system != RULES:
            found.setdefault(one.system, {}).setdefault(one.texts, []).append(one.value)
    return tuple(_curve(system, dict(sorted(own.items()))) for system, own in found.items())


def _curve(system: str, values: Mapping[int, Sequence[float]]) -> LearningCurve:
    reached = tuple(spread(own) for own in values.values())
    return LearningCurve(system, tuple(values), reached, tuple(len(own) for own in values.values()))


@dataclass(frozen=True)
class SystemLead:
    """By how many points a system is ahead of another with so many texts; `error` is that of the difference."""

    texts: int
    points: float
    error: float

    def place(self, measure: MeasuredBy) -> Place:
        """Where it stands, once chance is taken off."""
        if abs(self.points) <= LITTLE or within_chance(self.points, self.error, measure.one_text):
            return "level"
        return "ahead" if self.points > 0 else "behind"


def comparison_in_words(rules: float, curves: Sequence[LearningCurve], measure: MeasuredBy) -> tuple[str, ...]:
    """Sentences: our best network against each ordinary one, and against the rules alone."""
    ours = [curve for curve in curves if curve.system in OURS]
    others = [curve for curve in curves if curve.system not in OURS]
    if not ours:
        return tuple(_against_rules(other, rules, measure) for other in others)
    best = max(ours, key=lambda curve: sum(one.mean for one in curve.reached) / len(curve.reached))
    reported = [_in_words(best.name, other.name, leads, measure) for other in others if (leads := _leads(best, other))]
    return (*reported, _against_rules(best, rules, measure))


def caution_in_words(curves: Sequence[LearningCurve], measure: MeasuredBy) -> str:
    """How much the sentences can be trusted: how many texts and seeds they come from, and what they call level."""
    fewest = min(count for curve in curves for count in curve.seeds)
    one = "one seed, so the spread is unknown and other texts may give other results"
    apart = f"a difference of at most {LITTLE:g} point"
    level = (
        f"{apart} or of less than two texts"
        if fewest == 1
        else f"{apart}, or of less than two texts or two standard errors over seeds"
    )
    return (
        f"Measured on {counted(measure.texts, 'text')}, with {one if fewest == 1 else f'{fewest} seeds or more'}. "
        f"One text is {measure.about}{measure.one_text:.1f} points. “Level” means {level}."
    )


def _leads(one: LearningCurve, other: LearningCurve) -> tuple[SystemLead, ...]:
    """With each amount that both have learned from."""
    found = []
    for texts in (texts for texts in one.texts if texts in other.texts):
        (mine, seeds), (theirs, their_seeds) = one.at(texts), other.at(texts)
        found.append(SystemLead(texts, mine.mean - theirs.mean, error_of_difference(mine, seeds, theirs, their_seeds)))
    return tuple(found)


def _against_rules(curve: LearningCurve, rules: float, measure: MeasuredBy) -> str:
    """Where training brings more than the rules alone, which have no spread."""
    alone = LearningCurve(RULES, curve.texts, (Spread(rules, None),) * len(curve.texts), (1,) * len(curve.texts))
    return _in_words(curve.name, f"{alone.name} ({rules:.1f}% {measure.name})", _leads(curve, alone), measure)


def _in_words(one: str, other: str, leads: Sequence[SystemLead], measure: MeasuredBy) -> str:
    """A part for each run of amounts with which the first system is ahead, level or behind."""
    parts: list[str] = []
    for place, run in groupby(leads, key=lambda lead: lead.place(measure)):
        part = tuple(run)
        amounts = _amounts([lead.texts for lead in part], every=len(part) == len(leads), first=not parts)
        parts.append(f"{amounts} {_standing(place, one, other if not parts else '', part, measure)}")
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _amounts(amounts: Sequence[int], *, every: bool, first: bool) -> str:
    """`with 20 and with 200 texts`: those that were measured and none between them. `every`: there are no others."""
    noun = " texts" if first else ""
    if len(amounts) <= 2:
        return " and ".join(f"with {amount:,}" for amount in amounts) + noun
    measured, comma = (" measured,", ",") if every else ("", "")
    return f"with each of the {len(amounts)} amounts{measured} from {amounts[0]:,} to {amounts[-1]:,}{noun}{comma}"


def _standing(place: Place, one: str, other: str, leads: Sequence[SystemLead], measure: MeasuredBy) -> str:
    """`other` is empty once it has been named."""
    if place == "level":
        return f"{f'{one} and {other}' if other else 'the two'} are level ({_level(leads, measure)})"
    points = sorted(round(abs(lead.points), 1) for lead in leads)
    by = f"{points[0]:.1f} to {points[-1]:.1f}" if points[0] < points[-1] else f"{points[0]:.1f}"
    of = {"ahead": f" of {other}", "behind": f" {other}"}[place] if other else ""
    return f"{one} is {place}{of} by {by} points"


def _level(leads: Sequence[SystemLead], measure: MeasuredBy) -> str:
    """How far they are apart at most, and why that says nothing."""
    most = max(abs(lead.points) for lead in leads)
    reported = f"{'at most ' if len(leads) > 1 else ''}{most:.1f} points"
    if most <= LITTLE:
        return reported
    if not less_than_two_texts(most, measure.one_text):
        return f"{reported}, within the spread of the seeds"
    return f"{reported}, {measure.about}{_texts(most / measure.one_text)}"


def _texts(count: float) -> str:
    """Of less than two texts; means over seeds come to parts of one."""
    if abs(count - 1) < 0.1:
        return "one text"
    return "less than one text" if count < 1 else "less than two texts"
