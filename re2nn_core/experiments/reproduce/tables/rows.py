"""What the tables of both papers have in common: rows and columns crossed to cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from re2nn_core.baselines.spec import is_baseline_name, spec_of
from re2nn_core.experiments.reproduce.tables.spec import TASKS, Column, Job, JobKind, Path, Setting, TableCell

Published = Callable[[str, float], tuple[Path, ...]]  # data set, amount -> places in the published file


@dataclass(frozen=True)
class TableRow:
    """A system of a table. `settings` go on top of those that it begins with; `why_not` where it cannot be run."""

    name: str
    model: str
    published: Published = lambda data, amount: ()
    settings: tuple[tuple[str, Setting], ...] = ()
    why_not: str = ""


@dataclass(frozen=True)
class TablePlace:
    """A column of a table: what is learned from. `why_not` where these data are missing for all."""

    column: Column
    data: str
    amount: float
    why_not: str = ""


def crossed(
    kind: JobKind, rows: Iterable[TableRow], places: Sequence[TablePlace], measure: str = "accuracy"
) -> tuple[TableCell, ...]:
    """Every row with every column."""
    return tuple(_cell(kind, row, place, measure) for row in rows for place in places)


def _cell(kind: JobKind, row: TableRow, place: TablePlace, measure: str) -> TableCell:
    why_not = place.why_not or row.why_not
    settings = (*row.settings, *_before_training(kind, row.model, place.amount))
    job = None if why_not else Job(kind, place.data, row.model, place.amount, settings)
    return TableCell(row.name, place.column, job, measure, row.published(place.data, place.amount), None, why_not)


def _before_training(kind: JobKind, model: str, amount: float) -> tuple[tuple[str, Setting], ...]:
    """Without a text to learn from, the papers' +o and +io are what the draw of their heads makes of the rules. Ours
    begin as the rules themselves, which would measure the rules once more; so these are drawn as published."""
    task = TASKS.get(kind)
    if amount or task is None or not is_baseline_name(model, task):
        return ()
    spec = spec_of(model, task)
    return (("start", "random"),) if spec.adds_rules and not spec.unlabelled else ()
