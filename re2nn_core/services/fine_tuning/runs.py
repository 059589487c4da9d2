"""Training runs of a project: started, watched while they work, compared when they are done."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.jobs.launch import launch
from re2nn_core.jobs.recover import recover
from re2nn_core.jobs.report import ENDED, seconds_since_step
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.model_folder import DESCRIPTION
from re2nn_core.services.fine_tuning.dev_figures import (
    DEV,
    LEARNED_FROM,
    TEST,
    USED_FOR_SUGGESTING,
    dev_of,
    figure_today,
)
from re2nn_core.services.fine_tuning.job import training_of
from re2nn_core.services.fine_tuning.manual_overrides import KEY_MANUAL_OVERRIDES as KEY_BY_HAND
from re2nn_core.services.fine_tuning.objective import KEY_OBJECTIVE, Objective, objective_of
from re2nn_core.services.fine_tuning.reports import DEV_NAME, EPOCH, KEPT, learns_spans
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.run_figures import epoch_dev_name, measured_texts, run_dev_name
from re2nn_core.services.fine_tuning.run_material import policy_of
from re2nn_core.services.fine_tuning.stored_runs import version_of_run
from re2nn_core.services.team.people import require_role
from re2nn_core.store import (
    Policy,
    RunRecord,
    RunState,
    Store,
    TextRecord,
    add_point,
    create_run,
    get_run,
    get_version,
    list_runs,
    list_versions,
    points,
)
from re2nn_core.text.counting import counted
from re2nn_core.text.remaining_time import Remaining, remaining_time
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch
from re2nn_core.training.resuming import CHECKPOINT

KIND = "train"
# Epochs whose mean time tells how long the rest will take: the newest ones, since the first is slower.
_TIMED_EPOCHS = 5


def start_training(
    store: Store,
    project_id: int,
    version_id: int,
    network: NetworkConfig | TaggerConfig,
    train: TrainConfig,
    *,
    person: str,
    manual_overrides: Collection[str] = (),
    objective: Objective | None = None,
) -> RunRecord:
    """Start the process of a training on the project's labels, or on its spans. `manual_overrides`: settings of a
    training on labels that the training plan leaves as they are. `objective`: what was chosen to train for. InputError
    where it cannot be started."""
    require_role(store, person, "reviewer", "start a training")
    config: dict[str, Any] = {"network": asdict(network), "train": asdict(train), "threads": max(1, train.threads)}
    if manual_overrides and not isinstance(network, TaggerConfig):
        config[KEY_BY_HAND] = sorted(manual_overrides)
    if objective is not None:
        config[KEY_OBJECTIVE] = objective
    run = create_run(store, project_id, KIND, rule_version_id=version_id, config=config, person=person)
    launch(store, run.id)
    return get_run(store, run.id)


def newest_objective(store: Store, project_id: int) -> Objective | None:
    """What the project's newest training is for; None where there is none, or where it is older than this note. Of
    slots the settings tell it then."""
    trained = (run for run in list_runs(store, project_id, KIND) if edit_of(run) is None)
    if (run := next(trained, None)) is None:
        return None
    return objective_of(run.config) or training_of(run).unnoted_objective(run)


def fingerprint(records: Sequence[TextRecord]) -> str:
    """A short value that changes with every text, label and split: what figures were measured on."""
    digest = hashlib.sha256()
    for record in records:
        digest.update(f"{record.id}\t{record.split}\t{record.label}\n".encode())
    return digest.hexdigest()[:16]


def run_numbers(store: Store, project_id: int) -> dict[int, int]:
    """The number of each training run within its project, counted from 1, by id: what people call it."""
    ids = sorted(run.id for run in list_runs(store, project_id, KIND))
    return {run_id: number for number, run_id in enumerate(ids, start=1)}


def run_names(store: Store, project_id: int) -> dict[int, str]:
    """What each training run is called wherever it is named with the version that it came from, by id: `run 1, rules
    v4`."""
    versions = {version.id: version.number for version in list_versions(store, project_id)}
    numbers = run_numbers(store, project_id)
    return {
        run.id: f"run {numbers[run.id]}, rules v{versions[run.rule_version_id]}"
        if run.rule_version_id in versions
        else f"run {numbers[run.id]}"
        for run in list_runs(store, project_id, KIND)
    }


def number_of(store: Store, run: RunRecord) -> int:
    """The number of one training run within its project."""
    return run_numbers(store, run.project_id).get(run.id, run.id)


def changed_nothing(run: RunRecord) -> bool:
    """True for a finished run of which no epoch did better on dev than the rules as written."""
    result = run.result or {}
    return run.state == "done" and result.get("best_epoch") == 0 and not result.get("linear_weight")


def keeps_rules_and_layer(run: RunRecord) -> bool:
    """True for a finished run that has the transitions of the rules as written, with a linear layer in addition."""
    result = run.result or {}
    return run.state == "done" and result.get("best_epoch") == 0 and bool(result.get("linear_weight"))


def can_resume_run(store: Store, run: RunRecord) -> bool:
    """True for a lost or cancelled run with a checkpoint, as long as no text and no label has changed since."""
    if run.state not in ("lost", "cancelled") or not (run.folder / CHECKPOINT).is_dir():
        return False
    return training_of(run).resumes(store, run, version_of_run(store, run))


def resume_run(store: Store, run: RunRecord, *, person: str) -> RunRecord:
    """Start a new run that goes on from the last whole epoch of a lost or cancelled one.
    InputError where it cannot be continued."""
    require_role(store, person, "reviewer", "start a training")
    if not can_resume_run(store, run):
        raise InputError(
            f"Run {number_of(store, run)} cannot be continued: it is {run.state}, "
            "or texts or labels have changed since.\nStart a new run."
        )
    new = create_run(store, run.project_id, KIND, rule_version_id=run.rule_version_id, config=run.config, person=person)
    new.folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(run.folder / CHECKPOINT, new.folder / CHECKPOINT)
    for point in points(store, run.id):
        add_point(store, new.id, point.step, point.metrics)
    launch(store, new.id)
    return get_run(store, new.id)


@dataclass(frozen=True)
class Watched:
    """A run as it is now. `epochs[0]` is the untrained network; `remaining` counts all epochs there may be, and is
    None behind them; `kept` is the epoch that would be kept, were the last one here the last of all. `epoch_dev` is
    what the dev figure of each epoch is called, `dev_name` that of the network that was kept."""

    run: RunRecord
    epochs: tuple[Epoch, ...]
    remaining: Remaining | None
    kept: int | None = None
    epoch_dev: str = DEV
    dev_name: str = DEV

    @property
    def has_dev(self) -> bool:
        """Whether there are dev texts; without them an epoch's figures on dev are 0."""
        return any(epoch.dev or epoch.dev_loss for epoch in self.epochs)

    @property
    def counts_epochs(self) -> bool:
        """Whether the steps of the run are epochs; else its message names what they are."""
        return not self.run.message or self.run.message.startswith(EPOCH)

    @property
    def best(self) -> Epoch | None:
        """The epoch whose network a finished run has; until then the one that would be kept. Runs of earlier versions
        do not tell it: the one that is best on dev, the lowest loss of equals."""
        kept = (self.run.result or {}).get("best_epoch", self.kept)
        if kept is not None and 0 <= kept < len(self.epochs):
            return self.epochs[kept]
        return max(self.epochs, key=lambda epoch: (epoch.dev, -epoch.dev_loss), default=None)


