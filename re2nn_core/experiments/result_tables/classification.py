"""The results of experiments with labels, as a file keeps them (result_file.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from re2nn_core.experiments.published import Published, published_accuracy
from re2nn_core.experiments.result_tables.result_file import add_record, joined_runs, read_cells, runs_of_seeds
from re2nn_core.experiments.runs.baseline_cell import AnyCell
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.figures import RunFigures, share_right


@dataclass(frozen=True)
class StoredCell:
    """A cell with its runs so far, by seed. `rules`: test accuracy of the symbolic rule system in per cent.
    `data_digest` marks its rules and texts."""

    data: str
    portion: float
    model: str
    vectors: str
    settings: Mapping[str, Any]
    data_digest: str
    rules: float
    published: Published | None
    runs: Mapping[int, LabelRecord] = field(default_factory=dict)

    def with_runs(self, records: Iterable[LabelRecord]) -> StoredCell:
        """The cell with further runs; a newer run of a seed takes the older one's place."""
        return replace(self, runs=joined_runs(self.runs, records))

    def of_seeds(self, seeds: Iterable[int]) -> StoredCell:
        """The cell with the runs of these seeds alone."""
        return replace(self, runs=runs_of_seeds(self.runs, seeds))


Cells = dict[str, StoredCell]


def describe(cell: AnyCell) -> StoredCell:
    """The cell as it is stored, without a run."""
    measured = cell.data.measurable
    predictions = cell.data.system.predictions([example.text for example in measured])
    return StoredCell(
        cell.data.name,
        cell.portion,
        cell.model,
        cell.vectors,
        cell.settings,
        cell.data.digest,
        share_right(measured, predictions) or 0.0,
        published_accuracy(cell.data.folder, cell.data.name, cell.model, cell.portion),
    )


def key_in(cells: Cells, cell: AnyCell) -> str:
    """The key of the cell among stored ones. A setting that an older file does not know counts as its default, so that
    a new setting does not make old figures another cell's."""
    wanted = (cell.data.digest, cell.portion, cell.model, cell.vectors)
    for key, stored in cells.items():
        same = (stored.data_digest, stored.portion, stored.model, stored.vectors) == wanted
        if same and {**cell.defaults, **stored.settings} == cell.settings:
            return key
    return cell.key


def read_results(path: Path) -> Cells:
    """The cells of a file by key; none where there is no such file. DataFileError where it is damaged."""
    return read_cells(path, _cell_from)


def add_label_run(path: Path, key: str, cell: StoredCell, record: LabelRecord) -> None:
    """Put one run into the file, beside whatever others have put there meanwhile."""
    add_record(path, (key, cell), record, _cell_from)


def _cell_from(values: Mapping[str, Any]) -> StoredCell:
    published = None if values["published"] is None else Published(**values["published"])
    cell = StoredCell(**{**values, "published": published, "runs": {}})
    return cell.with_runs([_record_from(run) for run in values["runs"]])


def _record_from(values: Mapping[str, Any]) -> LabelRecord:
    labels = {label: (float(precision), float(recall)) for label, (precision, recall) in values["labels"].items()}
    known = {"zero_shot": RunFigures(**values["zero_shot"]), "labels": labels, "notes": tuple(values["notes"])}
    return LabelRecord(**{**values, **known})
