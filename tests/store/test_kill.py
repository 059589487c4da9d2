"""A server that is killed while labels come in has kept every label that it acknowledged."""

from __future__ import annotations

from benchmarks.kill import kill_again_and_again

from re2nn_core.store import Store


def test_a_killed_process_loses_nothing(store: Store) -> None:
    found = kill_again_and_again(store, kills=3)
    assert found.fine, found
    assert found.acknowledged > 3
