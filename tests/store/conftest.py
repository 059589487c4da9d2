"""A store in a folder of its own, and one small project in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "home" / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return create_project(
        store, name="Trips", examples=EXAMPLES, rules_text="[flight]\nflights\n", logic_text="", author="Ann"
    )
