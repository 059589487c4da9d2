"""A server that is killed while labels come in has kept every label that it acknowledged."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.team.kill import kill_again_and_again
from benchmarks.team.kill_exchange import kill_exchange

from re2nn_core.store import Store


def test_a_killed_process_loses_nothing(store: Store) -> None:
    found = kill_again_and_again(store, kills=3)
    assert found.fine, found
    assert found.acknowledged > 3


@pytest.mark.long
def test_a_killed_import_leaves_no_part_of_a_project_and_an_export_no_part_of_a_file(
    store: Store, tmp_path: Path
) -> None:
    found = kill_exchange(store, tmp_path, kills=2, texts=2_100, step=200)
    assert not found.faults, found
    assert found.before, "no import was killed on its way"