def watch(store: Store, run_id: int) -> Watched:
    """The run with its curve; one whose process has ended is marked as lost first."""
    recover(store)
    run = get_run(store, run_id)
    reported = points(store, run_id)
    epochs = tuple(_epoch(point.metrics) for point in reported)
    newest = reported[-1].metrics if reported else {}
    name = None if DEV_NAME not in newest else figure_today(newest[DEV_NAME])
    return Watched(
        run,
        epochs,
        None if run.is_over else _remaining(run, epochs, newest.get(ENDED, 0.0)),
        newest.get(KEPT),
        epoch_dev_name(run, name),
        run_dev_name(run, name),
    )


def has_moved_on(store: Store, seen: Mapping[int, RunState]) -> bool:
    """Whether one of these runs, by id, is in another state by now; one whose process has ended is marked as lost
    first."""
    recover(store)
    return any(get_run(store, run_id).state != state for run_id, state in seen.items())


def _epoch(metrics: dict[str, Any]) -> Epoch:
    # A number that was not finite is stored as None.
    return Epoch(**{field.name: metrics.get(field.name) or 0 for field in fields(Epoch)})


def _remaining(run: RunRecord, epochs: Sequence[Epoch], ended: float) -> Remaining | None:
    timed = [epoch.seconds for epoch in epochs if epoch.epoch > 0][-_TIMED_EPOCHS:]
    if not timed or not run.total or not run.message.startswith(EPOCH):
        return None
    steps = [sum(timed) / len(timed)] * max(0, run.total - len(epochs) + 1)
    return remaining_time(steps, seconds_since_step(run, ended))


