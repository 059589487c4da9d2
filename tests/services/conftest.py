"""A store of its own for each test, and a small project on which three people differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conflicts import Made, conflict_project

from re2nn_core.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def made(store: Store) -> Made:
    return conflict_project(store)
