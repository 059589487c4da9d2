"""A store of its own for each test, in a file and on a server, and one small project in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import postgres_server
import pytest

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


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a new database, of each kind in turn."""
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "home"))
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'home' / 're2nn.sqlite3'}"
        return
    server = request.getfixturevalue("postgres")
    address = server.database()
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
