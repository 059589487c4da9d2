"""What training runs of projects for labels and for slots have in common: settings, progress, result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from re2nn_core.errors import ModelError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.manual_overrides import manual_overrides_of, run_settings
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.training_report import TrainingReport
from re2nn_core.store import TASK_KEY, RuleVersion, RunRecord, Store
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch, OnEpoch

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report

KEPT = "kept"  # in a point of a run's curve: the epoch that would be kept, were this one the last
EPOCH = "epoch "  # the progress of a run whose steps are epochs begins with this
DEV_NAME = "dev_name"  # there too: what its dev figure is called

Network = TypeVar("Network", NetworkConfig, TaggerConfig)


@dataclass(frozen=True)
class TaskTraining:
    """What the training runs of one task do in their own way."""

    settings: Callable[[RunRecord], tuple[NetworkConfig | TaggerConfig, TrainConfig]]  # that it was started with
    defaults: Callable[[], tuple[NetworkConfig | TaggerConfig, TrainConfig]]  # settings where nobody has chosen any
    train: Callable[[Store, RunRecord, RuleVersion, Report], Mapping[str, Any]]  # the job
    resumes: Callable[[Store, RunRecord, RuleVersion], bool]  # whether a checkpoint is one of these rules and texts
    changed_settings: Callable[[RunRecord], tuple[str, ...]]  # other than the defaults, as `Batch size: 64`
    unnoted_objective: Callable[[RunRecord], Objective | None]  # of a run that did not note it
    advice: Callable[[RunRecord], str]  # what to do behind a training that did not help
    learned_from_dev: Callable[[RunRecord, Callable[[], Corpus]], bool]


def task_of_run(run: RunRecord) -> Task:
    """What a run learns."""
    return Task.SLOT_FILLING if run.config.get(TASK_KEY) == Task.SLOT_FILLING else Task.CLASSIFICATION


def learns_spans(run: RunRecord) -> bool:
    """Whether a run learns spans; otherwise it learns labels."""
    return task_of_run(run) == Task.SLOT_FILLING


def stored_settings(kind: type[Network], run: RunRecord) -> tuple[Network, TrainConfig]:
    """The settings a run was started with. InputError where they are of another version."""
    network = config_from(kind, run.config.get("network", {}))
    return network, config_from(TrainConfig, run.config.get("train", {}))


def differing_from(run: RunRecord, network: NetworkConfig | TaggerConfig, train: TrainConfig) -> list[tuple[str, Any]]:
    """The names and values of a run's settings that are other than these, or were set by hand."""
    manual_overrides = manual_overrides_of(run)
    return [
        (name, given)
        for part, begins in (("network", network), ("train", train))
        for name, value in asdict(begins).items()
        if (given := run_settings(run, part).get(name, value)) != value
        or (part == "train" and name in manual_overrides)
    ]


def differing_in_words(run: RunRecord, network: NetworkConfig | TaggerConfig, train: TrainConfig) -> tuple[str, ...]:
    """The same, by the names on the page: `Batch size: 64`."""
    return tuple(setting_in_words(name, given) for name, given in differing_from(run, network, train))


def epochs_reported(report: Report, epochs: int, dev: str) -> OnEpoch:
    """Keeps each epoch as a point of the run's curve, and tells how far it is; `dev` names its dev figure."""

    def on_epoch(epoch: Epoch, best: int) -> None:
        report.point(epoch.epoch, {**asdict(epoch), KEPT: best, DEV_NAME: dev})
        report.progress(epoch.epoch, epochs, f"{EPOCH}{epoch.epoch}, best so far: epoch {best}")

    return on_epoch


def run_result(done: TrainingReport) -> dict[str, Any]:
    """What is kept of a run that is done; "accuracy", which lists of runs show, is the figure on dev."""
    result = asdict(done)
    result.pop("history")
    result["accuracy"] = done.dev
    return result


def damaged_network(
    run: int, advice: str = "Train it again on the page Fine-tune, or choose another model."
) -> ModelError:
    """What to tell of a network of a run, by its number, that cannot be read. Where it lies is the server's own
    affair."""
    return ModelError(
        f"The network of run {run} is missing or damaged, or another version of this program wrote it.\n{advice}"
    )
