"""What is measured of rules for slots, on the published rules and texts; rows as in _shared/drawing/measures.py."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measures import BENCHMARKS, Row, published

from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS, SlotDataSet, known_slot_data
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.tensors.tagged_factors import TransducerKind
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tagged_texts import tagged_texts

SENTENCES = 10_000
EPOCHS = 3
KINDS: tuple[TransducerKind, ...] = ("positions", "ifst")


def slot_agreement() -> Iterator[Row]:
    """Rules against the untrained network, word by word, on every sentence of both sets; on transducers of positions
    and on independent ones."""
    for data in _data():
        examples = _every(data)
        texts = [example.text for example in examples]
        by_rules = data.system.tags_of_words([text.words for text in tagged_texts(examples, data.system.tokenization)])
        words = sum(map(len, by_rules))
        for kind in KINDS:
            predictions = predict_tags(untrained_tagger(data.system, texts, kind), texts, with_confidences=False)
            pairs = zip(by_rules, predictions, strict=True)
            alike = sum(a == b for tags, prediction in pairs for a, b in zip(tags, prediction.tags, strict=True))
            name = f"{data.name}, {kind}: {words:,} words of {len(texts):,} sentences"
            yield Row("slot-agree", name, alike / words, "share", 1.0, at_least=True)


def slot_predictions() -> Iterator[Row]:
    """Ten thousand sentences tagged by the untrained network, from texts to spans: the first time, caches empty."""
    for data in _data():
        texts = [example.text for example in _every(data)]
        texts = (texts * (SENTENCES // len(texts) + 1))[:SENTENCES]
        durations = []
        for _ in range(3):
            bundle = untrained_tagger(data.system, texts)
            began = time.perf_counter()
            predict_tags(bundle, texts, with_confidences=False)
            durations.append(time.perf_counter() - began)
        yield Row("slot-answers", f"{data.name}: {SENTENCES:,} sentences, untrained", median(durations), "s", 5)


def slot_epochs() -> Iterator[Row]:
    """An epoch over all training texts with the default settings for each objective, measuring dev included."""
    for data in _data():
        size = len(data.train)
        corpus = Corpus((*data.train, *data.dev))
        for objective in ("interpretable", "accuracy"):
            network, train = (
                slot_network(objective, size),
                replace(slot_training(objective, size), epochs=EPOCHS, device="cpu"),
            )
            ends: list[float] = []
            with TemporaryDirectory() as folder:
                train_tagger(
                    data.system,
                    corpus,
                    network,
                    train,
                    folder=Path(folder),
                    on_epoch=lambda *_, ends=ends: ends.append(time.perf_counter()),
                )
            spent = [after - before for before, after in zip(ends, ends[1:], strict=False)]
            target = 10 if data.name == "ATIS" else None
            yield Row(
                "slot-epochs",
                f"{data.name}, objective {objective}: epoch over {size:,} texts",
                median(spent),
                "s",
                target,
            )


def _data() -> Iterator[SlotDataSet]:
    for name in KNOWN_SLOTS if published() else ():
        yield known_slot_data(name, BENCHMARKS)


def _every(data: SlotDataSet) -> list[Example]:
    return [*data.train, *data.dev, *data.test]


SLOT_MEASURES = {"slot-agree": slot_agreement, "slot-answers": slot_predictions, "slot-epochs": slot_epochs}
