"""What the settings of networks and trainings are called where people read them: on the page, and in plans of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Settings whose options on the command line, and names in Python, are others than they are stored under.
OPTION_NAMES: Mapping[str, str] = {"machines": "automata", "copies": "members"}

TITLES: Mapping[str, str] = {
    "epochs": "Maximum epochs",
    "patience": "Patience",
    "batch_size": "Batch size",
    "learning_rate": "Learning rate",
    "embedding_learning_rate": "Learning rate of word vectors",
    "head_learning_rate": "Learning rate of the output layer",
    "encoder_learning_rate": "Learning rate of the sentence encoder",
    "auxiliary_learning_rate": "Learning rate of the auxiliary encoder",
    "decay": "Learning rate decay",
    "l2_to_initial": "L2 pull to the rules",
    "copies": "Ensemble members",
    "average": "Combine members by",
    "unlabelled": "Weight of unlabelled texts",
    "faithful": "Faithful",
    "seed": "Random seed",
    "device": "Device",
    "threads": "CPU threads",
    "machines": "Automata",
    "vectors": "Word vectors",
    "scoring": "Path scores",
    "auxiliary": "Auxiliary encoder",
    "auxiliary_weight": "Weight of the auxiliary encoder",
    "linear": "Linear layer",
    "linear_vectors": "Vectors of the linear layer",
    "tie_margin": "Margin between equal labels",
    "auxiliary_states": "Units of the auxiliary encoder",
    "extra_states": "Extra states",
    "block_diagonal": "Block-diagonal",
    "train_words": "Train words of the rules",
    "state_head": "Use all states",
    "logit_scale": "Rule confidence",
    "dropout": "Dropout",
    "clamp_gradient_slope": "Clamp gradient slope",
    "cell": "Cell",
    "bidirectional": "Bidirectional",
    "decomposed": "Factorised",
    "rank": "Rank",
    "normalize": "Normalise factors",
    "rule_weight": "Rule weight",
    "initial": "Initialise from",
    "aggregation": "Label logic",
    "aggregation_activation": "Clamp the layers",
    "train_aggregation": "Train the label logic",
    "train_wildcard": "Train $ transitions",
    "train_ends": "Train start and final states",
    "tune_encoder": "Tune the encoder",
    "detached": "Detached",
    "auxiliary_rules": "Rules in the auxiliary encoder",
    "minimum_confidence": "Minimum confidence",
    "word_dimensions": "Word vectors of the auxiliary encoder",
    "word_dropout": "Word dropout of the auxiliary encoder",
    "decoding": "Decoding",
    "transducer": "Transducer",
    "activation": "Clamp the states",
    "context_start": "Initial word vectors",
    "threshold": "Wildcard score",
}


def setting_in_words(name: str, value: Any) -> str:
    """A setting with its value: `Batch size: 64`, `Faithful: on`, `Rank: none`."""
    return f"{TITLES.get(name, name)}: {_in_words(value)}"


def _in_words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
