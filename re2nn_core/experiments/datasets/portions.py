"""How much an experiment learns from: a portion of train, drawn anew for each seed, and the dev texts that go with it.

From a tenth of train on all of dev is used; below, a dev set of the size of the portion is drawn too, since nobody
with so few labelled texts has a large dev set (Jiang et al., EMNLP 2020, section 4.4). Of one seed, a larger portion
holds the smaller ones, so that a curve over portions is about their size alone.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.services.fine_tuning.training_plan import FEWEST, HELD_OUT
from re2nn_core.text.corpus import Example
from re2nn_core.training.resuming import mark_of

ALL_OF_DEV_FROM = 0.1


@dataclass(frozen=True)
class DrawnTexts:
    """The examples of a portion, in the order of the file. `rest`: the training texts that were not drawn, their labels
    taken off. `test`: what is measured on. `digest` marks what was drawn; it is empty for no examples."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    rest: tuple[Example, ...]
    test: tuple[Example, ...]
    digest: str


def check_portion(portion: float) -> None:
    """InputError for what is no share of train."""
    if not 0 <= portion <= 1:
        raise InputError(
            f"The portion must be a share of the training texts from 0 to 1 (got {portion:g}): "
            "0.01 for 1%, 1 for all, 0 for none (zero-shot)."
        )


def draw_portion(data: DataSet, portion: float, seed: int) -> DrawnTexts:
    """The training and dev texts of a portion for a seed. InputError where they are too few or all of one label."""
    check_portion(portion)
    if portion == 0:
        return DrawnTexts((), (), _without_labels(data.train), _measured(data, data.train), "")
    count = round(portion * len(data.train))
    _check_count(data, portion, count)
    train, rest = _sample(data.train, count, f"train {seed}")
    if len({example.label for example in train}) < 2:
        raise InputError(
            f"All {len(train):,} training texts that seed {seed} draws from {data.name} have the label "
            f"{train[0].label!r}; training needs at least two labels.\nUse a larger portion, or other seeds (--seed)."
        )
    dev = data.dev if portion >= ALL_OF_DEV_FROM else _sample(data.dev, count, f"dev {seed}")[0]
    return DrawnTexts(train, dev, _without_labels(rest), _measured(data, rest), mark_of(train, dev)[:16])


def measured_set(data: DataSet, drawn: DrawnTexts) -> DataSet:
    """The set with what a draw measures on as its test, and as its train what stands apart from that."""
    return replace(data, train=drawn.train or data.train, test=drawn.test) if data.on_rest else data


def _measured(data: DataSet, rest: tuple[Example, ...]) -> tuple[Example, ...]:
    if not data.on_rest:
        return data.test
    if not rest:
        raise InputError(
            f"All {len(data.train):,} training texts are used for training; none of them is left to measure on.\n"
            "Use a smaller portion, or leave out --on-rest."
        )
    return tuple(replace(example, split="test") for example in rest)


def _check_count(data: DataSet, portion: float, count: int) -> None:
    # Without dev texts some of the drawn ones are held out to stop by.
    needed = FEWEST if data.dev else next(n for n in itertools.count(FEWEST) if n - n // HELD_OUT >= FEWEST)
    if count >= needed:
        return
    if len(data.train) < needed:
        raise InputError(
            f"{data.name} has {len(data.train)} labelled training texts; at least {needed} are needed. "
            "Label more texts, or use the portion 0 (zero-shot)."
        )
    enough = math.ceil(1000 * needed / len(data.train)) / 1000
    raise InputError(
        f"The portion {portion:g} of the {len(data.train):,} training texts of {data.name} is {count}; at least "
        f"{needed} are needed. Use a portion of {min(1.0, enough):g} or more, or 0 (zero-shot)."
    )


def _sample(examples: Sequence[Example], count: int, seed: str) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """So many of the examples, or all of them where there are no more; and the others."""
    places = list(range(len(examples)))
    random.Random(seed).shuffle(places)
    drawn, others = sorted(places[:count]), sorted(places[count:])
    return tuple(examples[place] for place in drawn), tuple(examples[place] for place in others)


def _without_labels(examples: Sequence[Example]) -> tuple[Example, ...]:
    return tuple(replace(example, label=None) for example in examples)
