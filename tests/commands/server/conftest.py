"""A database with a project for the commands that look after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import open_store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "re2nn.sqlite3"
    with open_store(path) as store:
        open_sample(store, "flight_intents", "Ann")
    return path
