"""The store of the former version, from either of its backups."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing

import pytest
from support.projects.former_version import FORMER, restore

from re2nn_core.store import (
    Store,
    open_store,
)


@pytest.fixture(scope="module", params=["store.zip", "database.sql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store, restored from its backup; or its database as that version left it, with the models beside it."""
    path = tmp_path_factory.mktemp("former") / "re2nn.sqlite3"
    if request.param == "store.zip":
        restore(path, FORMER / "store.zip")
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((FORMER / "database.sql").read_text(encoding="utf-8"))
        with zipfile.ZipFile(FORMER / "store.zip") as archive:
            archive.extractall(path.parent, [name for name in archive.namelist() if name.startswith("models/")])
    with open_store(path) as opened:
        yield opened
