"""What check reports of a rule file: rules, errors, warnings; as plain values and as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from re2nn_core.automata.checks.limits import rules_past_limits
from re2nn_core.errors import Fault, RuleError, rendered
from re2nn_core.rules.ruleset import Rule
from re2nn_core.text.counting import counted


def with_limits(rules: Sequence[Rule], warnings: Sequence[Fault], file: Path) -> tuple[Fault, ...]:
    """The warnings and those of rules whose automaton is too large for some commands; RuleError where there are rules
    that no command can use."""
    faults, further = rules_past_limits(rules, file=str(file))
    if faults:
        raise RuleError(faults)
    return tuple(sorted((*warnings, *further), key=lambda fault: (fault.line, fault.column)))


def without_faults(found: str, warnings: Sequence[Fault]) -> str:
    """What a file without faults holds, behind its warnings."""
    if not warnings:
        return f"{found}, no errors."
    reported = counted(len(warnings), "warning")
    return f"{rendered(warnings)}\n\n{found}, no errors, {reported} (see above)."


def rule_findings(rules: int, faults: Sequence[Fault], warnings: Sequence[Fault]) -> dict[str, Any]:
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
