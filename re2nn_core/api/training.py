"""Training a model on texts with labels or with spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model, load
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.api.texts import Texts, corpus_from
from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.classification.given_settings import given_of, label_configs
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.slot_filling.given_settings import OF_LABELS_ALONE, tagger_configs
from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.task import by_task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import OnEpoch


def train(
    model: Model,
    data: Texts,
    *,
    folder: Path | str | None = None,
    objective: str = "interpretable",
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
    **settings: Any,
) -> Model:
    """The network of the model's rules, trained on texts with labels or with spans; the texts of the split dev decide
    when to stop, those of the split test are measured once, at the end (`figures`).

    `settings` are those of `re2nn train`, with underscores: `epochs=20, learning_rate=0.001`. The model is written to
    `folder`, where one is given; a training that was stopped there continues. InputError for settings that there are
    not, and where there is too little to learn from; Cancelled where `should_stop()`.
    """
    chosen = _settings_of(model, objective, settings)
    corpus = corpus_from(data, model.task, model.tokenization)
    # The system as written: a network that training changed begins anew from its rules.
    if folder is not None:
        _train(model, corpus, chosen, Path(folder), on_epoch, should_stop)
        return load(folder)
    with TemporaryDirectory() as place:
        _train(model, corpus, chosen, Path(place), on_epoch, should_stop)
        return load(place)


def _train(
    model: Model,
    corpus: Corpus,
    settings: Mapping[str, Any],
    folder: Path,
    on_epoch: OnEpoch | None,
    should_stop: Callable[[], bool] | None,
) -> None:
    if isinstance(model, LabelModel):
        network, training = label_configs(model.system, corpus, settings)
        train_system(
            model.system,
            corpus,
            network,
            training,
            folder=folder,
            on_epoch=on_epoch,
            should_stop=should_stop,
            manual_overrides=tuple(given_of(TrainConfig, settings)),
        )
        return
    texts = [example.text for example in split_slots(corpus).train]
    words = chain.from_iterable(words_of_all(texts, model.tokenization))
    tagger, training = tagger_configs(settings, len(texts), words)
    train_tagger(model.system, corpus, tagger, training, folder=folder, on_epoch=on_epoch, should_stop=should_stop)


def _settings_of(model: Model, objective: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were given, checked. InputError."""
    if not isinstance(model, LabelModel | SlotModel):
        raise InputError(
            f"train takes a model of rules (got {type(model).__name__}). Write train(compile(rules), data)."
        )
    if objective not in OBJECTIVES:
        raise InputError(f"objective must be one of {', '.join(OBJECTIVES)} (got {objective!r}).")
    networks = by_task(model.task, classification=NetworkConfig, slot_filling=TaggerConfig)
    without = by_task(model.task, classification=(), slot_filling=OF_LABELS_ALONE)
    known = {field.name for kind in (networks, TrainConfig) for field in fields(kind)} - {*without}
    if unknown := sorted(set(settings) - known):
        raise InputError(
            f"{', '.join(unknown)}: no setting of networks for {model.task.in_words}. "
            f"The settings are: {', '.join(sorted(known))}."
        )
    return {**settings, "objective": objective}
