"""What a tagger is for, and the settings that follow: to be read back as rules, or to be right as often as it can.

Found on train and dev of ATIS and SNIPS, one or two seeds each (F1 on dev). With fifty texts, learning together with
the rules spoiled them (SNIPS: 49 to 53, where the rules alone reach 56.2). An auxiliary encoder that learns apart, and
adds tags where no rule claims a word and it is sure enough, gains (on the first 500 dev texts of SNIPS 62.8, and 63.6
for five that predict together, where the rules alone reach 60.1). Ten dev texts are too few to say how sure is sure
enough (SNIPS, two draws of ten, on other dev texts: 59.4 and 58.4, rules 60.0 and 59.5); where five encoders take turns
over train and dev texts together, each judged by its own share, they gain (61.3 and 59.8). From some hundred texts on,
rules and auxiliary encoder learn together (SNIPS, 1,308 texts: 87.5; ATIS, 398 texts: 91.1). Where that begins was
found without dev, one seed (`tests/benchmarks/unseen/unseen.py training --together-from N`), apart / together: ATIS 200
texts 84.5 / 81.3, 300 86.8 / 85.6, 398 87.2 / 88.1; SNIPS 200 68.8 / 60.8, 300 69.8 / 68.9, 400 74.1 / 71.1; MITR 200
66.7 / 66.5 (both the rules), 400 70.8 / 67.2. A linear layer over words and the rules' tags (linear_layer.py) is better
than either with few texts (one seed): ATIS 200 85.8, SNIPS 200 71.7, MITR 200 71.7.
"""

from __future__ import annotations

from typing import Any

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.training.config import TrainConfig

STEPS = 300  # at least, where texts are few
# Training texts that should hardly move the rules; that can add to what rules say; that can teach a large network.
TINY, FEW, MANY = 20, 350, 2000


def slot_network(objective: Objective, examples: int, *, in_context: bool | None = None) -> TaggerConfig:
    """The settings to begin with, for a number of training texts. `in_context`: whether the encoder knows the words of
    the texts (None: it is taken to, where it is installed).

    reading     the rules' network alone, each word tagged by itself: what it learns can be written down as rules
    accuracy    an ordinary auxiliary encoder, and a chain over the tags; with few texts the auxiliary encoder learns
    apart"""
    if objective == "interpretable":
        return TaggerConfig(auxiliary="none", decoding="softmax")
    if examples < FEW:
        vectors = CONTEXT if (encoder_is_installed() if in_context is None else in_context) else "auto"
        few: dict[str, Any] = {"auxiliary_states": 100, "dropout": 0.5, "word_dimensions": 0, "linear": True}
        return TaggerConfig(**few, vectors=vectors, detached=True, logit_scale=30.0, minimum_confidence=0.5)
    return TaggerConfig(auxiliary_states=200, dropout=0.5, linear=True)


def slot_training(objective: Objective, examples: int) -> TrainConfig:
    """How it is trained to begin with.

    With ten texts the usual rates of the rules' network lose what rules know (F1 on all of dev, four seeds, ATIS /
    SNIPS: 72.6 / 54.3, where the rules have 76.1 / 56.2); slow ones 76.3 / 55.9. With fifty the usual ones do as well.
    """
    if objective == "accuracy" and examples < FEW:
        return TrainConfig(**{**slot_train_defaults(examples), **_ADDING, "epochs": _epochs(examples)})
    if objective == "accuracy" and examples < MANY:
        return TrainConfig(**slot_train_defaults(examples), copies=3, average="predictions")
    if objective == "interpretable" and 0 < examples < TINY:
        return TrainConfig(**{**slot_train_defaults(examples), **_SLOWLY})
    return TrainConfig(**slot_train_defaults(examples))


_SLOWLY: dict[str, Any] = {"learning_rate": 2e-4, "embedding_learning_rate": 5e-4, "head_learning_rate": 5e-4}
_ADDING: dict[str, Any] = {"batch_size": 5, "decay": 1.0, "copies": 5, "average": "predictions"}


def _epochs(examples: int) -> int:
    """Ten texts make two steps an epoch; a few hundred steps are needed."""
    return max(40, min(150, STEPS * 5 // max(1, examples)))


def slot_train_defaults(examples: int) -> dict[str, Any]:
    """The settings of TrainConfig that differ from its defaults, for a number of training texts."""
    if examples < MANY:
        return {"epochs": 40, "batch_size": 16, "head_learning_rate": 0.002, "decay": 0.97, "patience": 10}
    return {"epochs": 25, "batch_size": 32, "head_learning_rate": 0.002, "decay": 0.95, "patience": 7}
