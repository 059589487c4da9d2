"""Several trainings of a project side by side, in a process of their own: against the amount of data (Jiang et al.,
EMNLP 2020, figure 2), or against beta (figure 3).

Each training is measured and its figures kept before the next one begins, so that a stopped series goes on behind it.
The networks themselves are not kept: no page takes them for trained runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from re2nn_core.experiments.datasets.portions import draw_portion
from re2nn_core.experiments.project.data import ProjectData, drawable, project_data
from re2nn_core.experiments.runs.classification import as_it_began
from re2nn_core.experiments.runs.published_systems import network_of
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings, run_settings
from re2nn_core.services.fine_tuning.objective import Objective, objective_of
from re2nn_core.services.prediction.classification.evaluation import accuracy, score
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.team.training_labels import training_texts
from re2nn_core.store import RunRecord, Store, get_project, get_version, latest_version, points
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

if TYPE_CHECKING:
    from re2nn_core.jobs.report import Report
    from re2nn_core.training.loop import Epoch

CURVE, BETA = "curve", "beta"
PORTIONS = (0.1, 0.3, 1.0)
VALUES: Mapping[str, Sequence[float | None]] = {CURVE: PORTIONS, BETA: (0.3, 0.5, 0.7, 1.0, None)}
SEEDS = {CURVE: (0, 1), BETA: (0,)}
MODEL = "fa-rnn"
_NOT_TAKEN_OVER = ("seed", "unlabelled")
_DIGITS = 4


@dataclass(frozen=True)
class SeriesSettings:
    """What each training begins with: an objective, whose settings follow from the number of texts, and beyond it what
    somebody set by hand."""

    objective: Objective = "interpretable"
    network: Mapping[str, Any] = field(default_factory=dict)
    train: Mapping[str, Any] = field(default_factory=dict)

    def for_texts(self, count: int) -> tuple[NetworkConfig, TrainConfig]:
        """The settings of a training from so many texts. InputError where they do not go together."""
        train = config_from(TrainConfig, {**training_settings_for(self.objective, count), **self.train})
        return network_of(MODEL, self.network, settings_for(self.objective, count)), train


def with_beta(network: NetworkConfig, beta: float | None) -> NetworkConfig:
    """The same with this beta, which mixes in vectors that a word has everywhere, not those of its sentence."""
    return replace(network, rule_weight=beta, vectors="auto" if network.vectors == CONTEXT else network.vectors)


def settings_beyond(objective: Objective, count: int, chosen: ChosenSettings) -> SeriesSettings:
    """The settings of a training from `count` texts, as an objective and what differs from it or was set by hand."""
    return SeriesSettings(
        objective,
        _differing(chosen.network, NetworkConfig(**settings_for(objective, count))),
        _differing(chosen.train, TrainConfig(**training_settings_for(objective, count)), chosen.manual_overrides),
    )


def _differing(
    given: NetworkConfig | TrainConfig, begin: NetworkConfig | TrainConfig, manual_overrides: Collection[str] = ()
) -> dict[str, Any]:
    before = asdict(begin)
    return {
        name: value
        for name, value in asdict(given).items()
        if (value != before[name] or name in manual_overrides) and name not in _NOT_TAKEN_OVER
    }


@dataclass(frozen=True)
class SeriesOutcome:
    """One training, or the rules alone. `at`: the portion, or beta (None: as by default); `texts` were drawn to learn
    from. Figures in per cent: `main` on the texts that are measured on, `beside` on test texts where these are measured
    too; precision and recall are means over the labels that the former carry. `untrained` is `main` before training,
    told for beta. `ended`: when, in seconds since 1970; 0 where nobody kept it."""

    at: float | None
    seed: int
    texts: int
    main: float
    beside: float | None
    precision: float
    recall: float
    untrained: float | None = None
    seconds: float = 0.0
    ended: float = field(default=0.0, compare=False)


def outcomes_of(store: Store, run_id: int) -> tuple[SeriesOutcome, ...]:
    """What a series has measured so far, the rules alone in front."""
    return tuple(SeriesOutcome(**point.metrics) for point in points(store, run_id))


def run_curve(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """The job: train from portions of a project's labelled texts, each drawn by several seeds."""
    found, seeds = data_of(store, run.project_id, run.rule_version_id), SEEDS[CURVE]
    portions = drawable(found.data, PORTIONS, seeds)
    return _run(store, run, report, found, [(portion, seed) for portion in portions for seed in seeds])


