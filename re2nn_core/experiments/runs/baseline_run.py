"""One run of a baseline: for one seed draw the examples, train, measure before and after.

Without training texts nothing is learned, as in the papers' zero-shot rows, unless the system is a +u one: then all of
train is learned from with the rules' predictions, of which every tenth text decides when to stop (Jiang et al., EMNLP
2020, section 4.3: no labelled text takes part, of dev neither). With training texts a +u system learns from the rest of
train, too.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace

from re2nn_core.baselines.fit import fit
from re2nn_core.baselines.lesson import Lesson, predictions_of
from re2nn_core.baselines.network import Baseline
from re2nn_core.baselines.texts import Numbers
from re2nn_core.experiments.datasets.portions import draw_portion, measured_set
from re2nn_core.experiments.datasets.slot_filling import draw_slots
from re2nn_core.experiments.runs.baseline_cell import BaselineCell, BaselineSystem, SlotBaselineCell
from re2nn_core.experiments.runs.baseline_lessons import MEASURED, Lessons
from re2nn_core.experiments.runs.baseline_texts import LabelTexts, Reading, SlotTexts
from re2nn_core.experiments.runs.classification import LabelRecord, OnEpoch, ShouldStop
from re2nn_core.experiments.runs.figures import figures_of
from re2nn_core.experiments.runs.slot_filling import SlotRecord, rules_on_test, slot_figures_of
from re2nn_core.text.corpus import Example
from re2nn_core.training.loop import TrainResult

HELD_OUT = 10  # where only the rules' predictions are learned, one text in so many decides when to stop
NO_TRAINING = "no training: the network as it was drawn."
_DIGITS = 4


@dataclass(frozen=True)
class Given:
    """What a run has. `dev` decides when to stop, but where there are no training texts, where it is measured alone;
    `predicted` are texts with the rules' predictions (+u)."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    predicted: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Ran:
    """A network and its predictions for test before and after training; `dev` is its figure on dev, as a share of 1.
    `result` is None where nothing was trained."""

    network: Baseline
    lessons: Lessons
    test: Lesson
    before: list[Numbers]
    after: list[Numbers]
    dev: float | None
    result: TrainResult[Baseline] | None
    seconds: float
    recipe: str


def run_texts(
    cell: BaselineSystem,
    seed: int,
    reading: Reading,
    given: Given,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: ShouldStop | None = None,
) -> Ran:
    """Build the network, train it on what is given, predict test. Cancelled when `should_stop()`."""
    config = replace(cell.config, seed=seed)
    began = time.perf_counter()
    train, stop, predicted = given.train, given.dev, given.predicted
    if predicted and not train:
        stop = predicted[::HELD_OUT]
        predicted = tuple(example for number, example in enumerate(predicted) if number % HELD_OUT)
    lessons = Lessons(cell.spec, config, reading, [*train, *given.dev, *given.predicted, *given.test])
    network = lessons.network()
    dev, test = lessons.lesson(given.dev), lessons.lesson(given.test)
    before, _ = predictions_of(network, test)
    if not train and not predicted:
        return Ran(network, lessons, test, before, before, _figure(network, dev), None, 0.0, NO_TRAINING)
    weights = [1.0] * len(train) + [config.unlabelled if train else 1.0] * len(predicted)
    lesson = lessons.lesson([*train, *predicted], weights, MEASURED)
    learned = fit(network, lesson, lessons.lesson(stop), on_epoch=on_epoch, should_stop=should_stop)
    after, _ = predictions_of(network, test)
    seconds = time.perf_counter() - began
    recipe = f"{len(train):,} texts, {len(predicted):,} with the rules' predictions; {len(stop):,} decide when to stop."
    return Ran(network, lessons, test, before, after, _figure(network, dev), learned.result, seconds, recipe)


def _figure(network: Baseline, lesson: Lesson) -> float | None:
    """Accuracy or F1 of spans, as a share of 1; None for no texts."""
    return lesson.measure([network])[0] if len(lesson) else None


def run_baseline_seed(
    cell: BaselineCell, seed: int, *, on_epoch: OnEpoch | None = None, should_stop: ShouldStop | None = None
) -> LabelRecord:
    """InputError where there is too little to learn from; Cancelled when `should_stop()`."""
    drawn = draw_portion(cell.data, cell.portion, seed)
    data = measured_set(cell.data, drawn)
    reading = LabelTexts(data.system, [example.label or "" for example in drawn.train])
    predicted = reading.predicted(drawn.rest) if cell.spec.unlabelled else ()
    given = Given(drawn.train, drawn.dev if cell.portion else data.dev, data.test, predicted)
    ran = run_texts(cell, seed, reading, given, on_epoch=on_epoch, should_stop=should_stop)
    figures, labels = figures_of(_labels(ran, ran.after), data, dev=ran.dev)
    zero_shot, _ = figures_of(_labels(ran, ran.before), data, dev=None)
    parameters = sum(p.numel() for p in ran.network.parameters() if p.requires_grad)
    return LabelRecord(
        seed=seed,
        **asdict(figures),
        zero_shot=zero_shot,
        epochs=len(ran.result.history) - 1 if ran.result else 0,
        best_epoch=ran.result.best if ran.result else 0,
        seconds=round(ran.seconds, 2),
        recipe=ran.recipe,
        train_size=len(drawn.train),
        dev_size=len(drawn.dev),
        drawn=drawn.digest,
        parameters=parameters,
        free_parameters=parameters,
        vectors=ran.lessons.vectors_name,
        device=ran.result.device if ran.result else "cpu",
        notes=tuple(filter(None, [ran.result.warning if ran.result else ""])),
        labels=labels,
    )


def run_slot_baseline_seed(
    cell: SlotBaselineCell, seed: int, *, on_epoch: OnEpoch | None = None, should_stop: ShouldStop | None = None
) -> SlotRecord:
    """The same for slots."""
    data = cell.data
    drawn = draw_slots(data, cell.amount, seed)
    taken = set(drawn.train)
    reading = SlotTexts(data.system, drawn.train)
    rest = [example for example in data.train if example not in taken] if cell.spec.unlabelled else []
    given = Given(drawn.train, drawn.dev if cell.amount else data.dev, data.test, reading.predicted(rest))
    ran = run_texts(cell, seed, reading, given, on_epoch=on_epoch, should_stop=should_stop)
    tags = ran.test.tags or []
    return SlotRecord(
        seed=seed,
        test=slot_figures_of(tags, ran.test.names_of(ran.after)),
        rules=rules_on_test(data),
        zero_shot=slot_figures_of(tags, ran.test.names_of(ran.before)),
        disagree=0,
        dev=None if ran.dev is None else round(100 * ran.dev, _DIGITS),
        epochs=len(ran.result.history) - 1 if ran.result else 0,
        best_epoch=ran.result.best if ran.result else 0,
        seconds=round(ran.seconds, 2),
        train_size=len(drawn.train),
        dev_size=len(drawn.dev),
        parameters=sum(p.numel() for p in ran.network.parameters() if p.requires_grad),
        vectors=ran.lessons.vectors_name,
        recipe=ran.recipe,
    )


def _labels(ran: Ran, predictions: list[Numbers]) -> list[str | None]:
    return [None if one[0] < 0 else ran.test.names[one[0]] for one in predictions]
