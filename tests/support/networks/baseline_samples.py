"""Small baselines and made-up texts for tests of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from re2nn_core.baselines.config import BaselineConfig
from re2nn_core.baselines.fit import build
from re2nn_core.baselines.lesson import Lesson
from re2nn_core.baselines.network import Baseline, BaselineSizes
from re2nn_core.baselines.spec import BASES, KNOWLEDGE, spec_of
from re2nn_core.baselines.texts import SILENT, RuleFeatures, Texts
from re2nn_core.task import Task

WORDS, LABELS, RULE_TAGS, WIDTH = 30, 4, 5, 8
# The sentence encoder needs its package; what it reads stands in for it as vectors in context.
NAMES: dict[Task, list[str]] = {
    task: [f"{base}{more}" for base in bases for more in ("", *(f"+{one}" for one in KNOWLEDGE))]
    for task, bases in BASES.items()
}


def config(**changes: Any) -> BaselineConfig:
    """Small and quick."""
    return BaselineConfig(**{"hidden": 6, "rule_dimensions": 3, "tune_encoder": False, "device": "cpu", **changes})


def network(name: str, task: Task, **changes: Any) -> Baseline:
    """An untrained baseline over WORDS words."""
    spec = spec_of(name, task)
    vectors = np.random.default_rng(1).normal(0, 0.35, (WORDS, WIDTH)).astype(np.float32)
    context = WIDTH if spec.cell == "encoder" else 0
    return build(spec, config(**changes), BaselineSizes(LABELS, RULE_TAGS, context), vectors)


def texts(task: Task, lengths: Sequence[int], seed: int = 0, *, in_context: bool = False) -> Texts:
    """Texts of these lengths; the rules speak of about two units in three."""
    random = np.random.default_rng(seed)
    units = [1 if task == Task.CLASSIFICATION else length for length in lengths]
    return Texts(
        codes=[random.integers(0, WORDS, length).tolist() for length in lengths],
        gold=[random.integers(0, LABELS, count) for count in units],
        rule_features=[
            RuleFeatures(
                random.integers(0, 2, (count, RULE_TAGS)).astype(np.float32),
                np.where(random.random(count) < 0.7, random.integers(0, LABELS, count), SILENT),
            )
            for count in units
        ],
        context=[random.normal(0, 0.35, (n, WIDTH)).astype(np.float32) for n in lengths] if in_context else None,
    )


def lesson(task: Task, lengths: Sequence[int], seed: int = 0, *, in_context: bool = False) -> Lesson:
    """The same as a lesson."""
    return Lesson(texts(task, lengths, seed, in_context=in_context), [f"name{n}" for n in range(LABELS)])


def logits_of(baseline: Baseline, some: Texts, places: Sequence[int]) -> list[torch.Tensor]:
    """[units, labels] of each of the texts, asked for together. `places` must come longest first."""
    from re2nn_core.baselines.texts import hints_of
    from re2nn_core.network.recurrence.batching import make_batch

    context = None if some.context is None else [some.context[place] for place in places]
    batch = make_batch([some.codes[place] for place in places], torch.device("cpu"), context)
    baseline.eval()
    with torch.no_grad():
        found = baseline(batch, hints_of(some, places, torch.device("cpu")))
    if baseline.spec.task == Task.CLASSIFICATION:
        return [row[None] for row in found]
    return [row[: len(some.codes[place])] for row, place in zip(found, places, strict=True)]
