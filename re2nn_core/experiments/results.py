"""The file of results: JSON, one object for each cell, one line for each run, so that two versions can be compared.

It is written after every run, complete before it gets its name. The unfinished file keeps other processes out while
one adds its run, so that several can work on one table.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from re2nn_core.errors import DataFileError
from re2nn_core.experiments.cell import Cell, settings_of
from re2nn_core.experiments.measure import Figures, share_right
from re2nn_core.experiments.published import Published, published_accuracy
from re2nn_core.experiments.run import Record
from re2nn_core.network.config import NetworkConfig
from re2nn_core.training.config import TrainConfig

FORMAT = 1
_PATIENCE = (
    10.0  # seconds; adding a run takes milliseconds, so an older unfinished file was left by a process that died
)


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
    runs: Mapping[int, Record] = field(default_factory=dict)

    def with_runs(self, records: Iterable[Record]) -> StoredCell:
        """The cell with further runs; a newer run of a seed takes the older one's place."""
        runs = {**self.runs, **{record.seed: record for record in records}}
        return replace(self, runs=dict(sorted(runs.items())))

    def of_seeds(self, seeds: Iterable[int]) -> StoredCell:
        """The cell with the runs of these seeds alone."""
        return replace(self, runs={seed: self.runs[seed] for seed in seeds if seed in self.runs})


Cells = dict[str, StoredCell]


def describe(cell: Cell) -> StoredCell:
    """The cell as it is stored, without a run."""
    answers = cell.data.system.answers([example.text for example in cell.data.test])
    return StoredCell(
        cell.data.name,
        cell.portion,
        cell.model,
        cell.vectors,
        cell.settings,
        cell.data.digest,
        share_right(cell.data.test, answers) or 0.0,
        published_accuracy(cell.data.folder, cell.data.name, cell.model, cell.portion),
    )


def key_in(cells: Cells, cell: Cell) -> str:
    """The key of the cell among stored ones. A setting that an older file does not know counts as its default, so that
    a new setting does not make old figures another cell's."""
    defaults = settings_of(NetworkConfig(), TrainConfig())
    wanted = (cell.data.digest, cell.portion, cell.model, cell.vectors)
    for key, stored in cells.items():
        same = (stored.data_digest, stored.portion, stored.model, stored.vectors) == wanted
        if same and {**defaults, **stored.settings} == cell.settings:
            return key
    return cell.key


def read_results(path: Path) -> Cells:
    """The cells of a file by key; none where there is no such file. DataFileError where it is damaged."""
    if path.is_dir():
        raise DataFileError(f"{path}: this is a folder. Give the path of a file of results.")
    if not path.exists():
        return {}
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(loaded, dict) or loaded.get("format") != FORMAT:
            raise ValueError(f'an object with "format": {FORMAT} is expected')
        return {key: _cell_from(values) for key, values in loaded["cells"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise DataFileError(
            f"{path}: this is no file of results that can be read: {fault}\n"
            "Give a file that `re2nn experiment ... --output FILE` wrote, or the name of a new one."
        ) from fault


def add_run(path: Path, key: str, cell: StoredCell, record: Record) -> None:
    """Put one run into the file, beside whatever others have put there meanwhile."""
    with unfinished(path) as part:
        cells = read_results(path)
        cells[key] = cells.get(key, cell).with_runs([record])
        part.write_text(_text_of(cells), encoding="utf-8")


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A file beside `path` that nobody else has while this one is written; it becomes `path` at the end."""
    part = path.with_name(path.name + ".part")
    while not _made(part):
        time.sleep(0.02)
    try:
        yield part
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _made(part: Path) -> bool:
    """Make the file; False where another process has it. One that has been left behind is taken away."""
    try:
        part.open("x").close()
    except FileExistsError:
        with suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > _PATIENCE:
                part.unlink()
        return False
    return True


def _text_of(cells: Cells) -> str:
    """The file: a line for each run, in an order that does not hang on who came first."""
    blocks = []
    for key, cell in sorted(cells.items()):
        values = {name: value for name, value in asdict(cell).items() if name != "runs"}
        runs = ",\n".join(f"   {json.dumps(asdict(record))}" for record in cell.runs.values())
        blocks.append(f'  {json.dumps(key)}: {json.dumps(values)[:-1]}, "runs": [\n{runs}\n  ]}}')
    body = ",\n".join(blocks)
    return f'{{"format": {FORMAT}, "cells": {{\n{body}\n}}}}\n'


def _cell_from(values: Mapping[str, Any]) -> StoredCell:
    published = None if values["published"] is None else Published(**values["published"])
    cell = StoredCell(**{**values, "published": published, "runs": {}})
    return cell.with_runs([_record_from(run) for run in values["runs"]])


def _record_from(values: Mapping[str, Any]) -> Record:
    labels = {label: (float(precision), float(recall)) for label, (precision, recall) in values["labels"].items()}
    known = {"zero_shot": Figures(**values["zero_shot"]), "labels": labels, "notes": tuple(values["notes"])}
    return Record(**{**values, **known})
