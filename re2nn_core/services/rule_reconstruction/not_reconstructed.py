"""What of a network is no rule and is therefore not read back, in words: it may be why rules and network differ."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT, RecurrenceConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.text.joined_names import join_names

BESIDE = "the auxiliary encoder"
WEIGHTS, VECTORS = "weights between 0 and 1", "word vectors"
NO_CHANGE = "No change of a rule holds on other texts: keep your rules as they are."
ONLY_NEW = "No change of a written rule holds on other texts; the changes that do are new rules."
_MEANS = {
    WEIGHTS: "weights between 0 and 1 (a rule matches or does not)",
    VECTORS: "word vectors (words of like meaning count alike)",
}
_ADVICE = (
    "To find rules from all that this network predicts, add --from-predictions. To train a network without these "
    "parts, use --objective interpretable with --no-linear, or --faithful."
)
_SLOT_ADVICE = "To train a network without these parts, use --objective interpretable with --no-linear."


def not_reconstructed(bundle: Bundle | TaggerBundle, *, changed: bool = True, new: bool = False) -> tuple[str, ...]:
    """Parts of a network that no rule can say, in a sentence; empty where there are none. `changed`: some rule came
    back as another one; where a trained network changed none, that is said, with all that it predicts by, and whether
    there are `new` rules."""
    parts, advice = parts_not_reconstructed(bundle), ""
    if parts and not rules_were_trained(bundle):
        advice = f" {_SLOT_ADVICE if isinstance(bundle, TaggerBundle) else _ADVICE}"
    if not changed and _has_moved(bundle):
        return (f"{ONLY_NEW if new else NO_CHANGE} {beyond_in_words(beyond_rules(bundle))}{advice}",)
    return (f"{beyond_in_words(parts)}{advice}",) if parts else ()


def beyond_in_words(parts: Sequence[str]) -> str:
    """What a network predicts by besides rules, in a sentence; `parts`: as `beyond_rules` names them."""
    return f"What the network uses and no rule can express: {join_names([_MEANS.get(part, part) for part in parts])}."


def _has_moved(bundle: Bundle | TaggerBundle) -> bool:
    """Whether training moved the weights of the rules that are reconstructed."""
    return bundle.trained or (isinstance(bundle, TaggerBundle) and bundle.rules_network is not None)


def rules_were_trained(bundle: Bundle | TaggerBundle) -> bool:
    """Whether a training without these parts leads to nothing new: its network goes with this one, or was no better
    than the rules."""
    if not isinstance(bundle, TaggerBundle):
        return False
    return bundle.rules_network is not None or (bundle.kept_rules and bool(bundle.figures.get("epochs")))


def parts_not_reconstructed(bundle: Bundle | TaggerBundle) -> tuple[str, ...]:
    """These parts, each in a few words."""
    parts = _of_layer(bundle.config)
    if isinstance(bundle, TaggerBundle) and bundle.config.auxiliary != "none":
        parts.append(BESIDE)
    if isinstance(bundle, TaggerBundle) and bundle.config.linear:
        parts.append("the linear layer over words and rules")
    if len(bundle.networks) > 1:
        parts.append(f"the ensemble of {len(bundle.networks)} networks (the first one is reconstructed)")
    return tuple(parts)


def beyond_rules(bundle: Bundle | TaggerBundle) -> tuple[str, ...]:
    """All that a network predicts by and that rules do not have, in a few words each: what every network has, and the
    parts that are not reconstructed."""
    vectors = () if bundle.vectors_name == "none" else (VECTORS,)
    return (WEIGHTS, *vectors, *parts_not_reconstructed(bundle))


def _of_layer(config: RecurrenceConfig) -> list[str]:
    classifier = config if isinstance(config, NetworkConfig) else NetworkConfig()
    parts = []
    if config.cell == "gru":
        parts.append("gates (GRU)")
    if classifier.bidirectional:
        parts.append("the direction from right to left")
    if config.extra_states:
        parts.append("extra states that belong to no rule")
    if not config.block_diagonal:
        parts.append("transitions between rules")
    if classifier.auxiliary != "none":
        parts.append(BESIDE)
    if classifier.linear:
        whole = "the linear layer over the whole text"
        parts.append(whole if config.vectors == CONTEXT else f"{whole} (the weights of words)")
    if config.vectors == CONTEXT:
        parts.append("contextual word vectors")
    return parts
