"""Settings as they are stored, in the names of this version or of a former one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol, TypeVar

from re2nn_core.errors import InputError

# Former name: today's. No two configurations had different settings of one name, so one table serves all of them, and
# also the files of results, which keep the settings of network and training together.
FORMER_SETTINGS: Mapping[str, str] = {
    # of networks
    "beta": "rule_weight",
    "eta": "rule_weight",
    "normalise": "normalize",
    "keep_blocks": "block_diagonal",
    "leak": "clamp_gradient_slope",
    "beside": "auxiliary",
    "beside_states": "auxiliary_states",
    "beside_share": "auxiliary_weight",
    "residual": "auxiliary",
    "residual_states": "auxiliary_states",
    "apart": "detached",
    "doubt": "minimum_confidence",
    # of training
    "vector_rate": "embedding_learning_rate",
    "head_rate": "head_learning_rate",
    "encoder_rate": "encoder_learning_rate",
    "beside_rate": "auxiliary_learning_rate",
    "pull": "l2_to_initial",
    "near_rules": "faithful",
}
# The same for parameters of models, by the beginning of their names.
FORMER_PARAMETERS: Mapping[str, str] = {
    "beside.": "auxiliary.",
    "residual.states.": "auxiliary.states.cell.",
    "residual.": "auxiliary.",
}


BY_HAND = "by_hand"  # in files of results: the names of defaults that were asked for


def setting_today(name: str) -> str:
    """A setting's name in this version."""
    return FORMER_SETTINGS.get(name, name)


def settings_today(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored settings by the names of this version."""
    found = {setting_today(name): value for name, value in stored.items()}
    if BY_HAND in found:
        found[BY_HAND] = sorted(map(setting_today, found[BY_HAND]))
    return found


class Settings(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Config = TypeVar("Config", bound=Settings)


def config_from(kind: type[Config], values: Mapping[str, Any]) -> Config:
    """A configuration from stored or typed values; InputError names every key that does not exist."""
    given, known = settings_today(values), {field.name for field in fields(kind)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise InputError(
            f"{kind.__name__} has no setting {', '.join(unknown)}; its settings are: {', '.join(sorted(known))}."
        )
    return kind(**given)
