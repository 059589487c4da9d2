"""A file of results: JSON, one object for each cell, one line for each run, so that two versions can be compared.

It is written after every run, complete before it gets its name. The unfinished file keeps other processes out while
one adds its run, so that several can work on one table. Experiments with labels and with slots keep such files; those
with slots name their kind.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from re2nn_core.errors import Cancelled, DataFileError
from re2nn_core.files import naming, read_json
from re2nn_core.network.configuration.former_names import settings_today

FORMAT = 1
_PATIENCE = (
    10.0  # seconds; adding a run takes milliseconds, so an older unfinished file was left by a process that died
)


class OfSeed(Protocol):
    """A run."""

    @property
    def seed(self) -> int:
        """What its draws hang on."""


Run = TypeVar("Run", bound=OfSeed)


class Stored(Protocol):
    """A cell as it is stored: a dataclass."""

    @property
    def runs(self) -> Mapping[int, Any]:
        """Its runs so far, by seed."""

    def with_runs(self, records: Iterable[Any]) -> Self:
        """The cell with further runs."""


Cell = TypeVar("Cell", bound=Stored)
# What runs seeds and gives their records as they are done, until it should stop: then Cancelled.
Spread = Callable[[Callable[[int], Any], Sequence[int], Callable[[], bool]], Iterator[Any]]


def joined_runs(runs: Mapping[int, Run], records: Iterable[Run]) -> dict[int, Run]:
    """Runs with further ones, by seed; a newer run of a seed takes the older one's place."""
    return dict(sorted({**runs, **{record.seed: record for record in records}}.items()))


def runs_of_seeds(runs: Mapping[int, Run], seeds: Iterable[int]) -> dict[int, Run]:
    """The runs of these seeds alone."""
    return {seed: runs[seed] for seed in seeds if seed in runs}


def read_cells(path: Path, cell_from: Callable[[Mapping[str, Any]], Cell], kind: str | None = None) -> dict[str, Cell]:
    """The cells of a file by key; none where there is no such file. DataFileError where it is damaged."""
    if path.is_dir():
        raise DataFileError(f"{path}: this is a folder. Give the path of a file of results.")
    if not path.exists():
        return {}
    try:
        loaded = read_json(path)
        if isinstance(loaded, dict) and loaded.get("kind") == "reproduced":
            raise DataFileError(
                f"{path}: these are runs of re2nn reproduce. Show them with: "
                f"re2nn reproduce emnlp2020-table5 --show --output {path.parent}"
            )
        if not isinstance(loaded, dict) or loaded.get("format") != FORMAT or loaded.get("kind") != kind:
            raise ValueError(f"an object with {_head(kind)} is expected")
        return {
            key: cell_from({**values, "settings": settings_today(values["settings"])})
            for key, values in loaded["cells"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        which = "" if kind is None else f" of {kind}"
        raise DataFileError(
            f"{path}: this is no file of results{which} that can be read: {fault}\n"
            f"Give a file that `re2nn experiment {kind or '...'} --output FILE` wrote, or the name of a new one."
        ) from fault


def add_record(
    path: Path,
    cell: tuple[str, Cell],
    record: OfSeed,
    cell_from: Callable[[Mapping[str, Any]], Cell],
    kind: str | None = None,
) -> None:
    """Put one run of a cell, given with its key, into the file, beside whatever others have put there meanwhile."""
    key, described = cell
    with unfinished(path) as part:
        cells = read_cells(path, cell_from, kind)
        cells[key] = cells.get(key, described).with_runs([record])
        part.write_text(_text_of(cells, kind), encoding="utf-8")


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A file beside `path` that nobody else has while this one is written; it becomes `path` at the end."""
    part = path.with_name(path.name + ".part")
    while not _made(part):
        time.sleep(0.02)
    try:
        with naming(path):
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


def _text_of(cells: Mapping[str, Any], kind: str | None) -> str:
    """The file: a line for each run, in an order that does not hang on who came first."""
    blocks = []
    for key, cell in sorted(cells.items()):
        values = {name: value for name, value in asdict(cell).items() if name != "runs"}
        runs = ",\n".join(f"   {json.dumps(asdict(record))}" for record in cell.runs.values())
        blocks.append(f'  {json.dumps(key)}: {json.dumps(values)[:-1]}, "runs": [\n{runs}\n  ]}}')
    body = ",\n".join(blocks)
    return f'{{{_head(kind)}, "cells": {{\n{body}\n}}}}\n'


def _head(kind: str | None) -> str:
    """What tells such a file from others."""
    return f'"format": {FORMAT}' + ("" if kind is None else f', "kind": "{kind}"')


def run_seeds(
    cell: Cell,
    seeds: Iterable[int],
    had: Mapping[int, Any],
    run: Callable[[int], Any],
    keep: Callable[[Cell, Any], None] | None,
    on_run: Callable[[Cell, Any, bool], None] | None,
    should_stop: Callable[[], bool] | None,
    spread: Spread | None = None,
) -> tuple[Cell, bool]:
    """The cell with a run of each seed, and whether it was stopped before all were done.

    What there is in `had` is not run again. A fresh run is kept at once; `on_run(cell, record, fresh)` hears of all.
    `spread` runs several seeds at a time; None: one after the other.
    """
    wanted = list(seeds)
    fresh = (spread or _one_by_one)(run, [seed for seed in wanted if seed not in had], should_stop or (lambda: False))
    try:
        for record, is_fresh in chain(
            ((had[seed], False) for seed in wanted if seed in had), ((r, True) for r in fresh)
        ):
            cell = cell.with_runs([record])
            if is_fresh and keep is not None:
                keep(cell, record)
            if on_run is not None:
                on_run(cell, record, is_fresh)
    except Cancelled:
        return cell, True
    return cell, False


def _one_by_one(run: Callable[[int], Any], seeds: Sequence[int], should_stop: Callable[[], bool]) -> Iterator[Any]:
    for seed in seeds:
        if should_stop():
            raise Cancelled("the experiment was stopped")
        yield run(seed)


def is_of_kind(path: Path, kind: str) -> bool:
    """Whether a file says that it is one of a kind, of whatever version."""
    try:
        loaded = read_json(path)
    except (OSError, ValueError):
        return False
    return isinstance(loaded, dict) and loaded.get("kind") == kind
