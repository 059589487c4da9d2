"""What trainings of both tasks share: their report, and how they end in the folder of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from torch import nn

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.services.fine_tuning.dev_figures import FigurePair
from re2nn_core.services.fine_tuning.training_texts import forget_training_texts, keep_training_texts
from re2nn_core.text.corpus import Example
from re2nn_core.training.loop import Epoch, TrainResult
from re2nn_core.training.resuming import release

AnyBundle = TypeVar("AnyBundle", Bundle, TaggerBundle)


@dataclass(frozen=True)
class TrainingReport:
    """What a training did. Its figures (accuracy, or F1 of spans) are shares of 1, None where there are no such texts.
    `recipe` says how it trained and why, `notes` what else the user should know; `figures`: before and after, each
    named by what it is measured on."""

    model: str
    device: str
    epochs: int
    best_epoch: int
    train_size: int
    zero_shot: Mapping[str, float | None]
    dev: float | None
    test: float | None
    history: tuple[Epoch, ...]
    recipe: str
    vectors: str
    parameters: int = 0
    notes: tuple[str, ...] = ()
    figures: tuple[FigurePair, ...] = ()


def of_loop(folder: Path, result: TrainResult[Any], networks: Sequence[nn.Module]) -> dict[str, Any]:
    """The fields of a report that follow from the training loop. `networks`: those that are kept, all of one form."""
    return {
        "model": str(folder),
        "device": result.device,
        "epochs": len(result.history) - 1,
        "best_epoch": result.best,
        "history": result.history,
        "parameters": len(networks) * sum(p.numel() for p in networks[0].parameters() if p.requires_grad),
    }


def dev_before_and_after(result: TrainResult[Any], has_dev: bool) -> tuple[float | None, float | None]:
    """The dev figures of the untrained network and of the epoch that is kept; None without dev texts."""
    return (result.history[0].dev, result.history[result.best].dev) if has_dev else (None, None)


def finish(
    folder: Path,
    bundle: AnyBundle,
    report: TrainingReport,
    save: Callable[[Path, AnyBundle], None],
    texts: Iterable[Example],
) -> None:
    """Write the trained network with its report and the texts that were used for training, and remove the
    checkpoint."""
    figures = {key: value for key, value in asdict(report).items() if key != "model"}
    forget_training_texts(folder)
    save(folder, replace(bundle, figures={**bundle.figures, **figures}))
    keep_training_texts(folder, (example.text for example in texts))
    release(folder)
