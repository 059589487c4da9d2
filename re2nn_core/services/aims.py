"""What a network is for: to be read back as rules, or to be right as often as it can; and the settings that follow.

Found on dev of the three published sets, with the encoder's vectors of words in their sentences, mean of ATIS, QC and
SMS (tests/benchmarks/README.md has the figures of each):

    50 examples     rules that keep their arcs, logits four times the scores, one network of mean weights
    500 and more    a machine a label, arcs anywhere, states to spare, three networks that answer together
"""

from __future__ import annotations

from typing import Any, Literal

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.config import CONTEXT

Aim = Literal["reading", "accuracy"]
AIMS: tuple[Aim, ...] = ("reading", "accuracy")
TINY = 200  # so few training texts can improve the written rules' arcs, not find new ones


def aimed(aim: Aim, examples: int) -> dict[str, Any]:
    """The settings of NetworkConfig that differ from its defaults, for a number of training texts.

    reading     every rule keeps its own states and arcs, so that it can be written down again after training
    accuracy    word vectors that depend on the sentence, where the encoder is installed; with more than a few texts a
                machine a label, arcs anywhere, and states to spare
    """
    if aim == "reading":
        return {}
    vectors = CONTEXT if encoder_is_installed() else "auto"
    if examples < TINY:
        return {"vectors": vectors, "logit_scale": 4.0}
    return {"vectors": vectors, "machines": "label", "keep_blocks": False, "extra_states": 60}


def aimed_training(aim: Aim, examples: int) -> dict[str, Any]:
    """The settings of TrainConfig that differ from its defaults: for accuracy, networks answer together."""
    return {"average": "answers"} if aim == "accuracy" and examples >= TINY else {}
