"""The file of results of slot experiments, and what its runs come to: mean and sample deviation over seeds, beside the
published figures (Jiang et al., EMNLP 2021, tables 2 to 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from re2nn_core.baselines.spec import ENCODER, BaselineSpec, spec_of
from re2nn_core.experiments.published import FIGURES, damaged_figures
from re2nn_core.experiments.result_tables.result_file import (
    add_record,
    is_of_kind,
    joined_runs,
    read_cells,
    runs_of_seeds,
)
from re2nn_core.experiments.result_tables.table import Spread, spread
from re2nn_core.experiments.runs.baseline_cell import AnySlotCell
from re2nn_core.experiments.runs.published_systems import OWN_MODEL
from re2nn_core.experiments.runs.slot_filling import SlotRecord, record_from
from re2nn_core.files import read_json
from re2nn_core.task import Task

KIND = "slots"


@dataclass(frozen=True)
class StoredSlotCell:
    """A cell with its runs so far, by seed. `published`: F1 of the paper's own systems for it, by system, or of the row
    of a baseline."""

    data: str
    amount: float
    vectors: str
    settings: Mapping[str, Any]
    published: Mapping[str, float]
    runs: Mapping[int, SlotRecord] = field(default_factory=dict)
    model: str = OWN_MODEL

    def with_runs(self, records: Iterable[SlotRecord]) -> StoredSlotCell:
        """The cell with further runs; a newer run of a seed takes the older one's place."""
        return replace(self, runs=joined_runs(self.runs, records))

    def of_seeds(self, seeds: Iterable[int]) -> StoredSlotCell:
        """The cell with the runs of these seeds alone."""
        return replace(self, runs=runs_of_seeds(self.runs, seeds))


SlotCells = dict[str, StoredSlotCell]


def describe_slots(cell: AnySlotCell) -> StoredSlotCell:
    """The cell as it is stored, without a run."""
    published = published_f1(cell.data.folder, cell.data.name, cell.amount, cell.model)
    return StoredSlotCell(cell.data.name, cell.amount, cell.vectors, cell.settings, published, model=cell.model)


def published_f1(folder: Path | None, data: str, amount: float, model: str = OWN_MODEL) -> dict[str, float]:
    """F1 of the paper's own systems for a cell, and of its rules, by name; for a baseline of its row alone. Empty where
    nothing was published."""
    if folder is None or not (folder / FIGURES).is_file():
        return {}
    try:
        figures = read_json(folder / FIGURES)["fstrnn"]
        name = "0" if not amount else f"{amount:g}" if amount > 1 else f"{100 * amount:g}%"
        if model != OWN_MODEL:
            return _of_baseline(figures, data, name, spec_of(model, Task.SLOT_FILLING))
        found = {} if amount else {"rules": float(figures["rule_system"][data]["f1"])}
        for system, cells in figures["full_results"][data].items():
            if system.startswith("FST") and name in cells:
                found[system] = float(cells[name]["mean"])
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise damaged_figures(folder, fault) from fault
    return found


def _of_baseline(figures: Mapping[str, Any], data: str, amount: str, spec: BaselineSpec) -> dict[str, float]:
    """F1 of a baseline's row, by its name there."""
    more = f"+{spec.knowledge}" if spec.knowledge else ""
    if spec.unlabelled:
        return {}
    if spec.cell == ENCODER:
        row = f"BERT{'+CRF' if spec.chain else ''}{more}"
        table = figures["contextual_snips"] if data == "SNIPS" else {"columns": ()}
        value = dict(zip(table["columns"], table.get(row, ()), strict=False)).get(amount)
        return {} if value is None else {row: float(value)}
    row = f"{spec.cell.upper()}{more}-{'crf' if spec.chain else 'softmax'}"
    cells = figures["full_results"].get(data, {}).get(row, {})
    return {row: float(cells[amount]["mean"])} if amount in cells else {}


def read_slot_results(path: Path) -> SlotCells:
    """The cells of a file by key; none where there is no such file. DataFileError where it is damaged."""
    return read_cells(path, _cell_from, KIND)


def file_holds_slots(path: Path) -> bool:
    """Whether a file is one of results of slots."""
    return is_of_kind(path, KIND)


def _cell_from(values: Mapping[str, Any]) -> StoredSlotCell:
    return StoredSlotCell(**{**values, "runs": {}}).with_runs([record_from(run) for run in values["runs"]])


def add_slot_run(path: Path, key: str, cell: StoredSlotCell, record: SlotRecord) -> None:
    """Put one run into the file, beside whatever others have put there meanwhile."""
    add_record(path, (key, cell), record, _cell_from, KIND)


@dataclass(frozen=True)
class SlotSummary:
    """What the runs of a cell come to. F1, precision and recall on test in per cent; `published` is the best of the
    paper's own systems (its rules for no examples), or the figure of a baseline's own row; `difference` the mean above
    it."""

    data: str
    amount: float
    model: str
    vectors: str
    seeds: tuple[int, ...]
    f1: Spread
    precision: Spread
    recall: Spread
    dev: Spread | None
    rules: float
    zero_shot: float
    disagree: int
    published: float | None
    published_system: str | None
    difference: float | None
    recipe: str
    parameters: int


def summarise_slots(cell: StoredSlotCell) -> SlotSummary | None:
    """The figures of a cell; None where it has no run."""
    runs = list(cell.runs.values())
    if not runs:
        return None
    f1 = spread([run.test.f1 for run in runs])
    best = max(cell.published, key=lambda name: cell.published[name], default=None)
    published = None if best is None else cell.published[best]
    known = [run.dev for run in runs if run.dev is not None]
    return SlotSummary(
        data=cell.data,
        amount=cell.amount,
        model=cell.model,
        vectors=runs[0].vectors,
        seeds=tuple(cell.runs),
        f1=f1,
        precision=spread([run.test.precision for run in runs]),
        recall=spread([run.test.recall for run in runs]),
        dev=spread(known) if len(known) == len(runs) else None,
        rules=round(runs[0].rules.f1, 2),
        zero_shot=round(runs[0].zero_shot.f1, 2),
        disagree=max(run.disagree for run in runs),
        published=published,
        published_system=best,
        difference=None if published is None else round(f1.mean - published, 2),
        recipe=" / ".join(dict.fromkeys(run.recipe for run in runs)),
        parameters=runs[0].parameters,
    )


def ordered_slots(cells: Iterable[StoredSlotCell]) -> list[StoredSlotCell]:
    """By data set and model, the rules' own network first, then from no examples to all."""

    def size(cell: StoredSlotCell) -> tuple[int, float]:
        return (0, 0.0) if not cell.amount else (1, cell.amount) if cell.amount > 1 else (2, cell.amount)

    return sorted(cells, key=lambda c: (c.data, c.model != OWN_MODEL, c.model, size(c), c.vectors))
