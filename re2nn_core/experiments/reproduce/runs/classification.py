"""Running our own systems for labels, with the settings that `re2nn experiment` begins with, but for what was found on
dev of one set."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from re2nn_core.experiments.datasets.classification import DataSet, known_data
from re2nn_core.experiments.reproduce.measured import Measured, of_record
from re2nn_core.experiments.reproduce.tables.found_on_dev import found_on_dev
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import AUXILIARY, TAUGHT, TAUGHT_AUXILIARY, WITH_AUXILIARY, Around
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.classification import LabelRecord, run_seed
from re2nn_core.experiments.runs.figures import share_right
from re2nn_core.experiments.runs.published_systems import network_of
from re2nn_core.services.fine_tuning.classification.objectives import MANY, settings_for, training_settings_for
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig

RANDOM = "random"  # word vectors that are drawn (EMNLP 2020, table 6)
_DIMENSIONS = 100
_BY_LABEL = frozenset(("SMS",))  # precision and recall of single labels are reported for these (figure 2)


@lru_cache(maxsize=1)
def label_data(name: str, folder: Path) -> DataSet:
    """A published set; the latest one is kept."""
    return known_data(name, folder)


def run_labels(job: Job, seed: int, around: Around) -> Measured:
    """Train, or not, and measure. InputError, Cancelled."""
    data = label_data(job.data, around.folder)
    if job.model == "rules":
        return rules_of_labels(data)
    with _settings(data, job, seed) as settings:
        cell = label_cell(data, job.amount, job.model, settings)
        record = run_seed(cell, seed, should_stop=around.should_stop)
    known_settings = {**cell.settings, "vectors": RANDOM} if ("vectors", RANDOM) in job.settings else cell.settings
    return measured_labels(record, known_settings, labels=data.name in _BY_LABEL)


def label_cell(
    data: DataSet, portion: float, model: str, settings: Mapping[str, Any], objective: Objective = "accuracy"
) -> LabelCell:
    """The cell with the settings of an objective and, upon these, given ones of the network. Only where the
    model says so is there an auxiliary encoder: the published networks have none."""
    examples, predicted = round(portion * len(data.train)), model == TAUGHT_AUXILIARY
    who: dict[str, Any] = {"auxiliary": predicted or model == WITH_AUXILIARY, "predicted": MANY if predicted else 0}
    begin = settings_for(objective, examples, **who)
    if "rule_weight" in settings or not (portion or predicted):
        # A mixture is of vectors that a word has everywhere; and before training none of them plays a part.
        begin["vectors"] = "auto"
    network = network_of(model.removesuffix(TAUGHT).removesuffix(AUXILIARY), settings, begin)
    if not network.decomposed:
        network = replace(network, vectors="none")  # a weight for each word leaves none to its vector
    train = TrainConfig(**training_settings_for(objective, examples, **who), unlabelled=1.0 if predicted else 0.0)
    return LabelCell(data, portion, model, network, train)


def measured_labels(record: LabelRecord, settings: Mapping[str, Any], *, labels: bool = False) -> Measured:
    """A record of an experiment; `labels` tells precision and recall of each label too."""
    values: dict[str, float | None] = {
        "accuracy": record.test,
        "accuracy without texts of train": record.test_without_duplicates,
        "precision": record.precision,
        "recall": record.recall,
        "dev": record.dev,
        "untrained": record.zero_shot.test,
        "parameters": float(record.parameters),
        "free parameters": float(record.free_parameters),
    }
    if labels:
        for label, (precision, recall) in record.labels.items():
            values |= {f"precision of {label}": precision, f"recall of {label}": recall}
    return of_record(record, {name: value for name, value in values.items() if value is not None}, settings)


def rules_of_labels(data: DataSet) -> Measured:
    """The symbolic rules."""
    predictions = data.system.predictions([example.text for example in data.test])
    return Measured({"accuracy": share_right(data.test, predictions) or 0.0}, recipe="the rules alone")


@contextmanager
def _settings(data: DataSet, job: Job, seed: int) -> Iterator[dict[str, Any]]:
    """The job's own settings; drawn word vectors lie in a file for as long as they are needed."""
    settings = {**found_on_dev(job.data, job.model, job.amount), **dict(job.settings)}
    if settings.get("vectors") != RANDOM:
        yield settings
        return
    with TemporaryDirectory(prefix="re2nn-") as folder:
        path = Path(folder) / "random.txt"
        texts = [example.text for example in (*data.train, *data.dev, *data.test)]
        words = {word for sentence in words_of_all(texts, data.system.tokenization) for word in sentence}
        path.write_text(_drawn(sorted(words | set(data.system.ruleset.words)), seed), encoding="utf-8")
        yield {**settings, "vectors": str(path)}


def _drawn(words: list[str], seed: int) -> str:
    """A line for each word, as GloVe files have them."""
    numbers = random.Random(f"vectors {seed}")
    return "".join(f"{word} {' '.join(f'{numbers.gauss(0, 0.3):.4f}' for _ in range(_DIMENSIONS))}\n" for word in words)
