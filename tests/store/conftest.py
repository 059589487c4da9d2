"""A store of its own for each test, in a file and on a server, and one small project in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.projects import postgres_server

from re2nn_core.store import ProjectRecord, Store, create_project, open_store
from re2nn_core.text.corpus import Corpus, Example

EXAMPLES = Corpus(
    (
        Example("show me flights to boston", "flight", "train"),
        Example("what is the fare", "fare", "train"),
        Example("list ground transport", None, "dev"),
        Example("flights from denver 100% full", None, "test"),
        Example("Ärger mit dem Flug", "flight", None),
    )
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A server for all tests; they skip where there is none to start."""
    if postgres_server.binaries() is None:
        pytest.skip(postgres_server.MISSING)
    with postgres_server.running_server() as server:
        yield server


@pytest.fixture(scope="session")
def _tables(postgres: postgres_server.Server) -> str:
    """The name of a database with all tables and nothing in them, which the server copies."""
    name = "empty_tables"
    postgres.run(f"CREATE DATABASE {name}")
    open_store(postgres.address(name)).close()
    return name


@pytest.fixture(params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _empty_database: Path
) -> Iterator[str]:
    """The address of a new database, of each kind in turn. One that is opened as `store` has its tables already."""
    home = tmp_path / "home"
    monkeypatch.setenv("RE2NN_HOME", str(home))
    ready = "store" in request.fixturenames
    if request.param == "sqlite":
        if ready:
            home.mkdir()
            shutil.copyfile(_empty_database, home / "re2nn.sqlite3")
        yield f"sqlite:///{home / 're2nn.sqlite3'}"
        return
    server = request.getfixturevalue("postgres")
    address = server.database(f"TEMPLATE {request.getfixturevalue('_tables')}" if ready else "")
    yield address
    server.drop(address)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return create_project(
        store, name="Trips", examples=EXAMPLES, rules_text="[flight]\nflights\n", logic_text="", author="Ann"
    )
