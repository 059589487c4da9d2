"""Settings as they are stored, in the names of this version or of a former one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol, TypeVar

from re2nn_core.errors import InputError

# Former name: today's.
_SHARED: Mapping[str, str] = {
    "keep_blocks": "block_diagonal",
    "leak": "clamp_gradient_slope",
    "vector_rate": "embedding_learning_rate",
    "head_rate": "head_learning_rate",
    "encoder_rate": "encoder_learning_rate",
    "beside_rate": "auxiliary_learning_rate",
    "pull": "l2_to_initial",
    "near_rules": "faithful",
}
_CLASSIFIER: Mapping[str, str] = {
    "beta": "rule_weight",
    "normalise": "normalize",
    "beside": "auxiliary",
    "beside_states": "auxiliary_states",
    "beside_share": "auxiliary_weight",
}
_TAGGER: Mapping[str, str] = {
    "eta": "rule_weight",
    "residual": "auxiliary",
    "residual_states": "auxiliary_states",
    "apart": "detached",
    "doubt": "minimum_confidence",
}
# No two configurations had different settings of one name. Files of results keep network and training together.
FORMER_SETTINGS: Mapping[str, str] = {**_SHARED, **_CLASSIFIER, **_TAGGER}
# Former values of settings, by today's name of the setting.
_FORMER_VALUES: Mapping[str, Mapping[Any, Any]] = {"average": {"answers": "predictions"}}
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
    """Stored settings by the names and values of this version."""
    today = ((setting_today(name), value) for name, value in stored.items())
    found = {name: _mapped(value, _FORMER_VALUES.get(name, {})) for name, value in today}
    if BY_HAND in found:
        found[BY_HAND] = sorted(map(setting_today, found[BY_HAND]))
    return found


def settings_as_keyed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by the names that keys in files of results are made of, which are the former ones: keys stay."""
    names = {**_SHARED, **(_TAGGER if "transducer" in settings else _CLASSIFIER)}
    former = {today: name for name, today in names.items()}
    values = {name: {today: value for value, today in of.items()} for name, of in _FORMER_VALUES.items()}
    found = {former.get(name, name): _mapped(value, values.get(name, {})) for name, value in settings.items()}
    if BY_HAND in found:
        found[BY_HAND] = sorted(former.get(name, name) for name in found[BY_HAND])
    return found


def _mapped(value: Any, values: Mapping[Any, Any]) -> Any:
    return values.get(value, value) if values else value


class AnyDataclass(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Config = TypeVar("Config", bound=AnyDataclass)


def config_from(kind: type[Config], values: Mapping[str, Any]) -> Config:
    """A configuration from stored or typed values; InputError names every key that does not exist."""
    given, known = settings_today(values), {field.name for field in fields(kind)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise InputError(
            f"{kind.__name__} has no setting {', '.join(unknown)}; its settings are: {', '.join(sorted(known))}."
        )
    return kind(**given)
