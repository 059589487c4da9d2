"""Comparisons of systems as pages see them: started and watched. Stopped and taken up again they are like any series
(runs.py)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from re2nn_core.exchange.tables.guard import guard
from re2nn_core.experiments.datasets.kinds import COMPARISON
from re2nn_core.experiments.project.models import (
    RAY,
    RULES,
    Trained,
    check_wanted,
    cluster_of,
    comparison_texts,
    system_name,
    trained_of,
    trainings_of,
)
from re2nn_core.experiments.project.version_mark import settings_mark
from re2nn_core.jobs.launch import launch
from re2nn_core.jobs.ray_cluster import RayCluster, cluster_at
from re2nn_core.jobs.recover import recover
from re2nn_core.jobs.report import seconds_since_step
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.team.people import require_role
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import RunRecord, Store, add_point, create_run, get_run, get_version, list_runs, set_progress
from re2nn_core.task import by_task
from re2nn_core.text.remaining_time import Remaining, remaining_time

_RECENT = 3  # trainings of a system whose seconds are expected of those to come


@dataclass(frozen=True)
class ComparisonRequest:
    """What is compared; `cluster` trains, None: a process of this computer, one training after the other."""

    systems: tuple[str, ...]
    amounts: tuple[int, ...]
    seeds: int = 2
    cluster: RayCluster | None = None

    @property
    def trainings(self) -> int:
        """How many there are."""
        return len(self.systems) * len(self.amounts) * self.seeds


@dataclass(frozen=True)
class ModelComparison:
    """A comparison as it is now. `rules_alone` None until they are measured; `remaining` None until a training is
    over. `rules_number` is that of the version whose rules are compared."""

    run: RunRecord
    rules_alone: Trained | None
    trained: tuple[Trained, ...]
    remaining: Remaining | None
    rules_number: int | None = None

    @property
    def rules(self) -> float | None:
        """What the rules alone reach."""
        return None if self.rules_alone is None else self.rules_alone.value


def start_comparison(
    store: Store, project_id: int, version_id: int, request: ComparisonRequest, *, person: str
) -> RunRecord:
    """Start its process. InputError where it cannot be started, with what is missing, and for a cluster that is not
    there; UnavailableError where Ray is not installed."""
    require_role(store, person, "reviewer", "start a comparison")
    found = comparison_texts(store, project_id, version_id)
    check_wanted(request.systems, request.amounts, request.seeds, found)
    engine: dict[str, str | None] = {}
    if request.cluster is not None:
        request.cluster.check()
        engine = {"engine": RAY, "address": request.cluster.address}
    config = {
        "systems": list(request.systems),
        "amounts": sorted(set(request.amounts)),
        "seeds": request.seeds,
        "threads": 1,
        "measured": found.in_words,
        "measured_name": found.measured,
        "measured_texts": len(found.data.test),
        "measure": by_task(found.task, classification="accuracy", slot_filling="F1"),
        "fingerprint": fingerprint(training_texts(store, project_id)),
        "begun_with": settings_mark(found.task),
        **engine,
    }
    run = create_run(store, project_id, COMPARISON, rule_version_id=version_id, config=config, person=person)
    _take_over(store, run)
    launch(store, run.id)
    return get_run(store, run.id)


def known_cluster() -> RayCluster | None:
    """The cluster that RAY_ADDRESS names; None where it names none."""
    found = cluster_at(None)
    return None if found.address is None else found


def comparisons(store: Store, project_id: int) -> tuple[RunRecord, ...]:
    """All that have begun to measure, and the newest one in any case, which is in front."""
    every = list_runs(store, project_id, COMPARISON)
    return (*every[:1], *(run for run in every[1:] if run.step))


def _take_over(store: Store, run: RunRecord) -> None:
    """Put down what earlier comparisons have measured with the same rules and settings on the same texts, so that it is
    not trained again."""
    known: dict[tuple[str, int, int], Trained] = {}
    for earlier in list_runs(store, run.project_id, COMPARISON):
        if earlier.id != run.id and _same(earlier) == _same(run):
            known = {(one.system, one.texts, one.seed): one for one in trained_of(store, earlier.id)} | known
    rules = known.get((RULES, 0, 0))
    if rules is None:
        return
    wanted = enumerate(trainings_of(run.config), start=1)
    found = {0: rules} | {step: known[training] for step, training in wanted if training in known}
    for step, one in found.items():
        add_point(store, run.id, step, asdict(one))
    set_progress(store, run.id, len(found) - 1, len(trainings_of(run.config)))


def _same(run: RunRecord) -> tuple[object, ...]:
    """What has to be the same for figures to stand in one table."""
    names = ("fingerprint", "begun_with", "measured_name", "measured_texts")
    return (run.rule_version_id, *(run.config.get(name) for name in names))


def watch_comparison(store: Store, run_id: int) -> ModelComparison:
    """The comparison with what it has measured; one whose process has ended is marked as lost first."""
    recover(store)
    run = get_run(store, run_id)
    rules, *trained = trained_of(store, run_id) or (None,)
    done = tuple(one for one in trained if one is not None)
    # How many of them Ray trains at a time changes with what else its cluster does.
    left = None if run.is_over or cluster_of(run) is not None else _remaining(run, done)
    number = None if run.rule_version_id is None else get_version(store, run.rule_version_id).number
    return ModelComparison(run, rules, done, left, number)


def expected_comparison_seconds(store: Store, project_id: int, request: ComparisonRequest) -> float | None:
    """How long a comparison would take by what earlier ones of the project took; None where there is none."""
    done = [one for run in list_runs(store, project_id, COMPARISON) for one in trained_of(store, run.id) if one.seconds]
    return sum(_seconds_of(trainings_of(asdict(request)), done)) if done else None


def trainings_csv(found: ModelComparison) -> str:
    """Every training in a line, the rules alone in front; what a spreadsheet would run is guarded. What a training did
    not keep is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    config, number = found.run.config, found.rules_number
    columns = ("system", "texts", "seed", config["measure"], "seconds", "measured on")
    writer.writerow((*columns, "word vectors", "rules version", "program version"))
    version = "" if number is None else f"v{number}"
    rules = () if found.rules_alone is None else (found.rules_alone,)
    for one in (*rules, *found.trained):
        figures = (system_name(one.system), one.texts, one.seed, one.value, one.seconds, config["measured"])
        writer.writerow([guard(str(cell)) for cell in (*figures, one.vectors, version, one.code)])
    return text.getvalue()


