"""A training and how far of it held-out texts confirm; where they confirm nothing, once more at higher rates.

Low learning rates keep few texts from spoiling the rules (training_plan.py), and some rules would stay as they are by
them: with 200 texts of SMS nothing was certain in two of three draws (dev 92.6 by the rules), and rates four times as
high then reached 97.2 and 97.4. Taken at once they lose where the low ones gain (TREC 62.2, 52.8 and 60.0 in the place
of 64.4, 61.8 and 64.4). So they come second, within the epochs that the first have left, and must gain twice the error
on the same held-out texts (step.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import choose_auxiliary_weight
from re2nn_core.services.fine_tuning.classification.step_size import StepSize, choose_step_size
from re2nn_core.services.fine_tuning.training_plan import HIGHER, TrainingPlan
from re2nn_core.training.examples import EncodedExamples, TrainingPart
from re2nn_core.training.learner import ShouldStop
from re2nn_core.training.loop import Ending, Epoch, OnEpoch, TrainResult, train_parts
from re2nn_core.training.resuming import SECOND


@dataclass(frozen=True)
class Attempt:
    """How a training went, the bundle that is kept of it, and how far it moved from the rules (None: no text decided).
    `again`: higher rates were tried too, after the first had kept the rules."""

    result: TrainResult[FaRnn]
    bundle: Bundle
    step: StepSize | None
    again: bool = False

    @property
    def in_words(self) -> str:
        """That the kept weights come from the second try, as a sentence; empty where they do not."""
        if not self.again or not self.bundle.trained:
            return ""
        higher = f"rates {HIGHER:g} times as high"
        return f"Low learning rates changed nothing for certain; these weights come from {higher}."

    @property
    def members(self) -> tuple[Mapping[str, Tensor], ...]:
        """Of a cross-validation that ends with mean weights, those of each fold's network at the step that is kept,
        without a linear layer's: it has not learned from its fold, and the mean network has. Empty elsewhere."""
        folds = self.result.members
        if self.step is None or not self.step.share or self.bundle.copies or len(folds) < 2:
            return ()
        rules = {name: one for name, one in self.result.initial.items() if not name.startswith("linear.")}
        return tuple({name: one.lerp(fold[name], self.step.share) for name, one in rules.items()} for fold in folds)


def learn(
    bundle: Bundle,
    parts: Sequence[TrainingPart[FaRnn]],
    held_out: Sequence[EncodedExamples],
    plan: TrainingPlan,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
    folder: Path | None = None,
) -> Attempt:
    """Train the networks of a bundle by a plan. `parts`: what each member learns from; `held_out`: the texts that
    decide, for each member its own, or one share for all. Checkpoints go to `folder`, those of a second try to one in
    it. Cancelled."""
    settings = bundle.network.config
    first = _learned(bundle, parts, held_out, plan, on_epoch, should_stop, folder)
    done = len(first.result.history) - 1
    if first.result.given_up or (first.step is not None and first.step.missing):
        return first
    if first.bundle.trained or plan.higher is None or done >= plan.config.epochs or first.result.warning:
        return first
    second = _learned(
        with_config(bundle, settings),
        parts,
        held_out,
        replace(plan, config=replace(plan.higher, epochs=plan.config.epochs - done)),
        None if on_epoch is None else _behind(on_epoch, done),
        should_stop,
        folder and folder / SECOND,
        further=True,
    )
    if not second.bundle.trained:
        return replace(first, again=True, bundle=second.bundle)
    history = (*first.result.history, *(_later(epoch, done) for epoch in second.result.history[1:]))
    result = replace(second.result, history=history, best=second.result.best + done)
    return replace(second, result=result, again=True)


def _learned(
    bundle: Bundle,
    parts: Sequence[TrainingPart[FaRnn]],
    held_out: Sequence[EncodedExamples],
    plan: TrainingPlan,
    on_epoch: OnEpoch | None,
    should_stop: ShouldStop | None,
    folder: Path | None,
    *,
    further: bool = False,
) -> Attempt:
    result = train_parts(
        bundle.network,
        parts,
        plan.config,
        ending=Ending(plan.steady, plan.sooner, plan.given),
        on_epoch=on_epoch,
        should_stop=should_stop,
        folder=folder,
    )
    trained = replace(bundle, copies=result.copies, trained=result.best > 0, config=bundle.network.config)
    if not trained.trained or result.given_up:
        return Attempt(result, trained, None)
    trained, _ = choose_auxiliary_weight(trained, held_out)
    trained, step = choose_step_size(trained, result, held_out, further=further)
    return Attempt(result if trained.trained else replace(result, best=0), trained, step)


def _behind(on_epoch: OnEpoch, done: int) -> OnEpoch:
    """Epochs that are reported as those after so many; their epoch 0 was reported before."""

    def later(epoch: Epoch, best: int) -> None:
        if epoch.epoch:
            on_epoch(_later(epoch, done), best + done if best else 0)

    return later


def _later(epoch: Epoch, done: int) -> Epoch:
    return replace(epoch, epoch=epoch.epoch + done)
