"""One run of a slot experiment: draw the examples, train, measure before and after."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.experiments.datasets.slot_filling import SlotDataSet, SlotsDrawn, draw_slots
from re2nn_core.experiments.runs.cell import cell_settings
from re2nn_core.experiments.runs.published_systems import OWN_MODEL
from re2nn_core.network.configuration.former_names import settings_as_keyed
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.prediction.classification.encoding import kept_contexts
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import OnEpoch
from re2nn_core.training.resuming import mark_of
from re2nn_core.training.span_scores import SpanScores, TagSequences, span_scores

_DIGITS = 4


@dataclass(frozen=True)
class SlotRunFigures:
    """Micro averages over the spans of test, in per cent."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class SlotRecord:
    """What one seed gave; `rules` and `zero_shot` are the symbolic system and the untrained network. `dev` in per cent,
    None where there are no dev texts. `disagree`: test texts that the exact network tags otherwise than the rules."""

    seed: int
    test: SlotRunFigures
    rules: SlotRunFigures
    zero_shot: SlotRunFigures
    disagree: int
    dev: float | None
    epochs: int
    best_epoch: int
    seconds: float
    train_size: int
    dev_size: int
    parameters: int
    vectors: str
    recipe: str


@dataclass(frozen=True)
class SlotCell:
    """What is run for several seeds. `amount`: a share of train up to 1, or a number of examples above it."""

    data: SlotDataSet
    amount: float
    network: TaggerConfig
    train: TrainConfig

    @property
    def model(self) -> str:
        return OWN_MODEL

    @cached_property
    def vectors(self) -> str:
        """The word vectors by name: what `auto` means on this machine, a file by its name."""
        chosen = self.network.vectors
        if chosen == "auto":
            return f"auto:{'encoder' if encoder_is_installed() else 'builtin'}"
        return Path(chosen).name

    @cached_property
    def settings(self) -> dict[str, Any]:
        """All settings that a result hangs on."""
        return {**cell_settings(self.network, self.train), "vectors": self.vectors}

    @cached_property
    def key(self) -> str:
        """A name for the cell in a file of results; other rules, texts or settings make another one."""
        mark = mark_of(self.data.digest, sorted(settings_as_keyed(self.settings).items()))[:12]
        return f"{self.data.name}/{self.amount:g}/{mark}"


@kept_contexts()
def run_slot_seed(
    cell: SlotCell, seed: int, *, on_epoch: OnEpoch | None = None, should_stop: Callable[[], bool] | None = None
) -> SlotRecord:
    """InputError where there is too little to learn from; Cancelled when `should_stop()`."""
    rules, zero, disagree = _before(cell.data)
    if not cell.amount:
        return SlotRecord(
            seed, zero, rules, zero, disagree, None, 0, 0, 0.0, 0, 0, 0, "none", "no training: the rules as a network."
        )
    drawn = draw_slots(cell.data, cell.amount, seed)
    began = time.perf_counter()
    with TemporaryDirectory(prefix="re2nn-") as folder:
        report = train_tagger(
            cell.data.system,
            _corpus(cell.data, drawn),
            replace(cell.network, seed=seed),
            replace(cell.train, seed=seed),
            folder=Path(folder),
            on_epoch=on_epoch,
            should_stop=should_stop,
        )
    seconds = time.perf_counter() - began
    scores = report.test_scores
    return SlotRecord(
        seed=seed,
        test=zero if scores is None else _figures(scores),
        rules=rules,
        zero_shot=zero,
        disagree=disagree,
        dev=None if report.dev is None else round(100 * report.dev, _DIGITS),
        epochs=report.epochs,
        best_epoch=report.best_epoch,
        seconds=round(seconds, 2),
        train_size=len(drawn.train),
        dev_size=len(drawn.dev),
        parameters=report.parameters,
        vectors=report.vectors,
        recipe=report.recipe,
    )


def _corpus(data: SlotDataSet, drawn: SlotsDrawn) -> Corpus:
    """The drawn texts, and all of test."""
    return Corpus((*drawn.train, *drawn.dev, *data.test))


def _before(data: SlotDataSet) -> tuple[SlotRunFigures, SlotRunFigures, int]:
    """Rules and exact network on test, and how many texts they tag otherwise."""
    if data not in _MEASURED:
        texts = [example.text for example in data.test]
        marked = tagged_texts(data.test, data.system.tokenization)
        by_rules = data.system.tags_of_words([text.words for text in marked])
        network = untrained_tagger(data.system, texts)
        by_network = [prediction.tags for prediction in predict_tags(network, texts, with_confidences=False)]
        gold = [text.tags or () for text in marked]
        disagree = sum(one != other for one, other in zip(by_rules, by_network, strict=True))
        _MEASURED.clear()
        _MEASURED[data] = (slot_figures_of(gold, by_rules), slot_figures_of(gold, by_network), disagree)
    return _MEASURED[data]


def rules_on_test(data: SlotDataSet) -> SlotRunFigures:
    """What the symbolic system comes to on test."""
    return _before(data)[0]


# The newest data set alone: all seeds and amounts share it.
_MEASURED: dict[SlotDataSet, tuple[SlotRunFigures, SlotRunFigures, int]] = {}


def slot_figures_of(gold: TagSequences, predictions: TagSequences) -> SlotRunFigures:
    """Tags that were given, against those that people gave."""
    return _figures(span_scores(gold, predictions))


def _figures(scores: SpanScores) -> SlotRunFigures:
    return SlotRunFigures(*(round(100 * share, _DIGITS) for share in (scores.precision, scores.recall, scores.f1)))


def record_from(values: Mapping[str, Any]) -> SlotRecord:
    """A record as a file of results has it."""
    figures = {name: SlotRunFigures(**values[name]) for name in ("test", "rules", "zero_shot")}
    return SlotRecord(**{**values, **figures})
