"""Figures that are shared for a moment."""

from __future__ import annotations

import time

import pytest

from pages._shared.cached import recent as shared


def test_what_is_there_at_once_is_made_each_time() -> None:
    made = iter(range(10))
    assert [shared.recent("quick", lambda: next(made)).value for _ in range(3)] == [0, 1, 2]


def test_what_takes_long_is_shared_and_made_anew_behind_the_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own, so that a busy machine makes nothing late."""
    clock = [0.0]
    monkeypatch.setattr(shared, "_LONGEST", 0.2)
    monkeypatch.setattr(shared, "monotonic", lambda: clock[0])
    made = iter(range(10))

    def slow() -> int:
        clock[0] += 0.05
        return next(made)

    assert [shared.recent("slow", slow).value for _ in range(3)] == [0, 0, 0]
    clock[0] += 0.3
    assert shared.recent("slow", slow).value == 0  # nobody waits
    end = time.monotonic() + 10
    while shared.recent("slow", slow).value == 0 and time.monotonic() < end:
        time.sleep(0.02)
    assert shared.recent("slow", slow).value >= 1
