"""Comparisons of systems as pages see them: started and watched. Stopped and taken up again they are like any series
(project_runs.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from re2nn_core.experiments.project_models import COMPARISON, Trained, check_wanted, material_of, trained_of
from re2nn_core.jobs import launch, recover
from re2nn_core.services.people import require_role
from re2nn_core.services.runs import fingerprint
from re2nn_core.services.settling import training_texts
from re2nn_core.store import RunRecord, Store, create_run, get_run, list_runs

# Trainings from few texts take long beside their size: they read what is measured on, too.
_FIXED = 200


@dataclass(frozen=True)
class Wish:
    """What is compared."""

    systems: tuple[str, ...]
    amounts: tuple[int, ...]
    seeds: int = 2

    @property
    def trainings(self) -> int:
        """How many there are."""
        return len(self.systems) * len(self.amounts) * self.seeds


@dataclass(frozen=True)
class Comparison:
    """A comparison as it is now. `rules` None until they are measured; `seconds_left` None until a training is over."""

    run: RunRecord
    rules: float | None
    trained: tuple[Trained, ...]
    seconds_left: float | None


def start_comparison(store: Store, project_id: int, version_id: int, wish: Wish, *, person: str) -> RunRecord:
    """Start its process. InputError where it cannot be started, with what is missing."""
    require_role(store, person, "reviewer", "start a comparison")
    found = material_of(store, project_id, version_id)
    check_wanted(wish.systems, wish.amounts, wish.seeds, found)
    config = {
        "systems": list(wish.systems),
        "amounts": sorted(set(wish.amounts)),
        "seeds": wish.seeds,
        "threads": 1,
        "measured": found.in_words,
        "measured_name": found.measured,
        "measured_texts": len(found.data.test),
        "measure": "F1" if found.task == "slots" else "accuracy",
        "fingerprint": fingerprint(training_texts(store, project_id)),
    }
    run = create_run(store, project_id, COMPARISON, rule_version_id=version_id, config=config, person=person)
    launch(store, run.id)
    return get_run(store, run.id)


def watch_comparison(store: Store, run_id: int) -> Comparison:
    """The comparison with what it has measured; one whose process is gone is marked as lost first."""
    recover(store)
    run = get_run(store, run_id)
    rules, *trained = trained_of(store, run_id) or (None,)
    done = tuple(one for one in trained if one is not None)
    left = None if run.is_over else _seconds_left(run, done)
    return Comparison(run, None if rules is None else rules.value, done, left)


def newest_comparison(store: Store, project_id: int) -> RunRecord | None:
    """The one that was started last."""
    return next(iter(list_runs(store, project_id, COMPARISON)), None)


def _seconds_left(run: RunRecord, done: Sequence[Trained]) -> float | None:
    """By the seconds that a text took, of each system by itself where it has been trained already."""
    if not done:
        return None
    usual = fmean(_by_text(one) for one in done)
    own = {
        system: fmean(found)
        for system in run.config["systems"]
        if (found := [_by_text(one) for one in done if one.system == system])
    }
    left = [
        own.get(system, usual) * (amount + _FIXED)
        for amount in run.config["amounts"]
        for seed in range(run.config["seeds"])
        for system in run.config["systems"]
        if (system, amount, seed) not in {(one.system, one.texts, one.seed) for one in done}
    ]
    return sum(left)


def _by_text(one: Trained) -> float:
    return one.seconds / (one.texts + _FIXED)
