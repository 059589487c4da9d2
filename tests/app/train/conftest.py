"""Projects and runs for the page Fine-tune."""

from __future__ import annotations

import pytest
from support.projects.finished_run import learnable_project

from re2nn_core.store import (
    ProjectRecord,
    Store,
)


@pytest.fixture
def learnable(store: Store) -> ProjectRecord:
    return learnable_project(store)
