"""The application under test: its own store in a temporary folder, and the plain editor, which AppTest can drive."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.elements.lib import policies
from streamlit.runtime.state import session_state_proxy
from support.app.app_studio import ROOT, Studio, small_project
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import (
    HOME_VARIABLE,
    ProjectRecord,
    RunRecord,
    Store,
    default_store_path,
    list_projects,
    list_runs,
    open_store,
)
from re2nn_core.store.engine.addresses import DATABASE_NAME

if TYPE_CHECKING:
    from support.app.served import sync_api

if str(ROOT) not in sys.path:
    # `streamlit run` puts the folder of app.py there; pages import their shared parts from it.
    sys.path.insert(0, str(ROOT))


@pytest.fixture(scope="session", autouse=True)
def _packages_are_looked_through_once() -> Iterator[None]:
    """Each AppTest looks for components in all that is installed, which takes it longer than most tests take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty store that nobody else sees; what the application has opened is closed at the end."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "1")
    # What a test without a page keeps in the session is not there for the next one.
    monkeypatch.setattr(session_state_proxy, "_mock_session_state", None)
    yield tmp_path
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture(autouse=True)
def _no_widget_has_two_values(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No widget has both a default and a value that the session gave it: the server's log tells of the first one only,
    and AppTest of none."""
    found: list[str] = []
    monkeypatch.setattr(policies, "runtime", SimpleNamespace(exists=lambda: True))
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    monkeypatch.setattr(policies, "_LOGGER", SimpleNamespace(warning=lambda said, key, **_: found.append(said % key)))
    yield
    assert not found


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


@pytest.fixture(scope="session")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a project and a finished run, made once; modules that need another one have their own."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / DATABASE_NAME) as store:
        finished_run(store, learnable_project(store))
    return folder


@pytest.fixture
def filled(home: Path, trained_home: Path) -> None:
    """The test has its own copy of that store, before anybody opens it."""
    shutil.copytree(trained_home, home, dirs_exist_ok=True)


@pytest.fixture
def learnable(filled: None, store: Store) -> ProjectRecord:
    """The project of the filled store."""
    [summary] = list_projects(store)
    return summary.project


@pytest.fixture
def run(store: Store, learnable: ProjectRecord) -> RunRecord:
    """Its newest run."""
    return list_runs(store, learnable.id)[0]


# What drives Chromium skips a module that asks for it where Playwright is missing; most tests here do not need it.
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of the application, shared by the tests of a module, and the folder of its store."""
    from support.app.served import served

    folder = tmp_path_factory.mktemp("served")
    with served(folder) as address:
        yield address, folder


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    """A Chromium that the tests of a module share, each with windows of its own."""
    from support.app.served import chromium

    with chromium() as opened:
        yield opened
