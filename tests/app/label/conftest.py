"""A project for slots with texts that nobody has annotated."""

from __future__ import annotations

import pytest
from support.projects.finished_tagger_run import slot_project

from re2nn_core.store import (
    ProjectRecord,
    Store,
)


@pytest.fixture
def unannotated(store: Store) -> ProjectRecord:
    """A project with three texts that nobody has marked, behind 56 marked ones."""
    return slot_project(store, unannotated=3)
