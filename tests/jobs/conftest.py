"""A store with one project, and the jobs of `sample_jobs.py` by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.store import RunRecord, Store, create_project, create_run, open_store
from re2nn_core.text.corpus import Corpus


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def new_run(store: Store) -> Callable[..., RunRecord]:
    """Makes a queued run: new_run("count", steps=3)."""
    project = create_project(store, name="Trips", examples=Corpus(()), rules_text="", logic_text="", author="Ann")

    def make(kind: str, **config: Any) -> RunRecord:
        return create_run(store, project.id, kind, config=config)

    return make


@pytest.fixture(autouse=True)
def _sample_jobs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
