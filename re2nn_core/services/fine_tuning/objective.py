"""What a network is trained for: to be reconstructed as rules, or to be right as often as it can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Objective = Literal["interpretable", "accuracy"]

OBJECTIVES: tuple[Objective, ...] = ("interpretable", "accuracy")
KEY_OBJECTIVE = "objective"  # in the settings of a run
_FORMER_KEY, _FORMER = "aim", "reading"  # in runs of former versions


def objective_today(stored: str) -> str:
    """A stored objective, or the system of that name, as this version names it."""
    return "interpretable" if stored == _FORMER else stored


def objective_of(config: Mapping[str, Any]) -> Objective | None:
    """What the settings of a run say that was trained for, in any version; None where they do not say it."""
    stored = objective_today(config.get(KEY_OBJECTIVE, config.get(_FORMER_KEY, "")))
    return next((objective for objective in OBJECTIVES if objective == stored), None)
