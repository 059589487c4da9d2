"""Which runs of a job were made alike, although an older version of this program told fewer settings of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.tables.spec import Job, JobKind
from re2nn_core.experiments.reproduce.tables.systems import is_ordinary


def runs_alike(job: Job, runs: Iterable[Run]) -> tuple[tuple[Run, ...], ...]:
    """The runs in groups of the same settings and word vectors."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        # An encoder whose files turn out to be damaged leaves the settings alone.
        alike = [run.measured.vectors, run.measured.settings]
        groups.setdefault(json.dumps(alike, sort_keys=True, default=str), []).append(run)
    if len(groups) > 1:
        groups = _with_settings_of_today(job, groups.values())
    return tuple(tuple(group) for group in groups.values())


def _with_settings_of_today(job: Job, groups: Iterable[list[Run]]) -> dict[str, list[Run]]:
    """The groups again, each setting that a run does not tell taken for what the program did before it had it. One that
    no run tells is none of the job's."""
    found = tuple(groups)
    known_settings = {name for group in found for name in group[0].measured.settings}
    usual = {
        name: value
        for name, value in _defaults(job.kind, is_ordinary(job.kind, job.model)).items()
        if name in known_settings
    }
    joined: dict[str, list[Run]] = {}
    for group in found:
        alike = [group[0].measured.vectors, {**usual, **group[0].measured.settings}]
        joined.setdefault(json.dumps(alike, sort_keys=True, default=str), []).extend(group)
    return {key: sorted(group, key=lambda run: run.seed) for key, group in joined.items()}


@cache
def _defaults(kind: JobKind, baseline: bool) -> Mapping[str, Any]:
    """What a setting counts as that an older version did not know."""
    # Loaded here because they load torch, which a list of tables can do without.
    from re2nn_core.baselines.config import BaselineConfig
    from re2nn_core.experiments.runs.baseline_cell import baseline_settings
    from re2nn_core.experiments.runs.cell import cell_settings
    from re2nn_core.network.configuration.classification import NetworkConfig
    from re2nn_core.network.configuration.slot_filling import TaggerConfig
    from re2nn_core.training.config import TrainConfig

    if baseline:
        return baseline_settings(BaselineConfig())
    return cell_settings(TaggerConfig() if kind.startswith("slot") else NetworkConfig(), TrainConfig())
