"""How a baseline is built and trained. The defaults were found on dev; the grids are those of the papers (Jiang et al.,
EMNLP 2020, appendix D; EMNLP 2021, table 9)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from re2nn_core.baselines.spec import BaselineSpec
from re2nn_core.errors import InputError
from re2nn_core.network.auxiliary.encoder import Pooling
from re2nn_core.network.configuration.recurrence import check_setting
from re2nn_core.training.config import TrainConfig

POOLINGS: tuple[Pooling, ...] = ("last", "mean", "max")
TEACHERS = ("soft", "hard")
STARTS = ("rules", "random")
_OF_TRAINING = (
    *("epochs", "batch_size", "learning_rate", "encoder_learning_rate", "decay", "patience"),
    *("seed", "device", "threads"),
)
TINY, FEW, MANY = 20, 200, 2000  # training texts


@dataclass(frozen=True, kw_only=True)
class BaselineConfig:
    """vectors          word vectors, as for the networks of rules; `context` reads words in their sentences
    hidden           states in each direction, filters, or units of a layer (grid: 50 to 200)
    pooling          for labels: what of a text's states is read by the head; last is of both ends
    dropout          share of word-vector entries and of states dropped
    word_dropout     share of words taken for unknown in training
    rule_dimensions  of the rules' tags as input features (grid: 20, 50)
    start            of +o and +io. rules: the head starts at zero, so that the untrained network is the rules. random:
                     as the papers', whose figures without training hang on the draw
    student          weight of the true labels beside the teacher (grid: 0.3 to 0.8)
    anneal           the teacher's weight is multiplied by this after each epoch; 1 keeps it (grid: 1, 0.98)
    temperature      of teacher and student in distillation (grid: 1, 3, 5)
    teacher          soft: the rules' prediction has a logit of `trust`; hard: it is taken for true
    trust            how much the rules' prediction counts: its logit for +kd, the strength of its constraint for +pr
    unlabelled       weight of a text that the rules predicted, beside 1 for a labelled one (+u)
    tune_encoder     the sentence encoder learns along, where it is the base
    """

    vectors: str = "auto"
    hidden: int = 150
    pooling: Pooling = "max"
    dropout: float = 0.5
    word_dropout: float = 0.0
    rule_dimensions: int = 50
    start: Literal["rules", "random"] = "rules"
    student: float = 0.7
    anneal: float = 0.95
    temperature: float = 1.0
    teacher: Literal["soft", "hard"] = "soft"
    trust: float = 5.0
    unlabelled: float = 0.5
    tune_encoder: bool = True
    learning_rate: float = 2e-3
    encoder_learning_rate: float = 1e-4
    decay: float = 0.97
    batch_size: int = 32
    epochs: int = 30
    patience: int = 7
    seed: int = 0
    device: str = "auto"
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("hidden", "rule_dimensions"):
            check_setting(getattr(self, name) >= 1, name, "at least 1", getattr(self, name))
        for name in ("dropout", "word_dropout"):
            check_setting(0 <= getattr(self, name) < 1, name, "at least 0 and below 1", getattr(self, name))
        for name in ("student", "anneal"):
            check_setting(0 <= getattr(self, name) <= 1, name, "from 0 to 1", getattr(self, name))
        for name in ("temperature", "trust", "unlabelled"):
            check_setting(0 < getattr(self, name) < math.inf, name, "above 0", getattr(self, name))
        if self.vectors == "none":
            raise InputError(
                "a baseline reads nothing but word vectors, and vectors is none. Choose vectors (builtin needs nothing "
                "else)."
            )
        for name, known in (("pooling", POOLINGS), ("teacher", TEACHERS), ("start", STARTS)):
            check_setting(getattr(self, name) in known, name, f"one of {', '.join(known)}", getattr(self, name))
        self.training  # noqa: B018 - checks what it takes over

    @property
    def training(self) -> TrainConfig:
        """What the training loop goes by: one rate for all but the sentence encoder."""
        same = {name: getattr(self, name) for name in _OF_TRAINING}
        return TrainConfig(**same, embedding_learning_rate=self.learning_rate, head_learning_rate=self.learning_rate)


def defaults_for(spec: BaselineSpec, examples: int) -> dict[str, Any]:
    """The settings that differ from the dataclass's for a system and a number of texts that it learns from."""
    if examples < FEW:
        # Ten texts make five steps of two: few steps, so large ones.
        few = {"epochs": 100, "decay": 1.0, "learning_rate": 5e-3}
        if spec.tags_words:
            # Large steps throw an RNN about (dev of SNIPS, 50 texts, three seeds of BiRNN: 39.3; with these 42.4).
            rate = {"learning_rate": 2e-3} if spec.cell == "rnn" else {}
            return {**few, **rate, "batch_size": 2 if examples < TINY else 4, "patience": 50}
        return {**few, "batch_size": 8, "patience": 25}
    if examples < MANY:
        return {"batch_size": 16, "epochs": 60, "patience": 12}
    return {}


def config_for(spec: BaselineSpec, examples: int, given: Mapping[str, Any]) -> BaselineConfig:
    """The settings of a system with those that somebody gave. InputError for one that baselines do not have."""
    known = {field.name for field in fields(BaselineConfig)}
    if others := sorted(set(given) - known):
        names = ", ".join(sorted(known))
        raise InputError(f"{', '.join(others)}: no setting of {spec.name}. Leave it out; the settings are: {names}.")
    return BaselineConfig(**{**defaults_for(spec, examples), **given})
