"""A store of its own for each test; a small project with what its rules say, and one on which three people differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.app_studio import LOGIC, RULES, small_project
from support.projects.conflicts import Made, conflict_project
from support.projects.small_predictions import predictions

from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.store import ProjectRecord, Store, TextRecord, open_store, texts_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def made(store: Store) -> Made:
    return conflict_project(store)


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return small_project(store)


@pytest.fixture
def records(store: Store, project: ProjectRecord) -> tuple[TextRecord, ...]:
    return texts_of(store, project.id)


@pytest.fixture
def predicted(records: tuple[TextRecord, ...]) -> Predictions:
    return predictions(RULES, records, LOGIC)
