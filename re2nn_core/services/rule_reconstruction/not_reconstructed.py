"""What of a network is no rule and is therefore not read back, in words: it may be why rules and network differ."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle

BESIDE = "the recurrent layer beside the rules"
_ADVICE = "Train without for a network that reads back as it answers (--aim reading, or --near-rules)."
_SLOT_ADVICE = "Train without for a network that reads back as it answers (--aim reading)."


def not_read_back(bundle: Bundle | TaggerBundle) -> tuple[str, ...]:
    """Parts of a network that no rule can say, in a sentence; empty where there are none."""
    parts = parts_not_read_back(bundle)
    if not parts:
        return ()
    advice = _SLOT_ADVICE if isinstance(bundle, TaggerBundle) else _ADVICE
    return (f"Not read back, since no rule can say it: {parts_in_words(parts)}. {advice}",)


def parts_not_read_back(bundle: Bundle | TaggerBundle) -> tuple[str, ...]:
    """These parts, each in a few words."""
    config = bundle.config.of_reader() if isinstance(bundle, TaggerBundle) else bundle.config
    parts = _of_reader(config)
    if isinstance(bundle, TaggerBundle) and bundle.config.residual != "none":
        parts.append(BESIDE)
    if len(bundle.networks) > 1:
        parts.append(f"the votes of {len(bundle.networks)} networks together (the first one is read)")
    return tuple(parts)


def parts_in_words(parts: Sequence[str]) -> str:
    """One or more parts, as people list them."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _of_reader(config: NetworkConfig) -> list[str]:
    parts = []
    if config.cell == "gru":
        parts.append("gates (GRU)")
    if config.bidirectional:
        parts.append("the second reader, from the right")
    if config.extra_states:
        parts.append("extra states that belong to no rule")
    if not config.keep_blocks:
        parts.append("edges that join rules to each other")
    if config.beside != "none":
        parts.append(BESIDE)
    if config.vectors == "context":
        parts.append("what a word means in its sentence (vectors in context)")
    return parts
