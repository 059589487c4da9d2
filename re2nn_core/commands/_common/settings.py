"""The settings of network and training as options; what is not given keeps its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from re2nn_core.commands._common.options import Command, with_options

if TYPE_CHECKING:
    from re2nn_core.network.configuration.former_names import AnyDataclass

Config = TypeVar("Config", bound="AnyDataclass")

_NETWORK_OPTIONS = (
    click.option("--machines", type=click.Choice(["rule", "label"]), help="One machine a rule or one a label."),
    click.option("--vectors", help="Word vectors: a file (GloVe, word2vec), or auto, none, builtin, encoder, context."),
    click.option("--cell", type=click.Choice(["rnn", "gru"]), help="Without or with gates."),
    click.option(
        "--bidirectional/--no-bidirectional", default=None, help="Read from both ends, or from the first word."
    ),
    click.option("--scoring", type=click.Choice(["forward", "viterbi"]), help="Sum over paths, or the best path."),
    click.option("--decomposed/--no-decomposed", default=None, help="Factors, or a weight for each word and arc."),
    click.option("--rank", type=int, help="Approximate factors of this rank, instead of exact ones."),
    click.option("--normalize/--no-normalize", default=None, help="Scale the factors to equal norms, or do not."),
    click.option(
        "--rule-weight", type=float, help="Weight of the rules beside the word vectors (beta, for slots eta)."
    ),
    click.option("--initial", type=click.Choice(["rules", "random"]), help="What the weights start from."),
    click.option("--extra-states", type=int, help="States without arcs that training may connect."),
    click.option(
        "--block-diagonal/--no-block-diagonal", default=None, help="Learn arcs inside each machine only, or anywhere."
    ),
    click.option("--train-words/--no-train-words", default=None, help="Train the words' factors too."),
    click.option("--train-wildcard/--no-train-wildcard", default=None, help="Train the wildcard's arcs too."),
    click.option("--train-ends/--no-train-ends", default=None, help="Train start and final weights too."),
    click.option("--state-head/--no-state-head", default=None, help="Read labels off all last states too."),
    click.option(
        "--aggregation", type=click.Choice(["logic", "layers"]), help="Label logic as written, or as two linear layers."
    ),
    click.option(
        "--aggregation-activation/--no-aggregation-activation",
        default=None,
        help="Clamp the layers, or keep them linear.",
    ),
    click.option(
        "--train-aggregation/--no-train-aggregation",
        default=None,
        help="Train the layers' weights, at the rate of the head.",
    ),
    click.option(
        "--auxiliary",
        type=click.Choice(["none", "rnn", "gru", "lstm", "birnn", "bigru", "bilstm"]),
        help="An ordinary reader beside the rules, which is added to them; for slots none, gru or lstm.",
    ),
    click.option("--auxiliary-states", type=int, help="Its states in each direction."),
    click.option(
        "--auxiliary-weight", type=float, help="How much it counts; training keeps what suits texts held out."
    ),
    click.option("--logit-scale", type=float, help="Logits are label scores times this."),
    click.option("--dropout", type=float, help="Share of word-vector entries dropped."),
    click.option("--clamp-gradient-slope", type=float, help="Gradient where states are clamped."),
)
_TRAIN_OPTIONS = (
    click.option("--epochs", type=int, help="Passes over the texts, at most."),
    click.option("--patience", type=int, help="Epochs in a row that dev would not keep before it stops."),
    click.option("--batch-size", type=int, help="Sentences a step."),
    click.option("--learning-rate", type=float, help="Of arcs, start and final weights."),
    click.option("--embedding-learning-rate", type=float, help="Of the map from word vectors to arcs."),
    click.option("--head-learning-rate", type=float, help="Of the state head, the bias and trained layers."),
    click.option("--encoder-learning-rate", type=float, help="Of the sentence encoder, where it learns along (slots)."),
    click.option("--auxiliary-learning-rate", type=float, help="Of the reader beside the rules of labels."),
    click.option("--decay", type=float, help="All rates are multiplied by this after each epoch; 1 keeps them."),
    click.option("--l2-to-initial", type=float, help="How strongly arcs are pulled back to the written rules."),
    click.option("--copies", type=int, help="Networks trained side by side and averaged; 0: as examples ask."),
    click.option(
        "--average",
        type=click.Choice(["weights", "answers"]),
        help="What of the copies is averaged: they end as one network, or all are kept and answer together.",
    ),
    click.option("--unlabelled", type=float, help="Weight of texts without label, learned with the rules' answers."),
    click.option(
        "--faithful/--no-faithful",
        default=None,
        help="End near rules, so that what is read back is what the network does; it is less often right.",
    ),
    click.option("--seed", type=int, help="Of random weights, batch order and dropout."),
    click.option("--device", help="auto, cuda, mps or cpu."),
    click.option("--threads", type=int, help="CPU threads."),
)


AIM_HELP = (
    "reading: rules keep their own arcs and can be read back. accuracy: where the encoder is installed, vectors "
    "'context', an ordinary reader beside the rules and networks that answer together; from 400 texts on these, a "
    "machine a label, arcs anywhere and 60 extra states. For slots: reading is the rules' network alone, accuracy an "
    "ordinary reader beside the rules and a chain over the tags. Single settings go on top."
)


def aim_option(default: str) -> Callable[[Command], Command]:
    """What a network is for; the settings begin with it."""
    choice = click.Choice(["reading", "accuracy"])
    return click.option("--aim", type=choice, default=default, show_default=True, help=AIM_HELP)


def setting_options(function: Command) -> Command:
    """The settings of network and training; what is not given keeps its default."""
    return with_options((*_TRAIN_OPTIONS, *_NETWORK_OPTIONS), function)


def config_of(
    kind: type[Config],
    settings: Mapping[str, Any],
    examples: int,
    *,
    in_context: bool | None = None,
    unlabelled: int = 0,
) -> Config:
    """A configuration from those options that were given and belong to it, upon what `--aim` takes for so many
    training texts, and `unlabelled` ones; `in_context` as for `settings_for`."""
    from re2nn_core.network.configuration.classification import NetworkConfig
    from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
    from re2nn_core.services.fine_tuning.objective import Objective

    aim: Objective = settings.get("aim") or "reading"
    network = kind is NetworkConfig
    known, answered = in_context_by(settings, in_context), unlabelled if settings.get("unlabelled") else 0
    reader = settings.get("auxiliary") != "none"  # without it the aim trains as the published networks are trained
    begin = (settings_for if network else training_settings_for)(
        aim, examples, in_context=known, reader=reader, answered=answered
    )
    return kind(**{**begin, **given_of(kind, settings)})


def in_context_by(settings: Mapping[str, Any], in_context: bool | None = None) -> bool | None:
    """`in_context` as for `settings_for`: False where other word vectors were asked for, as the aim takes what
    suits these."""
    from re2nn_core.network.configuration.recurrence import CONTEXT

    return in_context if settings.get("vectors") in (None, CONTEXT) else False


def given_of(kind: type[Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those options that were given and belong to a configuration of this kind."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in settings.items() if name in names and value is not None}
