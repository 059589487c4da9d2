"""What the runs of a cell come to: mean and standard deviation over seeds, beside the published figure.

The deviation is that of a sample (n - 1): four seeds stand for all that could have been drawn. All in per cent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import Any

from re2nn_core.baselines.spec import BASES, is_baseline_name
from re2nn_core.errors import InputError
from re2nn_core.experiments.result_tables.classification import StoredCell
from re2nn_core.experiments.runs.baseline_cell import changed_baseline
from re2nn_core.experiments.runs.cell import BY_HAND, cell_settings
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.published_systems import MODELS
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.fine_tuning.classification.objectives import MANY, settings_for, training_settings_for
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.task import Task
from re2nn_core.training.config import TrainConfig

_DIGITS = 2


@dataclass(frozen=True)
class Spread:
    """`std` is None for a single run."""

    mean: float
    std: float | None


def spread(values: Sequence[float]) -> Spread:
    """Mean and sample deviation of one or more values."""
    return Spread(round(fmean(values), _DIGITS), round(stdev(values), _DIGITS) if len(values) > 1 else None)


def spread_of_all(values: Iterable[float | None]) -> Spread | None:
    """The same; None where a value is missing."""
    found = list(values)
    known = [value for value in found if value is not None]
    return spread(known) if len(known) == len(found) else None


@dataclass(frozen=True)
class Summary:
    """`difference` is the mean above the published one. `recipe` joins the recipes where seeds had different ones;
    `settings` are those that are not the model's defaults now. `auxiliary`: there was an auxiliary
    encoder."""

    data: str
    portion: float
    model: str
    auxiliary: bool
    vectors: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    test: Spread
    without_duplicates: Spread | None
    dev: Spread | None
    precision: Spread
    recall: Spread
    zero_shot: Spread
    zero_shot_without_duplicates: Spread | None
    rules: float
    published: Mapping[str, float | None] | None
    difference: float | None
    recipe: str
    parameters: int
    free_parameters: int


def summarise(cell: StoredCell, *, label: str | None = None) -> Summary | None:
    """The figures of a cell; None where it has no run. Precision and recall are those of `label`, if one is given, and
    otherwise means over labels."""
    runs = list(cell.runs.values())
    if not runs:
        return None
    pairs = [_precision_and_recall(cell, run, label) for run in runs]
    test = spread([run.test for run in runs])
    return Summary(
        data=cell.data,
        portion=cell.portion,
        model=cell.model,
        auxiliary=cell.settings.get("auxiliary", "none") != "none",
        vectors=runs[0].vectors,
        settings=changed_cell_settings(cell),
        seeds=tuple(cell.runs),
        test=test,
        without_duplicates=spread_of_all(run.test_without_duplicates for run in runs),
        dev=spread_of_all(run.dev for run in runs),
        precision=spread([precision for precision, _ in pairs]),
        recall=spread([recall for _, recall in pairs]),
        zero_shot=spread([run.zero_shot.test for run in runs]),
        zero_shot_without_duplicates=spread_of_all(run.zero_shot.test_without_duplicates for run in runs),
        rules=cell.rules,
        published=None if cell.published is None else asdict(cell.published),
        difference=None if cell.published is None else round(test.mean - cell.published.mean, _DIGITS),
        recipe=" / ".join(dict.fromkeys(run.recipe for run in runs)),
        parameters=runs[0].parameters,
        free_parameters=runs[0].free_parameters,
    )


def _precision_and_recall(cell: StoredCell, run: LabelRecord, label: str | None) -> tuple[float, float]:
    if label is None:
        return run.precision, run.recall
    check_known_label(label, cell.data, run.labels)
    return run.labels[label]


def check_known_label(label: str, data: str, known: Collection[str]) -> None:
    """InputError where no test text carries the label."""
    if label not in known:
        raise InputError(f"No test text of {data} carries the label {label!r}. Choose one of: {', '.join(known)}.")


def changed_cell_settings(cell: StoredCell) -> dict[str, Any]:
    """The settings that are neither those an experiment begins with, for so many texts, nor the model's own; word
    vectors have a name of their own."""
    examples = next((run.train_size for run in cell.runs.values()), 0)
    if is_baseline_name(cell.model, Task.CLASSIFICATION):
        return changed_baseline(cell.model, Task.CLASSIFICATION, examples, cell.settings)
    known = cell.settings["vectors"] == CONTEXT
    # How many texts had no label is not stored; an auxiliary encoder tells that they were many.
    predicted = MANY if cell.settings.get("unlabelled") and cell.settings.get("auxiliary", "none") != "none" else 0
    beginnings: tuple[Objective, ...] = ("accuracy",) if known else ("interpretable", "accuracy")
    found = []
    for objective in beginnings:
        begun = {
            **settings_for(objective, examples, in_context=known, predicted=predicted),
            **training_settings_for(objective, examples, in_context=known, predicted=predicted),
            **MODELS.get(cell.model, {}),
        }
        own = {**cell_settings(NetworkConfig(), TrainConfig()), **begun}
        asked = cell.settings.get(BY_HAND, ())
        changed = {
            name: value
            for name, value in cell.settings.items()
            if name not in ("vectors", BY_HAND) and (name in asked or own.get(name) != value)
        }
        found.append(
            (len(changed), {"objective": "interpretable", **changed} if objective == "interpretable" else changed)
        )
    return min(found, key=lambda pair: pair[0])[1]


def ordered(cells: Iterable[StoredCell]) -> list[StoredCell]:
    """By data set, model and portion, as a table shows them."""
    names = [*MODELS, *BASES[Task.CLASSIFICATION]]
    return sorted(cells, key=lambda c: (c.data, _place(c.model, names), c.model, c.portion, c.vectors))


def _place(model: str, names: Sequence[str]) -> int:
    """Where the model stands among the names, with `+kd` and the like beside its own; behind all where it is new."""
    base = model.partition("+")[0]
    return names.index(base) if base in names else len(names)


def summaries(cells: Sequence[StoredCell], *, label: str | None = None) -> list[Summary]:
    """Those of all cells that have a run."""
    return [found for cell in cells if (found := summarise(cell, label=label)) is not None]
