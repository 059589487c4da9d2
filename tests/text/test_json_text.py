"""JSON that leaves the program is valid JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import re2nn_core
from re2nn_core.text.json_text import json_text

PACKAGE = Path(re2nn_core.__file__).parent
# Read by this program alone, or without a number that might not be finite.
OWN = {"exchange/hugging_face/folder.py"}


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("shape", [lambda n: n, lambda n: [n, 1.5], lambda n: {"a": (n, {"b": n})}])
def test_numbers_that_are_not_finite_become_null(number: float, shape: object) -> None:
    written = json_text(shape(number))  # type: ignore[operator]
    assert json.loads(written, parse_constant=refuse) == json.loads(json.dumps(shape(None)))  # type: ignore[operator]


def test_all_else_is_as_json_writes_it() -> None:
    value = {"é": [1, 2.5, None, True, "\u2028"], "b": {}}
    assert json_text(value) == json.dumps(value, ensure_ascii=False)
    assert json_text(value, ascii_only=True, indent=2) == json.dumps(value, indent=2)


def test_what_leaves_the_program_is_written_here() -> None:
    files = [file for part in ("commands", "exchange", "reconstruction") for file in (PACKAGE / part).rglob("*.py")]
    names = {str(file.relative_to(PACKAGE)) for file in files if "json.dump" in file.read_text(encoding="utf-8")}
    assert len(files) > 60
    assert names == OWN
