"""What a network is for: to be read back as rules, or to be right as often as it can; and the settings that follow.

Found on train and dev of the three published sets, with the encoder's vectors of words in their sentences (dev, ATIS /
QC / SMS): with fifty texts, rules that keep their arcs and logits four times the scores 91.9 / 71.7 / 95.5, against
91.8 / 70.0 / 94.1 for arcs anywhere; with five thousand, arcs anywhere and three networks that answer together 97.7 /
93.0 / 99.6, against 97.9 / 91.8 / 99.5 for one. In between, with a tenth of the texts, arcs anywhere did better on dev
of QC and SMS (496 and 450 texts: 83.9 against 78.4, 98.2 against 97.1; means of two seeds), were level on dev of ATIS
(398 texts: 93.8, 93.6), and worse where clusters of ATIS texts were held out as a whole. There three networks that
answer together do better than one, too, or as well (dev of other seeds: QC 85.4 against 83.1, two; SMS with a vector
for each word 98.3 against 98.4, eight), and a state head or larger steps do not (QC 83.3, 83.2).
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.config import CONTEXT, NetworkConfig

Aim = Literal["reading", "accuracy"]
AIMS: tuple[Aim, ...] = ("reading", "accuracy")
TINY = 200  # with fewer training texts logits stay small
SOME = 400  # so many can find new arcs, fewer only improve the written ones; several networks find different ones


def aimed(aim: Aim, examples: int, *, in_context: bool | None = None) -> dict[str, Any]:
    """The settings of NetworkConfig that differ from its defaults, for a number of training texts. `in_context`:
    whether the encoder knows the words of the texts (None: it is taken to, where it is installed).

    reading     every rule keeps its own states and arcs, so that it can be written down again after training
    accuracy    word vectors that depend on the sentence, where the encoder is installed; from 400 texts on a machine a
                label, arcs anywhere, states to spare, and networks that answer together (`aimed_training`)
    """
    if aim == "reading":
        return {}
    vectors = CONTEXT if (encoder_is_installed() if in_context is None else in_context) else "auto"
    if examples < TINY:
        return {"vectors": vectors, "logit_scale": 4.0}
    if examples < SOME:
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
    return {"average": "answers"} if aim == "accuracy" and examples >= SOME else {}
