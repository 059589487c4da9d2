"""JSON for files and programs outside: always valid, which Python's own is not where a number is not finite."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

_ENCODERS = {
    ascii_only: json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False).encode for ascii_only in (False, True)
}


def json_text(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """A value as JSON, with null for numbers that are not finite: a training that diverged has no loss."""
    if indent is None:
        try:
            return _ENCODERS[ascii_only](value)
        except (TypeError, ValueError):  # a number that is not finite, or a mapping that is no dict
            pass
    return json.dumps(_finite(value), ensure_ascii=ascii_only, allow_nan=False, indent=indent)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
