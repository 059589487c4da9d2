"""The file of runs behind all tables: JSON, a line for each run, so that two versions can be compared.

Settings, machines and versions, which many runs share, are written once. The published figures of the tables that were
asked for stand in it too, so that it can be looked at where the published data are not. It is written after every run
under a name of its own first, which keeps other processes out for that moment (result_tables/result_file.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from re2nn_core.errors import DataFileError
from re2nn_core.experiments.reproduce.measured import Measured, Run
from re2nn_core.experiments.result_tables.result_file import is_of_kind, unfinished
from re2nn_core.files import read_json
from re2nn_core.network.configuration.former_names import setting_today, settings_today

KIND, FORMAT = "reproduced", 1
FILE_NAME = "runs.json"
_SHARED = ("settings", "machine", "code", "recipe")
_FORMER_ROWS = {
    "with a reader beside (ours)": "with auxiliary encoder (ours)",
    "network and rules read back agree": "network and reconstructed rules agree",
    "rules read back": "reconstructed rules",
}


@dataclass(frozen=True)
class PublishedFigure:
    """A published figure; `std` None where only a mean was published."""

    mean: float
    std: float | None = None


@dataclass(frozen=True)
class KeptRuns:
    """What a file holds: the runs of each job in the order of their seeds, and published figures by table and cell."""

    runs: Mapping[str, tuple[Run, ...]] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, PublishedFigure]] = field(default_factory=dict)

    def of(self, key: str) -> tuple[Run, ...]:
        """The runs of a job."""
        return self.runs.get(key, ())

    def seeds(self, key: str) -> frozenset[int]:
        """Those that a job has."""
        return frozenset(run.seed for run in self.of(key))

    @cached_property
    def seconds_of_kinds(self) -> Mapping[str, float]:
        """The median seconds of the runs of each kind of job. Counted once: a list of all tables asks 12,000 times."""
        found: dict[str, list[float]] = {}
        for key, runs in self.runs.items():
            for kind in run_kinds_of(key):
                found.setdefault(kind, []).extend(run.measured.seconds for run in runs)
        return {kind: median(seconds) for kind, seconds in found.items() if seconds}


def run_kinds_of(key: str) -> tuple[str, ...]:
    """What a job is like, the nearest first: itself, its model on as many texts of the same data, its model on as many
    of any data, any model on as many of the same data, any model on as many of any."""
    if key.count("/") < 3:
        return (key,)  # of a file that other hands wrote
    task, data, amount, model = key.split("/")[:4]
    return (
        key,
        f"{task}/{data}/{amount}/{model}",
        f"{task}/*/{amount}/{model}",
        f"{task}/{data}/{amount}/*",
        f"{task}/*/{amount}/*",
    )


def read_runs(path: Path) -> KeptRuns:
    """What a file holds; nothing where there is none. DataFileError where it is damaged or of another version."""
    if path.is_dir():
        raise DataFileError(f"{path}: this is a folder. Give the path of a file of runs.")
    if not path.exists():
        return KeptRuns()
    try:
        loaded = read_json(path)
        _check_head(loaded)
        return _kept_of(loaded)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as fault:
        raise DataFileError(
            f"{path}: this is no file of runs that can be read: {_in_words(fault)}\n"
            "Remove it, or give another --output folder: `re2nn reproduce` writes it again."
        ) from fault


def holds_runs(path: Path) -> bool:
    """Whether a file says that it is one of runs, of whatever version."""
    return is_of_kind(path, KIND)


def _check_head(loaded: Any) -> None:
    if not isinstance(loaded, dict) or loaded.get("kind") != KIND:
        raise ValueError(f'an object with "kind": "{KIND}" is expected')
    if loaded.get("format") != FORMAT:
        raise ValueError(f"it is of format {loaded.get('format')!r}, and this version reads format {FORMAT}")


def _in_words(fault: Exception) -> str:
    return f"{fault} is missing" if isinstance(fault, KeyError) else str(fault)


def add_run(path: Path, key: str, run: Run) -> None:
    """Put one run of a job into the file, beside whatever others have put there meanwhile."""
    add_runs(path, [(key, run)])


def add_runs(path: Path, found: Iterable[tuple[str, Run]]) -> None:
    """Several at once; a newer run of a seed takes the older one's place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(path) as part:
        kept = read_runs(path)
        runs = {key: {run.seed: run for run in own} for key, own in kept.runs.items()}
        for key, run in found:
            runs.setdefault(key, {})[run.seed] = run
        ordered = {key: tuple(own[seed] for seed in sorted(own)) for key, own in runs.items()}
        part.write_text(_text_of(KeptRuns(ordered, kept.published)), encoding="utf-8")


