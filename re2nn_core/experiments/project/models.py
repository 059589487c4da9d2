"""Several systems side by side on a project's own texts, at several amounts of them: a process of its own.

What is measured on is set apart first and the same for all (data.py); of one seed a larger amount holds the
smaller ones. Ordinary networks need texts that decide when to stop: every fifth one that was drawn, since dev texts are
measured on alone. Each training is kept as soon as it is done, so that a stopped comparison goes on behind it. Those
of a comparison on Ray are all given to it at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from re2nn_core.baselines.encoder_linear import NAME as ENCODER
from re2nn_core.baselines.spec import is_baseline_name
from re2nn_core.embeddings.encoder_files import encoder_is_installed, find_encoder_files
from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.portions import draw_portion
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet, draw_slots
from re2nn_core.experiments.project.data import Measured, compared_slot_parts, measured_in_words
from re2nn_core.experiments.project.series import data_of
from re2nn_core.experiments.reproduce.measured import code_name
from re2nn_core.experiments.reproduce.runs.baselines import train_label_baseline, train_slot_baseline
from re2nn_core.experiments.reproduce.runs.classification import label_cell, rules_of_labels
from re2nn_core.experiments.reproduce.runs.slot_filling import rules_of_slots
from re2nn_core.experiments.reproduce.tables.systems import WITH_AUXILIARY
from re2nn_core.experiments.runs.baseline_predictions import baseline_predictions, with_held_out
from re2nn_core.experiments.runs.classification import run_seed
from re2nn_core.experiments.runs.figures import share_right
from re2nn_core.experiments.runs.slot_filling import SlotCell, run_slot_seed
from re2nn_core.experiments.studies.ray_seeds import trained_by_ray
from re2nn_core.jobs.ray_cluster import RayCluster
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective, objective_today
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.rule_systems.slot_filling.stored_spans import known_slots_of, span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import RunRecord, Store, get_project, get_version, latest_version, points
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report
    from re2nn_core.training.loop import Epoch

RULES = "rules"
OURS: tuple[str, ...] = OBJECTIVES  # our network, by what it is trained for
_ORDINARY = {
    Task.CLASSIFICATION: ("bigru", "bigru+i", "bigru+kd", "cnn", "dan"),
    Task.SLOT_FILLING: ("bigru", "bigru-crf", "bigru-crf+i"),
}
NAMES: Mapping[str, str] = {
    RULES: "the rules alone",
    "interpretable": "our network (interpretable)",
    "accuracy": "our network (accuracy)",
    ENCODER: "sentence encoder + linear layer",
}
_TITLES = {"bi": "Bi", "rnn": "RNN", "gru": "GRU", "lstm": "LSTM", "cnn": "CNN", "dan": "DAN", "crf": "CRF"}
MOST_SEEDS = 8
AMOUNTS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
RAY = "ray"  # in the settings of a run, where Ray trains
OnEpoch = Callable[["Epoch", int], None]
Training = tuple[str, int, int]  # system, texts, seed


@dataclass(frozen=True)
class Trained:
    """One training, or the rules alone (no texts). `value`: accuracy, or F1 of spans, in per cent. `vectors` are the
    word vectors by name, `code` is the version of this program; empty where an earlier version did not keep them."""

    system: str
    texts: int
    seed: int
    value: float
    seconds: float = 0.0
    vectors: str = ""
    code: str = ""
    ended: float = field(default=0.0, compare=False)  # in seconds since 1970; 0 where nobody kept it


@dataclass(frozen=True)
class ComparisonTexts:
    """The texts of a project for a comparison. `in_words` says what is measured on."""

    data: DataSet | SlotDataSet
    measured: Measured
    in_words: str

    @property
    def task(self) -> Task:
        """That of the texts."""
        return Task.SLOT_FILLING if isinstance(self.data, SlotDataSet) else Task.CLASSIFICATION


def systems_for(task: Task) -> tuple[str, ...]:
    """The systems that can be compared: our network, for labels the sentence encoder with a linear layer where it is
    installed, and the ordinary networks that this version has."""
    encoder = (ENCODER,) if task == Task.CLASSIFICATION and encoder_is_installed() else ()
    return (*OURS, *encoder, *(name for name in _ORDINARY[task] if is_baseline_name(name, task)))


def amounts_for(texts: int) -> tuple[int, ...]:
    """The amounts that can be drawn from so many texts, all of them last."""
    return (*(amount for amount in AMOUNTS if amount < 0.9 * texts), texts)


def usual_amounts(texts: int) -> tuple[int, ...]:
    """Four of them at most, spread over their range."""
    every = amounts_for(texts)
    if len(every) <= 4:
        return every
    step = (len(every) - 1) / 3
    return tuple(dict.fromkeys(every[round(number * step)] for number in range(4)))


def comparison_texts(store: Store, project_id: int, version_id: int | None) -> ComparisonTexts:
    """The texts of a project with the rules of a version (None: the newest). InputError where there are too few."""
    project = get_project(store, project_id)
    if project.task != Task.SLOT_FILLING:
        found = data_of(store, project_id, version_id)
        return ComparisonTexts(found.data, found.measured, measured_in_words(found.measured, len(found.data.test)))
    version = latest_version(store, project.id) if version_id is None else get_version(store, version_id)
    known = known_slots_of(store, project)
    parts, reported = compared_slot_parts(Corpus(span_examples_of(training_texts(store, project.id), known)))
    data = SlotDataSet(project.name, slot_system_of(project, version, known), parts.learn, (), parts.measure)
    return ComparisonTexts(data, parts.measured, reported)


def run_models(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """The job: every system from every amount by every seed, the smallest amounts first."""
    found = comparison_texts(store, run.project_id, run.rule_version_id)
    wanted = trainings_of(run.config)
    known = {_training(one): one for one in trained_of(store, run.id)}
    report.point(0, asdict(rules_result(found)))
    train_all = _train_here if (cluster := cluster_of(run)) is None else partial(_train_on, cluster)
    train_all(found, wanted, known, report)
    report.progress(len(wanted), len(wanted))
    return {"trained": [asdict(known[one]) for one in wanted]}


def cluster_of(run: RunRecord) -> RayCluster | None:
    """What trains a comparison: a Ray cluster; None for its own process."""
    return RayCluster(run.config.get("address")) if run.config.get("engine") == RAY else None


def _training(one: Trained) -> Training:
    return one.system, one.texts, one.seed


def _train_here(
    found: ComparisonTexts, wanted: Sequence[Training], known: dict[Training, Trained], report: Report
) -> None:
    done = sum(one in known for one in wanted)
    for number, (system, amount, seed) in enumerate(wanted, start=1):
        report.stop_if_asked()
        if (system, amount, seed) not in known:
            report_progress = partial(_report, report, done, len(wanted), system)
            report_progress(None, 0)
            known[system, amount, seed] = train_one(
                found, system, amount, seed, on_epoch=report_progress, should_stop=report.should_stop
            )
            done += 1
        report.point(number, asdict(known[system, amount, seed]))


def _train_on(
    cluster: RayCluster,
    found: ComparisonTexts,
    wanted: Sequence[Training],
    known: dict[Training, Trained],
    report: Report,
) -> None:
    places = {training: number for number, training in enumerate(wanted, start=1)}
    for training in known.keys() & places.keys():
        report.point(places[training], asdict(known[training]))
    missing = [training for training in wanted if training not in known]
    if not missing:
        return
    with cluster.connected(None) as processes:
        at_once = f"training {len(missing)} on Ray, {processes} at a time"
        report.progress(len(wanted) - len(missing), len(wanted), at_once)
        for one in trained_by_ray(partial(_train_wanted, found), missing, report.should_stop):
            known[_training(one)] = one
            report.point(places[_training(one)], asdict(one))
            report.progress(sum(training in known for training in wanted), len(wanted), at_once)


def _train_wanted(found: ComparisonTexts, training: Training) -> Trained:
    return train_one(found, *training)


def trainings_of(config: Mapping[str, Any]) -> list[Training]:
    """System, amount and seed of every training of a comparison, in the order in which they are run."""
    return [
        (system, amount, seed)
        for amount in config["amounts"]
        for seed in range(config["seeds"])
        for system in map(objective_today, config["systems"])
    ]


def _report(report: Report, done: int, of: int, system: str, epoch: Epoch | None, best: int) -> None:
    at = "" if epoch is None else f", epoch {epoch.epoch}"
    report.progress(done, of, f"training {done + 1} of {of} ({system_name(system)}{at})")


def system_name(system: str) -> str:
    """As people read it: `BiGRU+kd`."""
    if system in NAMES:
        return NAMES[system]
    base, plus, helped = system.partition("+")
    for letters, title in _TITLES.items():
        base = base.replace(letters, title)
    return f"{base}{plus}{helped}"


def trained_of(store: Store, run_id: int) -> tuple[Trained, ...]:
    """What a comparison has measured so far, the rules alone in front."""
    found = (Trained(**point.metrics) for point in points(store, run_id))
    return tuple(replace(one, system=objective_today(one.system)) for one in found)


def rules_result(found: ComparisonTexts) -> Trained:
    """The symbolic rules on what is measured on."""
    data = found.data
    if isinstance(data, SlotDataSet):
        value = rules_of_slots(data).values["f1"]
    else:
        value = rules_of_labels(data).values["accuracy"]
    return Trained(RULES, 0, 0, value, vectors="none", code=code_name())


def train_one(
    found: ComparisonTexts,
    system: str,
    amount: int,
    seed: int,
    *,
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Trained:
    """Draw the texts, train, measure. InputError, Cancelled."""
    began = time.perf_counter()
    watch: dict[str, Any] = {"on_epoch": on_epoch, "should_stop": should_stop}
    if isinstance(found.data, SlotDataSet):
        value, vectors = _slot_value(found.data, system, amount, seed, watch)
    else:
        value, vectors = _label_value(found.data, system, amount, seed, watch)
    seconds = round(time.perf_counter() - began, 2)
    return Trained(system, amount, seed, value, seconds, vectors, code_name())


Reached = tuple[float, str]  # the figure, and the word vectors by name


def _label_value(data: DataSet, system: str, amount: int, seed: int, watch: dict[str, Any]) -> Reached:
    drawn = draw_portion(data, min(1.0, amount / len(data.train)), seed).train
    if system == ENCODER:
        return _encoder_value(data, drawn, watch["should_stop"])
    if system in OURS:
        objective: Objective = "interpretable" if system == "interpretable" else "accuracy"
        model = "fa-rnn" if objective == "interpretable" else WITH_AUXILIARY
        record = run_seed(label_cell(replace(data, train=drawn), 1.0, model, {}, objective), seed, **watch)
    else:
        learned, held = with_held_out(drawn)
        record = train_label_baseline(system, replace(data, train=learned, dev=held), 1.0, seed, **watch)
    return record.test, record.vectors


def _encoder_value(data: DataSet, drawn: Sequence[Example], should_stop: Callable[[], bool] | None) -> Reached:
    parts = {"test": data.test, "train": drawn}
    corpus = Corpus(tuple(replace(example, split=split) for split, own in parts.items() for example in own))
    found = baseline_predictions(ENCODER, None, corpus, data.system.tokenization, should_stop=should_stop)
    return share_right(data.test, found.predictions[: len(data.test)]) or 0.0, found.vectors


def _slot_value(data: SlotDataSet, system: str, amount: int, seed: int, watch: dict[str, Any]) -> Reached:
    drawn = draw_slots(data, 1.0 if amount >= len(data.train) else float(amount), seed).train
    if system in OURS:
        objective: Objective = "interpretable" if system == "interpretable" else "accuracy"
        cell = SlotCell(
            replace(data, train=drawn), 1.0, slot_network(objective, amount), slot_training(objective, amount)
        )
        record = run_slot_seed(cell, seed, **watch)
    else:
        learned, held = with_held_out(drawn)
        record = train_slot_baseline(system, replace(data, train=learned, dev=held), 1.0, seed, **watch)
    return record.test.f1, record.vectors


def check_wanted(systems: Sequence[str], amounts: Sequence[int], seeds: int, found: ComparisonTexts) -> None:
    """InputError for what cannot be compared."""
    if not systems:
        raise InputError("No system is selected. Select at least one; the rules alone are always measured too.")
    known = systems_for(found.task)
    if ENCODER in systems and ENCODER not in known and found.task == Task.CLASSIFICATION:
        find_encoder_files()  # says what is missing
    if unknown := [system for system in systems if system not in known]:
        raise InputError(f"'{unknown[0]}' is no system that can be compared here; there are: {', '.join(known)}.")
    if not amounts:
        raise InputError("No amount of texts is chosen. Choose one or more; two make a curve.")
    texts = len(found.data.train)
    if wrong := [amount for amount in amounts if not AMOUNTS[0] <= amount <= texts]:
        raise InputError(f"The amounts must be from {AMOUNTS[0]} to {texts:,} texts (got {wrong[0]:,}).")
    if not 1 <= seeds <= MOST_SEEDS:
        raise InputError(f"The number of seeds must be from 1 to {MOST_SEEDS} (got {seeds}).")
