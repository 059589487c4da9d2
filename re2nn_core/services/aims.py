"""What a network is for: to be read back as rules, or to be right as often as it can."""

from __future__ import annotations

from typing import Any, Literal

from re2nn_core.embeddings.encoder_files import encoder_is_installed

Aim = Literal["reading", "accuracy"]
AIMS: tuple[Aim, ...] = ("reading", "accuracy")


def aimed(aim: Aim) -> dict[str, Any]:
    """The settings of NetworkConfig that differ from its defaults for an aim.

    reading     every rule keeps its own states and arcs, so that it can be written down again after training
    accuracy    a machine a label, arcs anywhere, states to spare, and word vectors that depend on the sentence where
                the encoder is installed (found on dev: QC 84.6 -> 91.8 with all examples)
    """
    if aim == "reading":
        return {}
    vectors = "context" if encoder_is_installed() else "auto"
    return {"machines": "label", "keep_blocks": False, "extra_states": 60, "vectors": vectors}