@dataclass(frozen=True)
class RunSummary:
    """One run beside others. Accuracies are shares of 1; `parameters` counts those that could be trained, None where
    the run did not note it; `settings` names what was changed from the defaults, and which labels trained where that
    was not every one; `edit` says what an edit without training did to which run, and is empty for a training. `turns`:
    it has learned from dev texts as well as from the `train_size` ones, and an edit of it has no dev figure
    (`learned_from_dev`). `dev_name`: what both dev figures are called; `dev_texts`, `test_texts`: how many texts they
    are measured on, None where the run did not note it."""

    id: int
    number: int
    state: RunState
    version: int | None
    created_at: datetime
    seconds: float | None
    zero_dev: float | None
    dev: float | None
    zero_test: float | None
    test: float | None
    epochs: int | None
    best_epoch: int | None
    train_size: int | None
    parameters: int | None
    vectors: str
    device: str
    recipe: str
    settings: tuple[str, ...]
    edit: str = ""
    turns: bool = False
    dev_name: str = DEV
    dev_texts: int | None = None
    test_texts: int | None = None

    @property
    def learned_from(self) -> str:
        """How many texts it has learned from, empty where that is not known."""
        if not self.train_size:
            return ""
        if not self.turns:
            return f"{self.train_size:,}"
        if not self.dev_texts:
            return f"{self.train_size:,} + dev"
        # Out-of-fold figures are of train and dev texts together.
        return f"{self.dev_texts + (self.train_size if self.dev_name == LEARNED_FROM else 0):,}"


def run_rows(store: Store, project_id: int) -> tuple[RunSummary, ...]:
    """The project's training runs, the newest first."""
    numbers = run_numbers(store, project_id)
    return tuple(_row(store, run, numbers) for run in list_runs(store, project_id, KIND))


def finished_runs(store: Store, project_id: int) -> tuple[RunRecord, ...]:
    """The runs that ended with a trained network, the newest first."""
    return tuple(run for run in list_runs(store, project_id, KIND) if run.state == "done")


def _row(store: Store, run: RunRecord, numbers: Mapping[int, int]) -> RunSummary:
    result = run.result or {}
    zero_dev, dev = dev_of(result)
    zero = result.get("zero_shot") or {}
    edit = edit_of(run)
    return RunSummary(
        id=run.id,
        number=numbers.get(run.id, run.id),
        state=run.state,
        version=None if run.rule_version_id is None else get_version(store, run.rule_version_id).number,
        created_at=run.created_at,
        seconds=None if edit is not None else _seconds(run),
        zero_dev=zero_dev,
        dev=dev,
        zero_test=zero.get("test"),
        test=result.get("test"),
        epochs=result.get("epochs"),
        best_epoch=result.get("best_epoch"),
        train_size=result.get("train_size"),
        parameters=result.get("parameters"),
        vectors=str(result.get("vectors", "")),
        device=str(result.get("device", "")),
        recipe=str(result.get("recipe", "")),
        settings=(*_policy_in_words(run), *changed_run_settings(run)),
        edit="" if edit is None else f"run {numbers.get(edit.former, edit.former)}, edited: {edit.words}",
        turns=bool(result.get("turns")),
        dev_name=run_dev_name(run),
        dev_texts=measured_texts(run, run_dev_name(run)),
        test_texts=measured_texts(run, TEST),
    )


