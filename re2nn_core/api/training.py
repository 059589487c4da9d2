"""Training a model on texts with labels or with spans."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.model_folders import writing_to
from re2nn_core.api.models import Model, load
from re2nn_core.api.settings import checked_settings
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.api.texts import Texts, corpus_from
from re2nn_core.errors import InputError
from re2nn_core.exchange.corpora import unknown_labels
from re2nn_core.exchange.slot_filling.corpora import unknown_slots
from re2nn_core.services.fine_tuning.classification.given_settings import given_of, label_configs
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.output_folder import OF_OTHER_RULES, check_output, replaced_model
from re2nn_core.services.fine_tuning.slot_filling.given_settings import tagger_configs
from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import OnEpoch

_MOST_WARNINGS = 5  # of names that no rule has; the others are counted


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

    `settings` are the options of `re2nn train`, with underscores: `epochs=20, learning_rate=0.001, members=1`. The
    model is written to `folder`, where one is given; a training that was stopped there continues. Labels and slots that
    no rule has are warned about. InputError for settings that there are not, for a folder that holds something else,
    and where there is too little to learn from; Cancelled where `should_stop()`.
    """
    if not isinstance(model, LabelModel | SlotModel):
        raise InputError(
            f"train takes a model of rules (got {type(model).__name__}). Write train(compile(rules), data)."
        )
    chosen = checked_settings(model.task, objective, settings)
    if folder is not None:
        with writing_to(folder) as path:
            check_output(path, model.task, "the model")
    corpus = corpus_from(data, model.task, model.tokenization)
    _warn_of_unknown_names(model, corpus)
    # The system as written: a network that training changed begins anew from its rules.
    if folder is None:
        with TemporaryDirectory() as place:
            _train(model, corpus, chosen, Path(place), on_epoch, should_stop)
            return load(place)
    if replaced_model(path, model.system.rules_text) == OF_OTHER_RULES:
        warnings.warn(f"{path} contains {OF_OTHER_RULES}, which this training replaces.", stacklevel=2)
    with writing_to(path):
        _train(model, corpus, chosen, path, on_epoch, should_stop)
    return load(path)


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
    tagger, training = tagger_configs(settings, len(split_slots(corpus).train))
    train_tagger(model.system, corpus, tagger, training, folder=folder, on_epoch=on_epoch, should_stop=should_stop)


def _warn_of_unknown_names(model: Model, corpus: Corpus) -> None:
    """Warn of labels or slots that no rule has: they may be misspelt, and become classes of the network."""
    if isinstance(model, LabelModel):
        known = dict.fromkeys((*model.system.ruleset.labels, model.system.logic.default))
        labels = unknown_labels(corpus, [name for name in known if name is not None])
        what, unknown = "label", [(found.label, found.texts, found.nearest) for found in labels]
    else:
        slots = unknown_slots(corpus, model.system.slots)
        what, unknown = "slot", [(found.slot, found.texts, found.nearest) for found in slots]
    for name, texts, nearest in unknown[:_MOST_WARNINGS]:
        meant = f" Did you mean {nearest!r}?" if nearest else ""
        where = counted(texts, "text")
        warnings.warn(
            f"No rule has the {what} {name!r} ({where}): the network learns it from texts alone.{meant}", stacklevel=3
        )
    if (more := len(unknown) - _MOST_WARNINGS) > 0:
        warnings.warn(f"No rule has {counted(more, f'more {what}')} of the texts either.", stacklevel=3)