def run_beta(store: Store, run: RunRecord, report: Report) -> Mapping[str, Any]:
    """The job: train from all of a project's labelled texts with several values of beta."""
    found = data_of(store, run.project_id, run.rule_version_id)
    return _run(store, run, report, found, [(beta, seed) for beta in VALUES[BETA] for seed in SEEDS[BETA]])


def _run(
    store: Store, run: RunRecord, report: Report, found: ProjectData, wanted: Sequence[tuple[float | None, int]]
) -> Mapping[str, Any]:
    settings = SeriesSettings(
        objective_of(run.config) or "interpretable", run_settings(run, "network"), run_settings(run, "train")
    )
    known = {(outcome.at, outcome.seed): outcome for outcome in outcomes_of(store, run.id)[1:]}
    done = sum(one in known for one in wanted)
    report.point(0, asdict(rules_alone(found)))
    for number, (at, seed) in enumerate(wanted, start=1):
        report.stop_if_asked()
        if (at, seed) not in known:
            report_progress = _reporter(report, done, len(wanted))
            known[at, seed] = train_once(
                found, run.kind, at, seed, settings, on_epoch=report_progress, should_stop=report.should_stop
            )
            done += 1
        report.point(number, asdict(known[at, seed]))
    report.progress(len(wanted), len(wanted))
    return {"outcomes": [asdict(known[one]) for one in wanted]}


def _reporter(report: Report, done: int, of: int) -> Callable[[Epoch, int], None]:
    """What tells the epochs of the training behind those that are done, and that it begins."""
    message = f"training {done + 1} of {of}"

    def report_progress(epoch: Epoch, best: int) -> None:
        report.progress(done, of, f"{message}, epoch {epoch.epoch}")

    report.progress(done, of, message)
    return report_progress


def data_of(store: Store, project_id: int, version_id: int | None) -> ProjectData:
    """The texts of a project with the rules of a version (None: the newest). InputError where there are too few."""
    project = get_project(store, project_id)
    version = latest_version(store, project.id) if version_id is None else get_version(store, version_id)
    system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
    corpus = Corpus(tuple(Example(text.text, text.label, text.split) for text in training_texts(store, project.id)))
    return project_data(project.name, system, corpus)


def rules_alone(found: ProjectData) -> SeriesOutcome:
    """The symbolic rules, measured as the trainings are."""
    return SeriesOutcome(at=0.0, seed=0, texts=0, **_figures(found, found.data.system.predictions))


def train_once(
    found: ProjectData,
    kind: str,
    at: float | None,
    seed: int,
    settings: SeriesSettings,
    *,
    on_epoch: Callable[[Epoch, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> SeriesOutcome:
    """Draw the texts, train, measure; `at` is the portion, or beta. InputError, Cancelled."""
    drawn = draw_portion(found.data, 1.0 if kind == BETA or at is None else at, seed)
    network, train = settings.for_texts(len(drawn.train))
    if kind == BETA:
        network = with_beta(network, at)
    began = time.perf_counter()
    with TemporaryDirectory(prefix="re2nn-") as folder:
        train_system(
            found.data.system,
            Corpus((*drawn.train, *found.data.test, *found.beside)),
            replace(network, seed=seed),
            replace(train, seed=seed),
            folder=Path(folder),
            on_epoch=on_epoch,
            should_stop=should_stop,
            manual_overrides=tuple(settings.train),
        )
        bundle = load_bundle(Path(folder))
    untrained = None if kind == CURVE else _share(found.data.test, _asked(as_it_began(bundle)))
    figures = _figures(found, _asked(bundle))
    seconds = round(time.perf_counter() - began, 2)
    return SeriesOutcome(at=at, seed=seed, texts=len(drawn.train), untrained=untrained, seconds=seconds, **figures)


Predict = Callable[[Sequence[str]], Sequence[str | None]]


def _asked(bundle: Bundle) -> Predict:
    return lambda texts: predict(bundle, texts).predictions


def _figures(found: ProjectData, prediction: Predict) -> dict[str, Any]:
    """The figures of an outcome for what predictions."""
    texts = found.data.test
    scores = score([example.label for example in texts], prediction([example.text for example in texts]))
    labels = [entry for entry in scores.per_label if entry.support]
    return {
        "main": _percent(scores.accuracy or 0.0),
        "beside": _share(found.beside, prediction) if found.beside else None,
        "precision": _percent(fmean(entry.precision for entry in labels)),
        "recall": _percent(fmean(entry.recall for entry in labels)),
    }


def _share(examples: Sequence[Example], prediction: Predict) -> float:
    right = accuracy([example.label for example in examples], prediction([example.text for example in examples]))
    return _percent(right or 0.0)


def _percent(share: float) -> float:
    return round(100 * share, _DIGITS)
