"""The application under test: its own store in a temporary folder, and the plain editor, which AppTest can drive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from app_studio import ROOT, Studio, small_project

from re2nn_core.services.projects import open_sample
from re2nn_core.store import (
    HOME_VARIABLE,
    ProjectRecord,
    Store,
    default_store_path,
    open_store,
)

if str(ROOT) not in sys.path:
    # `streamlit run` puts the folder of app.py there; pages import their shared parts from it.
    sys.path.insert(0, str(ROOT))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty store that nobody else sees; what the application has opened is closed at the end."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "1")
    yield tmp_path
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(default_store_path()) as opened:
        yield opened


@pytest.fixture
def sample(store: Store) -> ProjectRecord:
    return open_sample(store, "flight_intents", "tester")


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return small_project(store)


@pytest.fixture
def studio() -> Studio:
    return Studio()
