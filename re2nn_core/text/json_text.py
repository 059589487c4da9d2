"""JSON for files and programs outside: always valid, which Python's own is not where a number is not finite."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """A value as JSON, with null for numbers that are not finite: a training that diverged has no loss."""
    return json.dumps(_finite(value), ensure_ascii=ascii_only, allow_nan=False, indent=indent)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
