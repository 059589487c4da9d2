"""Checks that do not hang on each other: all that is wrong is reported at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from re2nn_core.errors import InputError, Re2nnError

Check = Callable[[], Any]


def every_fault(*checks: Check) -> tuple[Any, ...]:
    """What each check returns, in their order. The fault of a single one is raised as it is; those of several as one
    InputError, each said once."""
    found, faults = [], []
    for check in checks:
        try:
            found.append(check())
        except Re2nnError as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError("\n".join(dict.fromkeys(map(str, faults)))) from faults[0]
    return tuple(found)
