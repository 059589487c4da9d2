"""The published figures (Jiang et al., EMNLP 2020, tables 6 and 8 to 11), read from the folder of the published data.

They are no part of this package; without the file a table has no published column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from re2nn_core.baselines.spec import BaselineSpec, is_baseline_name, spec_of
from re2nn_core.errors import DataFileError
from re2nn_core.files import read_json
from re2nn_core.task import Task

FIGURES = Path("reference") / "published.json"
_ROWS = {"fa-rnn": "FA-RNN", "fa-gru": "FA-GRU", "bifa-rnn": "BiFA-RNN", "bifa-gru": "BiFA-GRU"}
_SPELT = {"birnn": "BiRNN", "bigru": "BiGRU", "bilstm": "BiLSTM"}
# Measured on all of train alone.
_ABLATIONS = {
    "fa-rnn-viterbi": "viterbi",
    "fa-rnn-undecomposed": "undecomposed",
    "fa-rnn-random": "forward, random initialisation",
    "fa-rnn-viterbi-random": "viterbi, random initialisation",
    "fa-rnn-train-words": "training E_R",
}


@dataclass(frozen=True)
class Published:
    """Test accuracy in per cent; `std` None where only a mean was published."""

    mean: float
    std: float | None


def published_accuracy(folder: Path | None, data: str, model: str, portion: float) -> Published | None:
    """The figure of a cell; None where none was published. DataFileError where the file is damaged."""
    figures = _read(folder)
    found: Any = None
    if model in _ROWS:
        rows = _at(figures, "full_results", data, f"{_ROWS[model]}-F")
        found = _at(rows, f"{100 * portion:g}%")
    elif is_baseline_name(model, Task.CLASSIFICATION):
        found = _at(figures, *_place_of(spec_of(model, Task.CLASSIFICATION), data, portion))
    elif model in _ABLATIONS and portion == 1:
        found = _at(figures, "ablation_full_data", _ABLATIONS[model], data)
    mean = _number(_at(found, "mean"))
    if mean is not None:
        return Published(mean, _number(_at(found, "std")))
    mean = _number(found)
    return None if mean is None else Published(mean, None)


def _place_of(spec: BaselineSpec, data: str, portion: float) -> tuple[str, ...]:
    """Where the figure of a baseline stands: systems that learn from the rules' predictions have one for no texts
    alone."""
    row = published_row(spec)
    if not spec.unlabelled:
        return "full_results", data, row, f"{100 * portion:g}%"
    return ("zero_shot_with_unlabelled", row, data) if not portion else ("full_results", data, row)


def published_row(spec: BaselineSpec) -> str:
    """The name of a baseline's row in the tables: BiGRU+kd."""
    return "+".join([_SPELT.get(spec.base, spec.base.upper()), *spec.name.split("+")[1:]])


def published_parameters(folder: Path | None, data: str, model: str) -> int | None:
    """The number of trainable parameters of table 8; None where none was published."""
    row = (
        published_row(spec_of(model, Task.CLASSIFICATION))
        if is_baseline_name(model, Task.CLASSIFICATION)
        else _ROWS.get(model, "")
    )
    found = _at(_read(folder), "parameters", row, data)
    number = _number(found)
    return None if number is None else int(number)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _at(tree: Any, *keys: str) -> Any:
    """The value behind the keys; None where there is none."""
    for key in keys:
        tree = tree.get(key) if isinstance(tree, Mapping) else None
    return tree


def _read(folder: Path | None) -> Any:
    if folder is None or not (folder / FIGURES).is_file():
        return None
    try:
        return _at(read_json(folder / FIGURES), "farnn")
    except (OSError, ValueError) as fault:
        raise damaged_figures(folder, fault) from fault


def damaged_figures(folder: Path, fault: Exception) -> DataFileError:
    """What to tell of a file of published figures that cannot be read."""
    return DataFileError(
        f"{folder / FIGURES}: the published figures cannot be read: {fault}\n"
        "Correct the file, or remove it to continue without them."
    )