def _remaining(run: RunRecord, done: Sequence[Trained]) -> Remaining | None:
    """By the seconds that each system took so far; None before one is trained."""
    over = {(one.system, one.texts, one.seed) for one in done}
    left = [training for training in trainings_of(run.config) if training not in over]
    if not done:
        return None
    return remaining_time(_seconds_of(left, done), seconds_since_step(run, max(one.ended for one in done)))


def _seconds_of(trainings: Sequence[tuple[str, int, int]], done: Sequence[Trained]) -> list[float]:
    """Of each training. Systems that were never trained take as long as the others do on the average."""
    measured: dict[str, dict[int, list[float]]] = {}
    for one in done:
        measured.setdefault(one.system, {}).setdefault(one.texts, []).append(one.seconds)
    took = {
        system: {texts: fmean(own[-_RECENT:]) for texts, own in found.items()} for system, found in measured.items()
    }
    return [
        _expected(took[system], amount) if system in took else fmean(_expected(own, amount) for own in took.values())
        for system, amount, _ in trainings
    ]


def _expected(took: Mapping[int, float], amount: int) -> float:
    """From the seconds for the nearest amount that was measured, in proportion to the texts. (With the sample
    about flights 200 texts took four to 25 times as long as 20.)"""
    nearest = min(took, key=lambda texts: (abs(texts - amount), -texts))
    return took[nearest] * amount / nearest
