"""The configurations of a training for labels, from the settings that were given and the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import AnyDataclass
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.fine_tuning.classification.examples import encoder_knows_texts
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.training_plan import split_examples
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

Config = TypeVar("Config", bound=AnyDataclass)


def label_configs(system: RuleSystem, corpus: Corpus, settings: Mapping[str, Any]) -> tuple[NetworkConfig, TrainConfig]:
    """The configurations for a training of these rules on these texts, from those settings that were given."""
    split = split_examples(corpus)
    learned = split.train or [example for example in corpus if example.split in ("train", None)]
    examples, known = len(split.train), encoder_knows_texts(learned, system.tokenization)
    unlabelled = sum(example.label is None and example.split in ("train", None) for example in corpus)
    texts: dict[str, Any] = {"examples": examples, "in_context": known, "unlabelled": unlabelled}
    return config_of(NetworkConfig, settings, **texts), config_of(TrainConfig, settings, **texts)


def config_of(
    kind: type[Config],
    settings: Mapping[str, Any],
    examples: int,
    *,
    in_context: bool | None = None,
    unlabelled: int = 0,
) -> Config:
    """A configuration from those settings that were given and belong to it, on top of what `objective` takes for so
    many training texts, and `unlabelled` ones; `in_context` as for `settings_for`."""
    objective: Objective = settings.get("objective") or "interpretable"
    network = kind is NetworkConfig
    known, predicted = in_context_by(settings, in_context), unlabelled if settings.get("unlabelled") else 0
    auxiliary = (
        settings.get("auxiliary") != "none"
    )  # without it the objective trains as the published networks are trained
    begin = (settings_for if network else training_settings_for)(
        objective, examples, in_context=known, auxiliary=auxiliary, predicted=predicted
    )
    return kind(**{**begin, **given_of(kind, settings)})


def in_context_by(settings: Mapping[str, Any], in_context: bool | None = None) -> bool | None:
    """`in_context` as for `settings_for`: False where other word vectors were asked for, as the objective takes what
    suits these."""
    return in_context if settings.get("vectors") in (None, CONTEXT) else False


def given_of(kind: type[Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those settings that were given and belong to a configuration of this kind."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in settings.items() if name in names and value is not None}
