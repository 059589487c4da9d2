"""The labelled texts of a project as a data set: what is learned from, and what is measured on.

A curve over the amount of data needs the same texts to measure on at every amount, and none of them may be learned
from. So dev texts are measured on alone here, whatever a training would do with them; a training that draws from the
others holds out some of its own to know when to stop.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from re2nn_core.errors import InputError
from re2nn_core.experiments.data import DataSet
from re2nn_core.experiments.portions import draw
from re2nn_core.services.systems import RuleSystem
from re2nn_core.text.corpus import Corpus, Example

Measured = Literal["dev", "test", "set apart"]

FEWEST = 40  # texts to learn from: fewer give no second amount that could be trained from
FEW_MEASURED = 20  # fewer texts than this do not measure: a single one would move a figure by more than five points
SET_APART = 5  # where there are neither dev nor test texts, every fifth text is measured on


@dataclass(frozen=True)
class ProjectData:
    """`data.test` are the texts that are measured on, `measured` tells which of the project's these are. `beside` are
    its test texts, measured too where dev texts already are."""

    data: DataSet
    measured: Measured
    beside: tuple[Example, ...]

    @property
    def in_words(self) -> str:
        """What the figures are measured on."""
        count = f"{len(self.data.test):,}"
        if self.measured == "set apart":
            return (
                f"Measured on {count} labelled texts, every fifth one, set apart before the others are drawn from, "
                "since few or none have the split dev or test."
            )
        if self.measured == "test":
            return f"Measured on the {count} test texts, since few or none have the split dev."
        test = f"and the {len(self.beside):,} test texts" if self.beside else "(none has the split test)"
        return f"Measured on the {count} dev texts {test}; nothing learns from them here."


@dataclass(frozen=True)
class _Parts:
    learn: tuple[Example, ...]
    measure: tuple[Example, ...]
    measured: Measured
    beside: tuple[Example, ...] = ()


def project_data(name: str, system: RuleSystem, corpus: Corpus) -> ProjectData:
    """The data set of a project's texts. InputError where there are too few of them."""
    if (told := too_few(corpus)) is not None:
        raise InputError(told)
    parts = _parts(corpus)
    return ProjectData(DataSet(name, system, parts.learn, (), parts.measure), parts.measured, parts.beside)


def too_few(corpus: Corpus) -> str | None:
    """Why nothing can be told of the amount of data, and how many texts are missing; None where it can."""
    parts = _parts(corpus)
    count = len(parts.learn) + (len(parts.measure) if parts.measured == "set apart" else 0)
    more = next(n for n in itertools.count() if _to_learn_from(count + n, parts.measured) >= FEWEST)
    if more:
        there = "is 1 labelled text" if count == 1 else f"are {count:,} labelled texts"
        return f"There {there} to draw from; at least {count + more} are needed. Label {more} more."
    labels = {example.label for example in parts.learn}
    if len(labels) < 2:
        return f"All {count:,} labelled texts to draw from carry the label {labels.pop()}. Label some of another label."
    return None


def drawable(data: DataSet, portions: Iterable[float], seeds: Sequence[int]) -> tuple[float, ...]:
    """The portions for which every seed draws enough texts, and not all of one label."""
    return tuple(portion for portion in portions if all(_can_draw(data, portion, seed) for seed in seeds))


def _can_draw(data: DataSet, portion: float, seed: int) -> bool:
    try:
        draw(data, portion, seed)
    except InputError:
        return False
    return True


def _parts(corpus: Corpus) -> _Parts:
    labelled = [example for example in corpus if example.label is not None]
    train = _as("train", (example for example in labelled if example.split in ("train", None)))
    dev = tuple(example for example in labelled if example.split == "dev")
    test = tuple(example for example in labelled if example.split == "test")
    if len(dev) >= FEW_MEASURED:
        return _Parts(train, _as("test", dev), "dev", test)
    every = (*train, *_as("train", dev))
    if len(test) >= FEW_MEASURED:
        return _Parts(every, test, "test")
    kept = tuple(example for place, example in enumerate(every) if place % SET_APART != SET_APART - 1)
    return _Parts(kept, _as("test", every[SET_APART - 1 :: SET_APART]), "set apart")


def _as(split: str, examples: Iterable[Example]) -> tuple[Example, ...]:
    """The examples with this split, which is what training goes by."""
    return tuple(replace(example, split=split) for example in examples)


def _to_learn_from(count: int, measured: Measured) -> int:
    return count - count // SET_APART if measured == "set apart" else count
