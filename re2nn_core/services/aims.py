"""What a network is for: to be read back as rules, or to be right as often as it can; and the settings that follow.

Found on train and dev of the three published sets, with the encoder's vectors of words in their sentences (dev, ATIS /
QC / SMS): with fifty texts, rules that keep their arcs and logits four times the scores 91.9 / 71.7 / 95.5, against
91.8 / 70.0 / 94.1 for arcs anywhere; with five thousand, arcs anywhere and three networks that answer together 97.7 /
93.0 / 99.6, against 97.9 / 91.8 / 99.5 for one. In between arcs anywhere did better on dev of QC (84.7 against 80.4)
and worse where clusters of ATIS texts were held out as a whole, so that rules keep their arcs there too.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.config import CONTEXT, NetworkConfig

Aim = Literal["reading", "accuracy"]
AIMS: tuple[Aim, ...] = ("reading", "accuracy")
TINY, FEW = 200, 1000  # training texts that can improve the written rules' arcs, not yet find new ones


def aimed(aim: Aim, examples: int, *, in_context: bool | None = None) -> dict[str, Any]:
    """The settings of NetworkConfig that differ from its defaults, for a number of training texts. `in_context`:
    whether the encoder knows the words of the texts (None: it is taken to, where it is installed).

    reading     every rule keeps its own states and arcs, so that it can be written down again after training
    accuracy    word vectors that depend on the sentence, where the encoder is installed; with many texts a machine a
                label, arcs anywhere, and states to spare
    """
    if aim == "reading":
        return {}
    vectors = CONTEXT if (encoder_is_installed() if in_context is None else in_context) else "auto"
    if examples < TINY:
        return {"vectors": vectors, "logit_scale": 4.0}
    if examples < FEW:
        return {"vectors": vectors}
    return {"vectors": vectors, "machines": "label", "keep_blocks": False, "extra_states": 60}


def network_in_words(config: NetworkConfig) -> str:
    """The settings of a network that are not the defaults, in a sentence."""
    usual = NetworkConfig()
    given = {field.name: getattr(config, field.name) for field in fields(config) if field.name != "seed"}
    given["vectors"] = Path(config.vectors).name  # of a file no more than its name: the folder is this machine's
    changed = [f"{name} {value}" for name, value in given.items() if value != getattr(usual, name)]
    return f"Network: {', '.join(changed)}." if changed else "Network: the defaults, each rule keeps its own arcs."


def aimed_training(aim: Aim, examples: int) -> dict[str, Any]:
    """The settings of TrainConfig that differ from its defaults: for accuracy, networks answer together."""
    return {"average": "answers"} if aim == "accuracy" and examples >= FEW else {}
