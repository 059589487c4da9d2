"""How often checkpoints are written, and that freed memory is kept."""

from __future__ import annotations

import platform

import pytest

from re2nn_core.training import checkpoint
from re2nn_core.training.checkpoint import PAUSE, Pace
from re2nn_core.training.memory import keep_freed_memory


def test_the_next_checkpoint_waits_for_many_times_what_the_last_one_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [10.0]
    monkeypatch.setattr(checkpoint.time, "perf_counter", lambda: clock[0])
    pace = Pace()
    assert pace.due()
    clock[0] += 0.1
    pace.ended()
    clock[0] += 0.1 * PAUSE - 0.01
    assert not pace.due()
    clock[0] += 0.02
    assert pace.due()


def test_freed_memory_is_kept_where_the_c_library_can(monkeypatch: pytest.MonkeyPatch) -> None:
    assert keep_freed_memory() == (platform.libc_ver()[0] == "glibc")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert not keep_freed_memory()
