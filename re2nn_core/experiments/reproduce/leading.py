"""Whether our systems are ahead of the others, column by column: what the papers claim of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.experiments.reproduce.results import Filled, Result
from re2nn_core.experiments.reproduce.systems import is_baseline, is_ours
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
    told = (
        f"By the mean each of ours is ahead of all others in {sum(one.all_ahead for one in found)} of "
        f"{counted(len(found), 'column')}, the best of ours in {sum(one.ahead for one in found)}."
    )
    behind = [f"{one.column} ({_named(one.ours)}, {_named(one.other)})" for one in found if not one.ahead]
    return f"{told} Not in {', '.join(behind)}." if behind else told


def _of(results: Sequence[Result], *, ours: bool) -> list[Result]:
    kind = is_ours if ours else is_baseline
    return [result for result in results if result.cell.job and kind(result.cell.job.task, result.cell.job.model)]


def _mean(result: Result) -> float:
    return 0.0 if result.measured is None else result.measured.mean


def _named(result: Result) -> str:
    return f"{result.cell.row} {_mean(result):.2f}"
