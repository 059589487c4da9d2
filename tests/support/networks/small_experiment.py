"""A made-up data set for tests of experiments: large enough that a small portion can be drawn from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.networks.small_system import LOGIC, RULES, small_system

from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.published_systems import network_of
from re2nn_core.text.corpus import Example
from re2nn_core.training.config import TrainConfig

_TRAVEL = ("i want to fly to {}", "a flight to {} please", "planes to {} today", "show flights to {}")
_MONEY = ("what is the fare to {}", "how much to {}", "the cost of {} please", "price of a flight to {}")
_CITIES = {"train": range(40), "dev": range(100, 105), "test": range(200, 204)}


def examples(split: str) -> tuple[Example, ...]:
    """320 train, 40 dev and 32 test texts. Of every eight the rules get six right: they miss `planes`, which the
    default label mends, and `cost`. The first test text stands in train as well."""
    found = []
    for number in _CITIES[split]:
        found += [Example(frame.format(f"city{number}"), "travel", split) for frame in _TRAVEL]
        found += [Example(frame.format(f"city{number}"), "money", split) for frame in _MONEY]
    if split == "test":
        found[0] = Example("I want to  fly to city3", "travel", "test")
    return tuple(found)


def small_set(**changes: Any) -> DataSet:
    """The data set; `changes` are other fields."""
    parts = {split: examples(split) for split in _CITIES}
    return DataSet(**{"name": "small", "system": small_system(), **parts, **changes})


def quick_cell(
    portion: float = 0.05, model: str = "fa-rnn", *, train: TrainConfig | None = None, epochs: int = 1, **network: Any
) -> LabelCell:
    """A cell of the small set that is trained in well under a second."""
    settings = network_of(model, {"vectors": "none", **network})
    return LabelCell(small_set(), portion, model, settings, train or TrainConfig(epochs=epochs, device="cpu"))


def write_files(folder: Path) -> dict[str, Path]:
    """The small set as files: rules, logic, and label TAB text for each split."""
    texts = {"rules": RULES, "logic": LOGIC}
    texts |= {split: "".join(f"{e.label}\t{e.text}\n" for e in examples(split)) for split in _CITIES}
    endings = {"rules": "rules.txt", "logic": "logic.toml", **{split: f"{split}.tsv" for split in _CITIES}}
    paths = {part: folder / ending for part, ending in endings.items()}
    for part, path in paths.items():
        path.write_text(texts[part], encoding="utf-8")
    return paths
