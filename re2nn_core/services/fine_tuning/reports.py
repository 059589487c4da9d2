"""What training runs of projects for labels and for slots have in common: settings, progress, result."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from re2nn_core.errors import ModelError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.store import RunRecord
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch, OnEpoch

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report

KEPT = "kept"  # in a point of a run's curve: the epoch that would be kept, were this one the last
DEV_NAME = "dev_name"  # there too: what its dev figure is called

Network = TypeVar("Network", NetworkConfig, TaggerConfig)


def stored_settings(kind: type[Network], run: RunRecord) -> tuple[Network, TrainConfig]:
    """The settings a run was started with. InputError where they are of another version."""
    network = config_from(kind, run.config.get("network", {}))
    return network, config_from(TrainConfig, run.config.get("train", {}))


def epochs_told(report: Report, epochs: int, dev: str) -> OnEpoch:
    """Keeps each epoch as a point of the run's curve, and tells how far it is; `dev` names its dev figure."""

    def on_epoch(epoch: Epoch, best: int) -> None:
        report.point(epoch.epoch, {**asdict(epoch), KEPT: best, DEV_NAME: dev})
        report.progress(epoch.epoch, epochs, f"epoch {epoch.epoch}; kept so far: epoch {best}")

    return on_epoch


class FinishedTraining(Protocol):
    """The report of a training of either task, a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def dev(self) -> float | None:
        """The figure on dev."""


def run_result(done: FinishedTraining) -> dict[str, Any]:
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
