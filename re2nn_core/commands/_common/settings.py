"""The settings of network and training as options; what is not given keeps its default."""

from __future__ import annotations

from collections.abc import Callable

import click

from re2nn_core.commands._common.options import Command, with_options

_NETWORK_OPTIONS = (
    click.option(
        "--automata",
        "machines",
        type=click.Choice(["rule", "label"]),
        help="One automaton for each rule, or for each label.",
    ),
    click.option("--vectors", help="Word vectors: a file (GloVe, word2vec), or auto, none, builtin, encoder, context."),
    click.option(
        "--cell", type=click.Choice(["rnn", "gru"]), help="Recurrence without gates (rnn) or with gates (gru)."
    ),
    click.option(
        "--bidirectional/--no-bidirectional", default=None, help="Read texts in both directions, or from left to right."
    ),
    click.option(
        "--scoring",
        type=click.Choice(["forward", "viterbi"]),
        help="Score of a text: sum over paths, or the best path.",
    ),
    click.option(
        "--decomposed/--no-decomposed",
        default=None,
        help="Decompose the transition tensor into factors, or keep one weight for each word and transition.",
    ),
    click.option("--rank", type=int, help="Approximate the factors at this rank, instead of exactly."),
    click.option("--normalize/--no-normalize", default=None, help="Scale the factors to equal norms."),
    click.option(
        "--rule-weight", type=float, help="Weight of the rules against the word vectors (beta; for slots eta)."
    ),
    click.option("--initial", type=click.Choice(["rules", "random"]), help="Initial weights."),
    click.option("--extra-states", type=int, help="Additional states without transitions, which training may connect."),
    click.option(
        "--block-diagonal/--no-block-diagonal",
        default=None,
        help="Learn transitions within each automaton only, or between all states.",
    ),
    click.option("--train-words/--no-train-words", default=None, help="Also train the factors of words."),
    click.option(
        "--train-wildcard/--no-train-wildcard", default=None, help="Also train the transitions of the wildcard."
    ),
    click.option("--train-ends/--no-train-ends", default=None, help="Also train start and final weights."),
    click.option("--state-head/--no-state-head", default=None, help="Also predict labels from all last states."),
    click.option(
        "--aggregation",
        type=click.Choice(["logic", "layers"]),
        help="Label logic as formulas, or as two linear layers.",
    ),
    click.option(
        "--aggregation-activation/--no-aggregation-activation",
        default=None,
        help="Clamp the two layers, or keep them linear.",
    ),
    click.option(
        "--train-aggregation/--no-train-aggregation",
        default=None,
        help="Train the two layers, with the head's learning rate.",
    ),
    click.option(
        "--auxiliary",
        type=click.Choice(["none", "rnn", "gru", "lstm", "birnn", "bigru", "bilstm"]),
        help="Auxiliary encoder, whose scores are added to those of the rules; for slots none, gru or lstm.",
    ),
    click.option("--auxiliary-states", type=int, help="States of the auxiliary encoder in each direction."),
    click.option(
        "--auxiliary-weight",
        type=float,
        help="Initial weight of the auxiliary encoder; training selects the final one on held-out texts.",
    ),
    click.option(
        "--linear/--no-linear",
        default=None,
        help="Add a linear layer over the text, or over words and rules (slots), where it gains on held-out texts.",
    ),
    click.option("--tie-margin", type=float, help="Distance between equal labels in training; default 0.25."),
    click.option("--logit-scale", type=float, help="Factor from label scores to logits."),
    click.option("--dropout", type=float, help="Dropout rate of word vectors."),
    click.option("--clamp-gradient-slope", type=float, help="Slope of the gradient where states are clamped."),
)
_TRAIN_OPTIONS = (
    click.option("--epochs", type=int, help="Maximum number of epochs."),
    click.option("--patience", type=int, help="Epochs without improvement on dev before training stops."),
    click.option("--batch-size", type=int, help="Texts in one batch."),
    click.option("--learning-rate", type=float, help="Learning rate of transitions, start and final weights."),
    click.option(
        "--embedding-learning-rate", type=float, help="Learning rate of the map from word vectors to transitions."
    ),
    click.option(
        "--head-learning-rate", type=float, help="Learning rate of the output layer: state head, bias, trained layers."
    ),
    click.option(
        "--encoder-learning-rate",
        type=float,
        help="Learning rate of the sentence encoder, where it is trained (slots).",
    ),
    click.option("--auxiliary-learning-rate", type=float, help="Learning rate of the auxiliary encoder (labels)."),
    click.option("--decay", type=float, help="Factor on all learning rates after each epoch; 1 keeps them."),
    click.option("--l2-to-initial", type=float, help="Strength of the L2 pull to the rules."),
    click.option("--members", "copies", type=int, help="Number of ensemble members; 0: chosen by the number of texts."),
    click.option(
        "--average",
        type=click.Choice(["weights", "predictions"]),
        help="Average the members' weights (one network results), or their predictions (all are kept).",
    ),
    click.option(
        "--unlabelled", type=float, help="Weight of unlabelled texts, which are trained with the rules' predictions."
    ),
    click.option(
        "--faithful/--no-faithful",
        default=None,
        help="Constrain training to stay faithful to its reconstruction; accuracy is usually lower.",
    ),
    click.option("--seed", type=int, help="Seed of random weights, batch order and dropout."),
    click.option("--device", help="Device: auto, cuda, mps or cpu."),
    click.option("--threads", type=int, help="Number of CPU threads."),
)


_OBJECTIVE_HELP = (
    "Training objective. interpretable: each rule keeps its own transitions and can be reconstructed. "
    "accuracy: adds an auxiliary encoder, contextual vectors and an ensemble (labels), or an "
    "auxiliary encoder and a CRF (slots). Other options override its settings."
)


def objective_option(default: str) -> Callable[[Command], Command]:
    """What a network is for; the settings begin with it."""
    return click.option(
        "--objective",
        "objective",
        type=click.Choice(["interpretable", "accuracy"]),
        default=default,
        show_default=True,
        help=_OBJECTIVE_HELP,
    )


def setting_options(function: Command) -> Command:
    """The settings of network and training; what is not given keeps its default."""
    return with_options((*_TRAIN_OPTIONS, *_NETWORK_OPTIONS), function)
