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
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.portions import draw_portion
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
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
        return measured_in_words(self.measured, len(self.data.test), len(self.beside))


def measured_in_words(measured: Measured, texts: int, beside: int | None = None, *, done: str = "labelled") -> str:
    """What figures are measured on. `beside` counts the test texts that are measured too, None where no such are meant;
    `done` is what people have done with a text."""
    count = f"{texts:,}"
    if measured == "set apart":
        reason = "because few or none have the split dev or test"
        return f"Measured on {count} held-out {done} texts, every fifth one, {reason}."
    if measured == "test":
        return f"Measured on the {count} held-out test texts, because few or none have the split dev."
    test = (
        f" and the {beside:,} held-out test texts" if beside else "" if beside is None else " (none has the split test)"
    )
    return f"Measured on the {count} held-out dev texts{test}."


@dataclass(frozen=True)
class Parts:
    """Texts to learn from, and those that are measured on."""

    learn: tuple[Example, ...]
    measure: tuple[Example, ...]
    measured: Measured
    beside: tuple[Example, ...] = ()


def project_data(name: str, system: RuleSystem, corpus: Corpus) -> ProjectData:
    """The data set of a project's texts. InputError where there are too few of them."""
    if (reported := too_few(corpus)) is not None:
        raise InputError(reported)
    parts = _parts(corpus)
    return ProjectData(DataSet(name, system, parts.learn, (), parts.measure), parts.measured, parts.beside)


def too_few(corpus: Corpus) -> str | None:
    """Why nothing can be told of the amount of data, and how many texts are missing; None where it can."""
    parts = _parts(corpus)
    count = _count(parts)
    if (more := _missing(parts)) is not None:
        return f"{_so_many(parts, 'labelled')}; at least {count + more} are needed. Label or add {more} more."
    labels = {example.label for example in parts.learn}
    if len(labels) < 2:
        return f"All {count:,} labelled texts to draw from carry the label {labels.pop()}. Label some of another label."
    return None


def _count(parts: Parts) -> int:
    """How many texts there are to draw from, before any are set apart."""
    return len(parts.learn) + (len(parts.measure) if parts.measured == "set apart" else 0)


def _missing(parts: Parts) -> int | None:
    """How many more texts are needed; None where there are enough."""
    count = _count(parts)
    return next(n for n in itertools.count() if _to_learn_from(count + n, parts.measured) >= FEWEST) or None


def _so_many(parts: Parts, done: str) -> str:
    count = _count(parts)
    return f"There {f'is 1 {done} text' if count == 1 else f'are {count:,} {done} texts'} to draw from"


def drawable(data: DataSet, portions: Iterable[float], seeds: Sequence[int]) -> tuple[float, ...]:
    """The portions for which every seed draws enough texts, and not all of one label."""
    return tuple(portion for portion in portions if all(_can_draw(data, portion, seed) for seed in seeds))


def _can_draw(data: DataSet, portion: float, seed: int) -> bool:
    try:
        draw_portion(data, portion, seed)
    except InputError:
        return False
    return True


def compared_slot_parts(corpus: Corpus) -> tuple[Parts, str]:
    """The marked texts of a project for slots, and in words what is measured on. InputError where there are too few."""
    marked = [example for example in corpus if example.spans is not None]
    parts = _split(marked)
    if (more := _missing(parts)) is not None:
        raise InputError(
            f"{_so_many(parts, 'annotated')}; at least {_count(parts) + more} are needed. Annotate or add {more} more."
        )
    return parts, measured_in_words(parts.measured, len(parts.measure), done="annotated")


def _parts(corpus: Corpus) -> Parts:
    return _split([example for example in corpus if example.label is not None])


def _split(labelled: Sequence[Example]) -> Parts:
    train = _as("train", (example for example in labelled if example.split in ("train", None)))
    dev = tuple(example for example in labelled if example.split == "dev")
    test = tuple(example for example in labelled if example.split == "test")
    if len(dev) >= FEW_MEASURED:
        return Parts(train, _as("test", dev), "dev", test)
    every = (*train, *_as("train", dev))
    if len(test) >= FEW_MEASURED:
        return Parts(every, test, "test")
    kept = tuple(example for place, example in enumerate(every) if place % SET_APART != SET_APART - 1)
    return Parts(kept, _as("test", every[SET_APART - 1 :: SET_APART]), "set apart")


def _as(split: str, examples: Iterable[Example]) -> tuple[Example, ...]:
    """The examples with this split, which is what training goes by."""
    return tuple(replace(example, split=split) for example in examples)


def _to_learn_from(count: int, measured: Measured) -> int:
    return count - count // SET_APART if measured == "set apart" else count