def add_published(path: Path, table: str, figures: Mapping[str, PublishedFigure]) -> None:
    """Put the published figures of a table into the file, where they are not there yet."""
    if not figures or read_runs(path).published.get(table) == figures:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(path) as part:
        kept = read_runs(path)
        part.write_text(_text_of(KeptRuns(kept.runs, {**kept.published, table: dict(figures)})), encoding="utf-8")


def _kept_of(loaded: Mapping[str, Any]) -> KeptRuns:
    shared = {name: loaded[name] for name in _SHARED}
    shared["settings"] = {name: settings_today(values) for name, values in shared["settings"].items()}
    runs = {_key_today(key): tuple(_run_of(values, shared) for values in own) for key, own in loaded["runs"].items()}
    published = {
        table: {_cell_today(cell): PublishedFigure(*figure) for cell, figure in own.items()}
        for table, own in loaded["published"].items()
    }
    return KeptRuns(runs, published)


def _cell_today(cell: str) -> str:
    """The name of a cell, whose row may be named as in a former version."""
    for former, name in _FORMER_ROWS.items():
        cell = cell.replace(former, name)
    return cell


def _key_today(key: str) -> str:
    """The key of a job whose settings may be named as in a former version."""
    if key.count("/") < 4:
        return key
    *job, changed = key.split("/", 4)
    settings = (setting.partition("=") for setting in changed.split(","))
    return "/".join((*job, ",".join(f"{setting_today(name)}{sign}{value}" for name, sign, value in settings)))


def _run_of(values: Mapping[str, Any], shared: Mapping[str, Mapping[str, Any]]) -> Run:
    own = dict(values)
    looked_up = {name: shared[name][own.pop(name)] for name in _SHARED}
    place = {name: own.pop(name) for name in ("seed", "date")}
    measured = Measured(**own, settings=looked_up["settings"], recipe=looked_up["recipe"])
    if not all(isinstance(value, int | float) for value in measured.values.values()):
        raise ValueError("a measured value is no number")
    return Run(place["seed"], measured, looked_up["machine"], place["date"], looked_up["code"])


def _text_of(kept: KeptRuns) -> str:
    """The file, in an order that does not hang on who came first."""
    shared: dict[str, dict[str, Any]] = {name: {} for name in _SHARED}
    blocks = []
    for key, runs in sorted(kept.runs.items()):
        lines = ",\n".join(f"   {json.dumps(_values_of(run, shared))}" for run in runs)
        blocks.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
    heads = [f'"kind": "{KIND}", "format": {FORMAT}']
    heads += [f'"{name}": {_block(dict(sorted(values.items())))}' for name, values in shared.items()]
    figures = {table: {cell: _numbers(figure) for cell, figure in own.items()} for table, own in kept.published.items()}
    heads.append(f'"published": {_block(dict(sorted(figures.items())))}')
    return "{" + ",\n".join(heads) + ',\n"runs": {\n' + ",\n".join(blocks) + "\n}}\n"


def _block(values: Mapping[str, Any]) -> str:
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items())
    return "{\n" + lines + "\n}"


def _numbers(figure: PublishedFigure) -> list[float]:
    return [figure.mean] if figure.std is None else [figure.mean, figure.std]


def _values_of(run: Run, shared: dict[str, dict[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {"seed": run.seed, **asdict(run.measured), "date": run.date}
    for name, whole in (
        ("settings", dict(run.measured.settings)),
        ("recipe", run.measured.recipe),
        ("machine", run.machine),
        ("code", run.code),
    ):
        values[name] = _id_in(shared[name], whole)
    return values


def _id_in(known: dict[str, Any], value: Any) -> str:
    """A short name that hangs on the value alone."""
    written = json.dumps(value, sort_keys=True, default=str)
    name = hashlib.sha256(written.encode()).hexdigest()[:8]
    known[name] = value
    return name
