"""The settings of a training as Python gives them: by the names of the options of `re2nn train`, and of their kinds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral, Real
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.setting_titles import OPTION_NAMES
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.slot_filling.given_settings import OF_LABELS_ALONE
from re2nn_core.task import Task, by_task
from re2nn_core.text.given_texts import shown_value
from re2nn_core.training.config import TrainConfig

_STORED = {option: stored for stored, option in OPTION_NAMES.items()}
_KINDS = {int: "a whole number", float: "a number", bool: "True or False", str: "a string", NoneType: "None"}


def checked_settings(task: Task, objective: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings by the names that they are stored under, with the objective. InputError for a setting that there is
    not, one that is given twice, or a value of another kind."""
    if objective not in OBJECTIVES:
        raise InputError(f"objective must be one of {', '.join(OBJECTIVES)} (got {objective!r}).")
    kinds = _kinds_of(task)
    found: dict[str, Any] = {}
    unknown = []
    for name, value in settings.items():
        stored = _STORED.get(name, name)
        if stored not in kinds:
            unknown.append(name)
        elif stored in found:
            raise InputError(f"{stored} and {OPTION_NAMES[stored]} are one setting. Give {OPTION_NAMES[stored]} alone.")
        else:
            found[stored] = _checked(name, value, kinds[stored])
    if unknown:
        known = sorted(OPTION_NAMES.get(stored, stored) for stored in kinds)
        raise InputError(
            f"{', '.join(sorted(unknown))}: no setting of networks for {task.in_words}. "
            f"The settings are: {', '.join(known)}."
        )
    return {**found, "objective": objective}


def _kinds_of(task: Task) -> dict[str, Any]:
    """The settings of a task, by the names that they are stored under, with the types of their values."""
    network: type = by_task(task, classification=NetworkConfig, slot_filling=TaggerConfig)
    without = by_task(task, classification=(), slot_filling=OF_LABELS_ALONE)
    found: dict[str, Any] = {}
    for config in (network, TrainConfig):
        hints = get_type_hints(config)
        found |= {field.name: hints[field.name] for field in fields(config) if field.name not in without}
    return found


def _checked(name: str, value: Any, kind: Any) -> Any:
    """A value as it is stored. InputError for one of another kind, as a number that is written as a text."""
    if get_origin(kind) is Literal:  # one of a few strings, which the configuration lists
        kind = str
    allowed = get_args(kind) or (kind,)
    if value is None and NoneType in allowed:
        return None
    if str in allowed and isinstance(value, str | os.PathLike):
        return os.fspath(value)
    if bool in allowed and type(value).__name__ in ("bool", "bool_"):  # bool_ is NumPy's
        return bool(value)
    number = isinstance(value, Real) and not isinstance(value, bool)
    if int in allowed and number and isinstance(value, Integral):
        return int(value)
    if float in allowed and number:
        return float(value)
    expected = " or ".join(_KINDS[one] for one in allowed)
    raise InputError(f"{name} must be {expected} (got {shown_value(value)}).")
