"""What a comparison of systems comes to: rows of a table, and in sentences where rules help and where they stop.

All figures in per cent; a point is one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.experiments.project_models import OURS, RULES, Trained, system_name
from re2nn_core.experiments.table import Spread, spread
from re2nn_core.text.counting import counted

MUCH, LITTLE = 5.0, 1.0  # points: far ahead; level


@dataclass(frozen=True)
class Curve:
    """A system: how many texts it learned from, and what it reached, in the order of the amounts."""

    system: str
    texts: tuple[int, ...]
    reached: tuple[Spread, ...]
    seeds: tuple[int, ...]

    @property
    def name(self) -> str:
        return system_name(self.system)

    def at(self, texts: int) -> float | None:
        """The mean for an amount."""
        return self.reached[self.texts.index(texts)].mean if texts in self.texts else None


def curves_of(trained: Iterable[Trained]) -> tuple[Curve, ...]:
    """One for each system that was trained, in the order in which they came; the rules alone are none."""
    found: dict[str, dict[int, list[float]]] = {}
    for one in trained:
        if one.system != RULES:
            found.setdefault(one.system, {}).setdefault(one.texts, []).append(one.value)
    return tuple(_curve(system, dict(sorted(own.items()))) for system, own in found.items())


def _curve(system: str, values: Mapping[int, Sequence[float]]) -> Curve:
    reached = tuple(spread(own) for own in values.values())
    return Curve(system, tuple(values), reached, tuple(len(own) for own in values.values()))


def comparison_in_words(rules: float, curves: Sequence[Curve], measure: str) -> tuple[str, ...]:
    """Sentences: our best network against each ordinary one, and against the rules alone."""
    ours = [curve for curve in curves if curve.system in OURS]
    others = [curve for curve in curves if curve.system not in OURS]
    told = []
    if ours:
        best = max(ours, key=lambda curve: sum(one.mean for one in curve.reached) / len(curve.reached))
        told += [sentence for other in others if (sentence := _against(best, other))]
        told.append(_against_rules(best, rules, measure))
    else:
        told += [_against_rules(other, rules, measure) for other in others]
    return tuple(filter(None, told))


def caution_in_words(curves: Sequence[Curve], texts: int) -> str:
    """How much the sentences can be trusted: how many texts they were measured on, and by how many seeds."""
    fewest = min(count for curve in curves for count in curve.seeds)
    seeds = "one seed; another draw of texts may say otherwise" if fewest == 1 else f"{fewest} seeds or more"
    return f"Measured on {counted(texts, 'text')}, with {seeds}. One text is {100 / max(1, texts):.1f} points."


def _against(ours: Curve, other: Curve) -> str:
    """Where our network is ahead of an ordinary one, and from where on it is not."""
    amounts = [texts for texts in ours.texts if texts in other.texts]
    if not amounts:
        return ""
    leads = [_lead(ours, other, texts) for texts in amounts]
    far = _first_run(leads, lambda lead: lead >= MUCH)
    level = _last_run(leads, lambda lead: abs(lead) <= LITTLE)
    behind = _last_run(leads, lambda lead: lead < -LITTLE)
    parts = []
    if far:
        parts.append(f"{_up_to(amounts, far)} {ours.name} is ahead of {other.name} by {MUCH:g} points or more")
    elif leads[0] > LITTLE:
        parts.append(f"With {amounts[0]:,} texts {ours.name} is ahead of {other.name} by {leads[0]:.1f} points")
    elif leads[0] < -LITTLE:
        parts.append(f"With {amounts[0]:,} texts {ours.name} is behind {other.name} by {-leads[0]:.1f} points already")
    else:
        parts.append(f"With {amounts[0]:,} texts {ours.name} and {other.name} are within one point")
    if level and len(level) < len(leads):
        parts.append(f"{_from(amounts, level)} within one point")
    elif behind and len(behind) < len(leads):
        parts.append(f"{_from(amounts, behind)} {other.name} is ahead, by {-leads[-1]:.1f} points in the end")
    elif leads[-1] > LITTLE and len(amounts) > 1:
        parts.append(f"with {amounts[-1]:,} it is still ahead by {leads[-1]:.1f}")
    return "; ".join(parts) + "."


def _lead(ours: Curve, other: Curve, texts: int) -> float:
    return (ours.at(texts) or 0.0) - (other.at(texts) or 0.0)


def _first_run(leads: Sequence[float], holds: Callable[[float], bool]) -> list[int]:
    """The places from the first on for which it holds."""
    found = []
    for place, lead in enumerate(leads):
        if not holds(lead):
            break
        found.append(place)
    return found


def _last_run(leads: Sequence[float], holds: Callable[[float], bool]) -> list[int]:
    """The places up to the last one for which it holds."""
    return [len(leads) - 1 - place for place in _first_run(leads[::-1], holds)][::-1]


def _up_to(amounts: Sequence[int], places: Sequence[int]) -> str:
    if len(amounts) == 1 or len(places) == len(amounts):
        return f"With all amounts up to {amounts[-1]:,} texts" if len(amounts) > 1 else f"With {amounts[0]:,} texts"
    return f"Up to about {amounts[places[-1]]:,} texts"


def _from(amounts: Sequence[int], places: Sequence[int]) -> str:
    return f"from {amounts[places[0]]:,} on" if len(places) > 1 else f"with {amounts[places[0]]:,}"


def _against_rules(curve: Curve, rules: float, measure: str) -> str:
    """From how many texts on training brings more than the rules alone."""
    leads = [one.mean - rules for one in curve.reached]
    ahead = _last_run(leads, lambda lead: lead > LITTLE)
    name = f"{curve.name[0].upper()}{curve.name[1:]}"
    beside = f"the rules alone ({rules:.1f}% {measure})"
    if not ahead:
        more = "is level with" if abs(leads[-1]) <= LITTLE else "stays below"
        return f"{name} {more} {beside}, with {curve.texts[-1]:,} texts too."
    first = curve.texts[ahead[0]]
    return (
        f"{name} is better than {beside} from {first:,} texts on, by {leads[-1]:.1f} points with {curve.texts[-1]:,}."
    )
