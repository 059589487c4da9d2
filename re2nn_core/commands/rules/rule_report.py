"""What check reports of a rule file: rules, errors, warnings; as plain values and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from re2nn_core.errors import Fault
from re2nn_core.text.counting import counted


def without_faults(found: str, warnings: Sequence[Fault]) -> str:
    """What a file without faults holds, behind its warnings."""
    if not warnings:
        return f"{found}, no faults."
    told = counted(len(warnings), "warning")
    return f"{rendered(warnings)}\n\n{found}, no faults, but {told}: see above what is hardly meant."


def found_in(rules: int, faults: Sequence[Fault], warnings: Sequence[Fault]) -> dict[str, Any]:
    """The object of --json; `rules` counts those that can be used, so it is 0 where there are faults."""
    return {
        "ok": not faults,
        "rules": rules,
        "faults": [_shape(fault) for fault in faults],
        "warnings": [_shape(warning) for warning in warnings],
    }


def _shape(fault: Fault) -> dict[str, Any]:
    who = f"{fault.where}: " if fault.where else ""
    return {
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "message": who + fault.message,
        "advice": fault.advice,
    }


def rendered(faults: Sequence[Fault]) -> str:
    """Each with its line and a caret, a blank line between."""
    return "\n\n".join(fault.render() for fault in faults)
