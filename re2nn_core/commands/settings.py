"""The settings of network and training as options; what is not given keeps its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

import click

Command = Callable[..., Any]
Config = TypeVar("Config")

_NETWORK_OPTIONS = (
    click.option("--machines", type=click.Choice(["rule", "label"]), help="One machine a rule or one a label."),
    click.option("--vectors", help="Word vectors: a file (GloVe, word2vec), or auto, none, builtin, encoder."),
    click.option("--scoring", type=click.Choice(["forward", "viterbi"]), help="Sum over paths, or the best path."),
    click.option("--extra-states", type=int, help="States without arcs that training may connect."),
    click.option("--keep-blocks/--dense", default=None, help="Learn arcs inside each machine only, or anywhere."),
    click.option("--train-words/--fixed-words", default=None, help="Train the words' factors too."),
    click.option("--state-head/--no-state-head", default=None, help="Read labels off all last states too."),
    click.option("--logit-scale", type=float, help="Logits are label scores times this."),
    click.option("--dropout", type=float, help="Share of word-vector entries dropped."),
)
_TRAIN_OPTIONS = (
    click.option("--epochs", type=int, help="Passes over the texts, at most."),
    click.option("--patience", type=int, help="Epochs without a better dev accuracy before it stops."),
    click.option("--batch-size", type=int, help="Sentences a step."),
    click.option("--learning-rate", type=float, help="Of arcs, start and final weights."),
    click.option("--vector-rate", type=float, help="Of the map from word vectors to arcs."),
    click.option("--head-rate", type=float, help="Of the state head and the bias."),
    click.option("--pull", type=float, help="How strongly arcs are pulled back to the written rules."),
    click.option("--seed", type=int, help="Of random weights, batch order and dropout."),
    click.option("--device", help="auto, cuda, mps or cpu."),
    click.option("--threads", type=int, help="CPU threads."),
)


def setting_options(function: Command) -> Command:
    """The settings of network and training; what is not given keeps its default."""
    for option in reversed((*_TRAIN_OPTIONS, *_NETWORK_OPTIONS)):
        function = option(function)
    return function


def config_of(kind: type[Config], settings: Mapping[str, Any]) -> Config:
    """A configuration from those options that were given and belong to it."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in settings.items() if name in names and value is not None})
