"""Between which predictions a change is looked for: those of today's rules, and those of older rules, of the newest
network, or of the rules that were read out of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from re2nn_core.services.fine_tuning.runs import finished_runs, run_numbers
from re2nn_core.services.rule_review.classification.stored_reconstruction import stored_reconstruction
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import stored_slot_reconstruction
from re2nn_core.services.rule_review.stored_reconstruction import StoredReconstruction
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, Store, list_versions
from re2nn_core.task import Task

ChangeKind = Literal["version", "network", "reconstruction"]


@dataclass(frozen=True)
class PredictionChange:
    """What today's rules are compared with: the rules of `version`, which a reconstruction only borrows to carry its
    own, and where there is a `run` its network. `title` completes "compared with": "rules v2"."""

    kind: ChangeKind
    title: str
    version: RuleVersion
    run: RunRecord | None = None


def prediction_changes(store: Store, project: ProjectRecord, version: RuleVersion) -> tuple[PredictionChange, ...]:
    """All that the rules of this version can be compared with: other versions, the newest in front, the newest network,
    and what was read out of networks, the newest in front."""
    others = (other for other in list_versions(store, project.id) if other.number != version.number)
    runs, numbers = finished_runs(store, project.id), run_numbers(store, project.id)
    return (
        *(PredictionChange("version", f"rules v{other.number}", other) for other in others),
        *(PredictionChange("network", f"the network of run {numbers[run.id]}", version, run) for run in runs[:1]),
        *_reconstructions(project, version, runs, numbers),
    )


def _reconstructions(
    project: ProjectRecord, version: RuleVersion, runs: tuple[RunRecord, ...], numbers: dict[int, int]
) -> Iterator[PredictionChange]:
    for run in runs:
        kept = _STORED[project.task](run.folder)
        if kept is not None:
            found = kept.reconstruction
            read = replace(version, rules_text=found.rules_text, logic_text=found.logic_text)
            yield PredictionChange("reconstruction", f"the rules read out of run {numbers[run.id]}", read)


_Stored = Callable[[Path], StoredReconstruction[Any] | None]
_STORED: dict[Task, _Stored] = {
    Task.CLASSIFICATION: stored_reconstruction,
    Task.SLOT_FILLING: stored_slot_reconstruction,
}
