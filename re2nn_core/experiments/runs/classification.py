"""One run of a cell: for one seed draw the examples, train, measure before and after."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.experiments.datasets.portions import DrawnTexts, draw_portion, measured_set
from re2nn_core.experiments.runs.cell import LabelCell
from re2nn_core.experiments.runs.figures import Labels, RunFigures, accuracy_on, count_parameters, measure
from re2nn_core.network.classification.bundle import Bundle, build_bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.encoding import kept_contexts
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

if TYPE_CHECKING:
    from re2nn_core.training.loop import Epoch

OnEpoch = Callable[["Epoch", int], None]
ShouldStop = Callable[[], bool]
NO_TRAINING = "no training: the network as the rules made it."


@dataclass(frozen=True)
class LabelRecord:
    """What one seed gave; accuracy, precision and recall in per cent (see Figures), `zero_shot` the same before
    training. `labels`: precision and recall of each label. `drawn` marks the texts it learned from; `train_size` and
    `dev_size` count them. `parameters` counts what training may set, `free_parameters` those that are not held at zero
    to keep machines apart. `recipe` and `notes` are training's own words."""

    seed: int
    dev: float | None
    test: float
    test_without_duplicates: float | None
    precision: float
    recall: float
    zero_shot: RunFigures
    epochs: int
    best_epoch: int
    seconds: float
    recipe: str
    train_size: int
    dev_size: int
    drawn: str
    parameters: int
    free_parameters: int
    vectors: str
    device: str
    notes: tuple[str, ...]
    labels: Labels


@kept_contexts()
def run_seed(
    cell: LabelCell, seed: int, *, on_epoch: OnEpoch | None = None, should_stop: ShouldStop | None = None
) -> LabelRecord:
    """InputError where there is too little to learn from; Cancelled when `should_stop()`.

    Where the settings have a weight for texts without labels, the rest of train takes part as such texts."""
    drawn = draw_portion(cell.data, cell.portion, seed)
    cell = replace(cell, data=measured_set(cell.data, drawn))
    if not cell.trains:
        return _record(cell, seed, drawn, _untrained(cell.data, replace(cell.network, seed=seed)), None, 0.0)
    with TemporaryDirectory(prefix="re2nn-") as folder:
        began = time.perf_counter()
        report = train_system(
            cell.data.system,
            Corpus((*drawn.train, *drawn.dev, *cell.data.test, *(drawn.rest if cell.train.unlabelled else ()))),
            replace(cell.network, seed=seed),
            replace(cell.train, seed=seed),
            folder=Path(folder),
            on_epoch=on_epoch,
            should_stop=should_stop,
            manual_overrides=cell.by_hand,
        )
        seconds = time.perf_counter() - began
        bundle = load_bundle(Path(folder))
    return _record(cell, seed, drawn, bundle, report, seconds)


def _record(
    cell: LabelCell, seed: int, drawn: DrawnTexts, bundle: Bundle, report: TrainReport | None, seconds: float
) -> LabelRecord:
    if report is None:
        figures, labels = measure(bundle, cell.data, dev=accuracy_on(bundle, cell.data.dev))
        zero_shot = figures
    else:
        # What dev came to is training's own figure: it may have held out other texts than the drawn ones.
        figures, labels = measure(bundle, cell.data, dev=report.dev)
        zero_shot, _ = measure(as_it_began(bundle), cell.data, dev=report.zero_shot["dev"])
    every, free = count_parameters(bundle)
    return LabelRecord(
        seed=seed,
        **asdict(figures),
        zero_shot=zero_shot,
        epochs=report.epochs if report else 0,
        best_epoch=report.best_epoch if report else 0,
        seconds=round(seconds, 2),
        recipe=report.recipe if report else NO_TRAINING,
        train_size=len(drawn.train),
        dev_size=len(drawn.dev),
        drawn=drawn.digest,
        parameters=every,
        free_parameters=free,
        vectors=bundle.vectors_name,
        device=report.device if report else str(bundle.network.device),
        notes=report.notes if report else (),
        labels=labels,
    )


def _untrained(data: DataSet, network: NetworkConfig) -> Bundle:
    """The network of the rules alone. Its word vectors learn from no text either."""
    system = data.system
    sentences = words_of_all([example.text for example in (*data.dev, *data.test)], system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    # What the network would know of words in their sentences plays no part before training.
    chosen = word_vectors(vocabulary.words, (), "none" if network.vectors == CONTEXT else network.vectors)
    vectors = chosen.vectors if chosen.vectors.shape[1] else None
    texts = (system.rules_text, system.logic_text, system.tokenization)
    return build_bundle(*texts, vocabulary, network, vectors, chosen.name)


def as_it_began(bundle: Bundle) -> Bundle:
    """The network that training began with: the same parts, made anew."""
    vectors = bundle.network.reader.vectors.cpu().numpy()  # [vocabulary, dimensions]
    # Sentences are not asked for the vectors of their words once more: before training these play no part.
    config = replace(bundle.config, vectors="none") if bundle.config.vectors == CONTEXT else bundle.config
    return build_bundle(
        bundle.rules_text,
        bundle.logic_text,
        bundle.tokenization,
        bundle.vocabulary,
        config,
        vectors if vectors.shape[1] else None,
        bundle.vectors_name,
        bundle.extra_labels,
    )