def _seconds(run: RunRecord) -> float | None:
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()


def changed_run_settings(run: RunRecord) -> tuple[str, ...]:
    """What a run's settings have other than the defaults, or set by hand, as `Batch size: 64`; for slots, other than
    what its objective begins with, which is named where it is accuracy."""
    return training_of(run).changed_settings(run)


def _policy_in_words(run: RunRecord) -> tuple[str, ...]:
    """Which labels trained, where that was not every one."""
    policy = policy_of(run)
    return (f"on {policy}",) if policy not in ("", Policy().in_words) else ()


def settings_of_run(run: RunRecord) -> tuple[NetworkConfig | TaggerConfig, TrainConfig]:
    """The settings a run was started with. InputError where they are of another version."""
    return training_of(run).settings(run)


def bundle_stamp(folder: Path) -> int | None:
    """Changes whenever a run's network is written; None while there is none."""
    path = folder / DESCRIPTION
    return path.stat().st_mtime_ns if path.is_file() else None


def run_state_in_words(run: RunRecord, *, goes_on: bool = False) -> str:
    """Where a run stands and what can be done, in words. `goes_on`: it can be taken up again (`can_resume_run`)."""
    if run.state == "queued":
        waits = "It starts as soon as no other training is running." if run.pid else "It is being started."
        return f"Waiting. {waits} You can leave this page."
    if run.state == "running":
        if run.cancel_requested:
            return "Stopping after this step."
        return f"Running: {run.message or 'reading the texts'}. You can leave this page."
    if run.state == "lost":
        advice = "Its checkpoint is kept: continue from there." if goes_on else "Start a new run."
        why = "perhaps because the computer was restarted or a disk was full"
        return f"The process of this training ended unexpectedly, {why}. {advice}"
    if run.state == "failed":
        return run.error or "The training failed; the reason is in the run's log on the server."
    if run.state == "cancelled":
        advice = " Its checkpoint is kept: continue from there." if goes_on else ""
        when = "" if run.step else " before its first epoch"
        return f"Cancelled{when}. There is no trained network of this run.{advice}"
    if (edit := edit_of(run)) is not None:
        return f"Edited without training: {edit.words}."
    if changed_nothing(run):
        advice = training_of(run).advice(run)
        return f"Done. Your rules are kept: {_why_nothing(run)}. {advice}"
    return f"Done. {_kept_epoch(run)}".strip()


def _why_nothing(run: RunRecord) -> str:
    if epoch_dev_name(run) == USED_FOR_SUGGESTING:
        return "they were suggested from the labelled texts, so these texts show no gain over them"
    count = measured_texts(run, epoch_dev_name(run))
    texts = counted(count, "held-out text") if count else "held-out texts"
    return f"{texts} {'does' if count == 1 else 'do'} not show that the trained network is better"


def _kept_epoch(run: RunRecord) -> str:
    """Which epoch's network was kept, and why none of those behind it; empty where it is the last one."""
    best = (run.result or {}).get("best_epoch")
    if not isinstance(best, int) or not best < (run.result or {}).get("epochs", run.step):
        return ""
    if keeps_rules_and_layer(run):
        return "Your rules with a linear layer are kept: held-out texts do not show that the trained network is better."
    measured = f"{epoch_dev_name(run)} {'F1' if learns_spans(run) else 'accuracy'}"
    return f"The network of epoch {best} is kept: later epochs did not improve the {measured}."
