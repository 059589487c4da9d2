"""Whether our systems are ahead of the others, column by column: what the papers claim of theirs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.experiments.reproduce.output.results import Filled, Result
from re2nn_core.experiments.reproduce.tables.systems import is_ordinary, is_ours
from re2nn_core.text.counting import counted


@dataclass(frozen=True)
class Lead:
    """A column with figures of both. `ours` is the best of our systems, `other` the best of the others by the mean;
    `all_ahead`: each of ours is above all others."""

    column: str
    ours: Result
    other: Result
    all_ahead: bool

    @property
    def ahead(self) -> bool:
        return _mean(self.ours) > _mean(self.other)

    @property
    def level(self) -> bool:
        return _mean(self.ours) == _mean(self.other)

    @property
    def beyond_error(self) -> bool:
        """Whether it is ahead by more than the standard error of the difference over seeds; of a single seed, where
        anything is random, none is known."""
        errors = (_squared_error(self.ours), _squared_error(self.other))
        return None not in errors and _mean(self.ours) - _mean(self.other) > math.sqrt(sum(filter(None, errors)))


def leads(filled: Filled) -> tuple[Lead, ...]:
    """Of the columns of a table of shares that have both. A column that is drawn as a curve holds several measures."""
    if filled.table.curve is not None:
        return ()
    columns = dict.fromkeys(result.cell.column for result in filled.measured if result.cell.digits)
    found = []
    for column in columns:
        own = [result for result in filled.measured if result.cell.column == column]
        ours, others = _of(own, ours=True), _of(own, ours=False)
        if ours and others:
            best, last = max(ours, key=_mean), min(ours, key=_mean)
            other = max(others, key=_mean)
            found.append(Lead(column.title, best, other, _mean(last) > _mean(other)))
    return tuple(found)


def leads_in_words(filled: Filled) -> str:
    """In how many columns ours are ahead, and where they are not; empty where there is nothing to compare."""
    found = leads(filled)
    if not found:
        return ""
    rows = {result.cell.row for result in _of(filled.measured, ours=True)}
    several = len(rows) > 1
    ahead, beyond_error = sum(one.ahead for one in found), sum(one.beyond_error for one in found)
    whose = "the best of our systems" if several else "our system"
    reported = [f"By the mean, {whose} is ahead of all others in {ahead} of {counted(len(found), 'column')}"]
    if ahead:
        reported[0] += f", in {beyond_error} by more than the standard error over seeds"
    if several:
        reported[0] += f"; all {len(rows)} of ours are ahead in {sum(one.all_ahead for one in found)}"
    reported += _named("Level in", [one for one in found if one.level])
    reported += _named("Behind in", [one for one in found if not one.ahead and not one.level])
    return ". ".join(reported) + "."


def _named(how: str, found: Sequence[Lead]) -> list[str]:
    columns = [f"{one.column} ({_with_mean(one.ours)}, {_with_mean(one.other)})" for one in found]
    return [f"{how} {', '.join(columns)}"] if columns else []


def _of(results: Sequence[Result], *, ours: bool) -> list[Result]:
    kind = is_ours if ours else is_ordinary
    return [result for result in results if result.cell.job and kind(result.cell.job.kind, result.cell.job.model)]


def _mean(result: Result) -> float:
    return 0.0 if result.measured is None else result.measured.mean


def _squared_error(result: Result) -> float | None:
    """The squared standard error of the mean over seeds; None where it is not known."""
    if result.nothing_random:
        return 0.0
    measured = result.measured
    return None if measured is None or measured.std is None else measured.std**2 / len(measured.runs)


def _with_mean(result: Result) -> str:
    return f"{result.cell.row} {_mean(result):.2f}"
